/**
 * The customer room's port: the points of a customer who is deleted are taken, unless a checkout holds them, and what
 * merchants gave as reasons is cleared. The transactions stay, so that the books still add up.
 */
import { Clock, Effect, Layer } from "effect"
import type { CustomerTrace } from "../customer/CustomerTraces.ts"
import { LoyaltyAccountRepository } from "./LoyaltyAccountRepository.ts"
import { LoyaltyLedger } from "./LoyaltyLedger.ts"
import { usableOf } from "./LoyaltyPoints.ts"

export const forgottenLoyalty = Effect.gen(function* () {
  const repository = yield* LoyaltyAccountRepository
  const ledger = yield* LoyaltyLedger

  const trace: CustomerTrace = Effect.fnUntraced(function* (storeId, { id: customerId }) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const account = yield* ledger.lock(storeId, customerId, { now })
    if (account === undefined) return
    yield* repository.forgetReasons(storeId, customerId)
    const points = usableOf(account)
    if (points > 0n) yield* ledger.debit(storeId, { customerId, type: "ADJUST", cause: "deletion", points }, now)
  })
  return trace
}).pipe(Effect.provide(Layer.merge(LoyaltyAccountRepository.layer, LoyaltyLedger.layer)))
