/** Faults in loyalty points: what orders earn, spend and undo. */
import type { Fault } from "../plantedFaults.ts"

const redeeming = ["packages/handler/test/loyalty/Redeeming.pg.test.ts"]
const earning = ["packages/handler/test/loyalty/Earning.pg.test.ts"]
const claim = "packages/core/src/loyalty/LoyaltyClaim.ts"

export const loyaltyFaults: ReadonlyArray<Fault> = [
  {
    id: "loyalty.spent-twice",
    breaks: "Points that wait for one payment pay for another order too",
    file: "packages/core/src/loyalty/LoyaltyPoints.ts",
    find: "atLeastZero(balanceOf(standing) - (standing.held - standing.own))",
    replace: "atLeastZero(balanceOf(standing))",
    tests: redeeming,
    noticedBy: "cannot pay for another order meanwhile"
  },
  {
    id: "loyalty.repriced",
    breaks: "An order takes other points than its shopper agreed to, because the programme changed while it was paid",
    file: claim,
    find: "held?.customerId === claim.sourceId && held.amount === claim.amount",
    replace: "held?.customerId === claim.sourceId && held.amount !== claim.amount",
    tests: redeeming,
    noticedBy: "as many as the shopper agreed to"
  },
  {
    id: "loyalty.earned-on-points",
    breaks: "What points have paid for earns points again",
    file: "packages/core/src/loyalty/OrderPoints.ts",
    find: "earnedPoints(program, order.lines - worth, account.lifetime)",
    replace: "earnedPoints(program, order.lines, account.lifetime)",
    tests: redeeming,
    noticedBy: "are shown as a tender, replaced and removed"
  },
  {
    id: "loyalty.latest-first",
    breaks: "Points that last longest are spent first, and the others expire",
    file: "packages/core/src/loyalty/LoyaltyAccountRepository.ts",
    find: "t.expires_at NULLS LAST, t.seq) - t.remaining",
    replace: "t.expires_at DESC NULLS LAST, t.seq) - t.remaining",
    tests: earning,
    noticedBy: "those that expire first are spent first"
  },
  {
    id: "loyalty.refund-keeps",
    breaks: "Each refund takes the points of all refunds back again",
    file: "packages/core/src/loyalty/OrderPoints.ts",
    find: "yield* orders.undo(storeId, orderId, reversed, returned)",
    replace: "yield* orders.undo(storeId, orderId, state.reversed, returned)",
    tests: earning,
    noticedBy: "by cumulative floor, whole at the end"
  },
  {
    id: "loyalty.refund-before-paid",
    breaks: "Points of a part that was refunded before the order was paid whole stay with the customer",
    file: "packages/core/src/loyalty/OrderPoints.ts",
    find: "    yield* undo(place, order.orderId)\n",
    replace: "",
    tests: earning,
    noticedBy: "also where a part was refunded before"
  },
  {
    id: "loyalty.refreshed-prices",
    breaks: "Points that are worth less leave more to pay than the shopper was shown after a refresh",
    file: "packages/core/src/checkout/Checkouts.ts",
    find: "if (hasTenders) yield* refreshTenders(store, id)",
    replace: "",
    tests: redeeming,
    noticedBy: "are compared with what was shown after the last refresh"
  }
]
