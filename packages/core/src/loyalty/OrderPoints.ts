/**
 * What orders do to points: one that is placed promises some, one that is paid earns them, and refunds and
 * cancellations undo what was earned and spent. Each may be repeated: an order earns once, and what is undone follows
 * from the order's money as it stands. Inside the write transaction of the caller.
 */
import { greatest } from "../kernel/Money.ts"
import { Effect } from "effect"
import type { AccountState } from "./LoyaltyAccount.ts"
import { LoyaltyLedger } from "./LoyaltyLedger.ts"
import { LoyaltyOrderRepository } from "./LoyaltyOrderRepository.ts"
import { earnedPoints, fitting, returnedPoints, reversedPoints } from "./LoyaltyPoints.ts"
import { expiryAt, type LoyaltyProgramState } from "./LoyaltyProgram.ts"

/** What one order or customer is handled with. */
export interface PointsPlace {
  readonly storeId: string
  readonly program: LoyaltyProgramState
  readonly now: Date
}

/** An order of a customer, as its events tell of it. */
export interface PointsOrder {
  readonly orderId: string
  readonly customerId: string
  /** Whether its amounts are in the currency of the programme: in another one it earns nothing. */
  readonly isInCurrency: boolean
  /** Minor units: the lines after discounts. */
  readonly lines: bigint
}

export const makeOrderPoints = Effect.gen(function* () {
  const ledger = yield* LoyaltyLedger
  const orders = yield* LoyaltyOrderRepository

  /** How many points an order earns, and the locked account that they go to; undefined where nobody earns any. */
  const earning = Effect.fnUntraced(function* ({ storeId, program, now }: PointsPlace, order: PointsOrder) {
    if (!program.isEnabled || !order.isInCurrency) return undefined
    const account = yield* ledger.open(storeId, order.customerId, now)
    if (account === undefined) return undefined
    const worth = (yield* orders.find(storeId, order.orderId))?.worth ?? 0n
    const points = fitting(earnedPoints(program, order.lines - worth, account.lifetime), account)
    return { account, points }
  })

  const promise = Effect.fnUntraced(function* (place: PointsPlace, order: PointsOrder) {
    const found = yield* earning(place, order)
    if (found === undefined || found.points === 0n) return
    yield* orders.promise(place.storeId, order.orderId, order.customerId, found.points)
  })

  const credited = (
    { storeId, program, now }: PointsPlace,
    account: AccountState,
    cause: "order" | "referral",
    { points, orderId }: { readonly points: bigint; readonly orderId: string }
  ) =>
    ledger.credit(
      storeId,
      account,
      { type: "EARN", cause, points, orderId, ...(cause === "referral" ? { reason: "Referral" } : {}) },
      { expiresAt: expiryAt(program, now), now }
    )

  /** The bonus for the first paid order of a customer whom another one has referred: both get it. */
  const reward = Effect.fnUntraced(function* (place: PointsPlace, { orderId, customerId }: PointsOrder) {
    const { storeId, program, now } = place
    const referrerId = yield* orders.rewardReferral(storeId, customerId, orderId)
    if (referrerId === undefined || !program.isEnabled || program.referralPoints === 0n) return
    for (const id of [customerId, referrerId]) {
      const account = yield* ledger.open(storeId, id, now)
      if (account !== undefined)
        yield* credited(place, account, "referral", { points: program.referralPoints, orderId })
    }
  })

  /** Brings what is undone of an order's points to what its money says. */
  const undo = Effect.fnUntraced(function* ({ storeId, program, now }: PointsPlace, orderId: string) {
    const state = yield* orders.find(storeId, orderId)
    const money = yield* orders.moneyOf(storeId, orderId)
    if (state === undefined || money === undefined) return
    if (money.isCancelled) yield* orders.dropPromise(storeId, orderId)
    const { customerId, earned, spent } = state
    const reversed = greatest(state.reversed, reversedPoints(earned ?? 0n, money))
    const returned = greatest(state.returned, returnedPoints(spent, money))
    if (reversed === state.reversed && returned === state.returned) return
    const account = yield* ledger.lock(storeId, customerId, { now })
    if (account === undefined) return
    const points = reversed - state.reversed
    const left = points === 0n ? account : yield* ledger.takeBack(storeId, account, orderId, { points, now })
    if (returned > state.returned) {
      const booking = { type: "REVERSE", cause: "return", points: returned - state.returned, orderId } as const
      yield* ledger.credit(storeId, left, booking, { expiresAt: expiryAt(program, now), now })
    }
    yield* orders.undo(storeId, orderId, reversed, returned)
  })

  const earn = Effect.fnUntraced(function* (place: PointsPlace, order: PointsOrder) {
    const { storeId } = place
    const found = yield* earning(place, order)
    if (found === undefined) yield* orders.dropPromise(storeId, order.orderId)
    else if (yield* orders.earn(storeId, order.orderId, order.customerId, found.points))
      yield* credited(place, found.account, "order", { points: found.points, orderId: order.orderId })
    yield* reward(place, order)
    // A part may have been refunded before the order was paid whole.
    yield* undo(place, order.orderId)
  })

  return {
    promise,
    earn,
    undo,
    refer: ({ storeId, now }: PointsPlace, customerId: string) => orders.refer(storeId, customerId, now)
  }
}).pipe(Effect.provide(LoyaltyOrderRepository.layer))
