/** The charges behind orders, for the order room: each is the attempt to pay that made the order. */
import { Effect, Layer } from "effect"
import { OpenCharges } from "../order/OpenCharges.ts"
import { PaymentAttemptRepository } from "./PaymentAttemptRepository.ts"

export const orderedChargesLayer = Layer.effect(
  OpenCharges,
  Effect.map(PaymentAttemptRepository, ({ lockOrdered, letGoOrdered }) =>
    OpenCharges.of({ lock: lockOrdered, letGo: letGoOrdered })
  )
).pipe(Layer.provide(PaymentAttemptRepository.layer))
