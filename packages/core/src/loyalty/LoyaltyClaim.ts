/**
 * How an order takes the points that pay for it. The account is the lock; what is held keeps the number of points that
 * the shopper agreed to, also where the programme changes before the money has come.
 */
import { Effect, Layer } from "effect"
import { TenderShort } from "../claim/ClaimErrors.ts"
import type { Claim, ClaimHold, ClaimKind, ClaimSpending } from "../claim/ClaimKind.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { LoyaltyAccountRepository } from "./LoyaltyAccountRepository.ts"
import { loyaltyKind } from "./LoyaltyKind.ts"
import { LoyaltyLedger } from "./LoyaltyLedger.ts"
import { LoyaltyOrderRepository } from "./LoyaltyOrderRepository.ts"
import { pointsPaying, usableOf } from "./LoyaltyPoints.ts"
import { LoyaltyPrograms } from "./LoyaltyPrograms.ts"

const short = ({ sourceId }: Claim) => new TenderShort({ kind: loyaltyKind, sourceId })

export const loyaltyClaim = Effect.gen(function* () {
  const repository = yield* LoyaltyAccountRepository
  const orders = yield* LoyaltyOrderRepository
  const ledger = yield* LoyaltyLedger
  const programs = yield* LoyaltyPrograms

  /** Locks the account, and returns the points of the claim; fails where the customer has less that is free. */
  const checked = Effect.fnUntraced(function* (storeId: string, claim: Claim) {
    const account = yield* ledger.lock(storeId, claim.sourceId, claim)
    const held = yield* repository.heldBy(storeId, claim.holderId)
    const isHeld = held?.customerId === claim.sourceId && held.amount === claim.amount
    const program = isHeld ? undefined : yield* programs.find(storeId)
    const points = isHeld
      ? held.points
      : program === undefined
        ? undefined
        : pointsPaying(claim.amount, program.redeemRate)
    if (account === undefined || points === undefined || usableOf(account) < points) return yield* short(claim)
    return points
  })

  const kind: ClaimKind = {
    kind: loyaltyKind,
    hold: Effect.fnUntraced(function* (store: StoreContext, claim: ClaimHold) {
      const { holderId, sourceId: customerId, amount, until } = claim
      if (amount === 0n) return yield* repository.release(store.id, holderId)
      const points = yield* checked(store.id, claim)
      yield* repository.hold(store.id, { holderId, customerId, points, amount, until })
    }),
    spend: Effect.fnUntraced(function* (store: StoreContext, claim: ClaimSpending) {
      const { holderId, sourceId: customerId, amount: worth, orderId, now } = claim
      if (worth === 0n) return yield* repository.release(store.id, holderId)
      const points = yield* checked(store.id, claim)
      yield* ledger.debit(store.id, { customerId, type: "REDEEM", cause: "redemption", points, orderId }, now)
      yield* orders.redeem(store.id, { orderId, customerId, spent: points, worth })
      yield* repository.release(store.id, holderId)
    }),
    release: (store, holderId) => repository.release(store.id, holderId)
  }
  return kind
}).pipe(Effect.provide(Layer.merge(LoyaltyAccountRepository.layer, LoyaltyOrderRepository.layer)))
