/** The customer room's port: gift cards of a customer who is deleted keep their balance, and not whose they were. */
import { Clock, Effect } from "effect"
import type { CustomerTrace } from "../customer/CustomerTraces.ts"
import { GiftCardRepository } from "./GiftCardRepository.ts"

export const forgottenGiftCards = Effect.map(
  GiftCardRepository,
  ({ forget }): CustomerTrace =>
    (storeId, customer) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => forget(storeId, customer, new Date(now)))
).pipe(Effect.provide(GiftCardRepository.layer))
