/**
 * How an order takes the points that pay for it. The account is the lock; what is held keeps the number of points that
 * the shopper agreed to, also where the programme changes before the money has come. What refunds return follows from
 * the order's money as it stands, so that the event of the refund, which does the same, finds nothing left to do.
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
import { makeOrderPoints } from "./OrderPoints.ts"

const short = ({ sourceId }: Claim) => new TenderShort({ kind: loyaltyKind, sourceId })

export const loyaltyClaim = Effect.gen(function* () {
  const repository = yield* LoyaltyAccountRepository
  const orders = yield* LoyaltyOrderRepository
  const ledger = yield* LoyaltyLedger
  const programs = yield* LoyaltyPrograms
  const points = yield* makeOrderPoints

  /** Locks the account, and returns the points of the claim; fails where the customer has less that is free. */
  const checked = Effect.fnUntraced(function* (storeId: string, claim: Claim) {
    const account = yield* ledger.lock(storeId, claim.sourceId, claim)
    const held = yield* repository.heldBy(storeId, claim.holderId)
    const isHeld = held?.customerId === claim.sourceId && held.amount === claim.amount
    const program = isHeld ? undefined : yield* programs.find(storeId)
    const wanted = isHeld
      ? held.points
      : program === undefined
        ? undefined
        : pointsPaying(claim.amount, program.redeemRate)
    if (account === undefined || wanted === undefined || usableOf(account) < wanted) return yield* short(claim)
    return wanted
  })

  const kind: ClaimKind = {
    kind: loyaltyKind,
    hold: Effect.fnUntraced(function* (store: StoreContext, claim: ClaimHold) {
      const { holderId, sourceId: customerId, amount, until } = claim
      if (amount === 0n) return yield* repository.release(store.id, holderId)
      const wanted = yield* checked(store.id, claim)
      yield* repository.hold(store.id, { holderId, customerId, points: wanted, amount, until })
    }),
    spend: Effect.fnUntraced(function* (store: StoreContext, claim: ClaimSpending) {
      const { holderId, sourceId: customerId, amount: worth, orderId, now } = claim
      if (worth === 0n) return yield* repository.release(store.id, holderId)
      const spent = yield* checked(store.id, claim)
      const booking = { customerId, type: "REDEEM", cause: "redemption", points: spent, orderId } as const
      yield* ledger.debit(store.id, booking, now)
      yield* orders.redeem(store.id, { orderId, customerId, spent, worth })
      yield* repository.release(store.id, holderId)
    }),
    release: (store, holderId) => repository.release(store.id, holderId),
    giveBack: Effect.fnUntraced(function* (store, { orderId, now }) {
      const program = yield* programs.find(store.id)
      if (program !== undefined) yield* points.undo({ storeId: store.id, program, now }, orderId)
      return null
    })
  }
  return kind
}).pipe(Effect.provide(Layer.merge(LoyaltyAccountRepository.layer, LoyaltyOrderRepository.layer)))
