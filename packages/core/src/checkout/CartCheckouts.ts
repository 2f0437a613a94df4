/** The checkouts that were made of carts, for the cart room. */
import { Effect, Layer } from "effect"
import { OpenCheckouts } from "../cart/OpenCheckouts.ts"
import { CartCheckoutRepository } from "./CartCheckoutRepository.ts"

export const cartCheckoutsLayer = Layer.effect(
  OpenCheckouts,
  Effect.map(CartCheckoutRepository, ({ cancelOf, followItem, dropping }) =>
    OpenCheckouts.of({ cancel: cancelOf, follow: followItem, dropping })
  )
).pipe(Layer.provide(CartCheckoutRepository.layer))
