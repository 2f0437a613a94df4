/** The customer room's port: drafts of a customer who is deleted keep what is sold, and nothing that says to whom. */
import { Clock, Effect } from "effect"
import type { CustomerTrace } from "../customer/CustomerTraces.ts"
import { DraftOrderRepository } from "./DraftOrderRepository.ts"

export const forgottenDraftOrders = Effect.map(
  DraftOrderRepository,
  ({ forget }): CustomerTrace =>
    (storeId, customer) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => forget(storeId, customer, new Date(now)))
).pipe(Effect.provide(DraftOrderRepository.layer))
