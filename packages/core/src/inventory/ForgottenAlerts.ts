/** The customer room's port: a customer who is deleted waits for nothing any more. */
import { Effect } from "effect"
import type { CustomerTrace } from "../customer/CustomerTraces.ts"
import { StockAlertRepository } from "./StockAlertRepository.ts"

export const forgottenAlerts = Effect.map(
  StockAlertRepository,
  ({ removeOf, forget }): CustomerTrace =>
    (storeId, { email }) =>
      Effect.flatMap(removeOf(storeId, email), (awaited) => forget(storeId, awaited))
).pipe(Effect.provide(StockAlertRepository.layer))
