/** The checkouts that were made of carts, for the cart room. */
import { Effect, Layer } from "effect"
import { OpenCheckouts } from "../cart/OpenCheckouts.ts"
import { CheckoutRepository } from "./CheckoutRepository.ts"

export const cartCheckoutsLayer = Layer.effect(
  OpenCheckouts,
  Effect.map(CheckoutRepository, ({ cancelOf, followItem }) =>
    OpenCheckouts.of({ cancel: cancelOf, follow: followItem })
  )
).pipe(Layer.provide(CheckoutRepository.layer))
