/** Faults in tenders: what pays for a part of an order beside a provider's charge. */
import type { Fault } from "../plantedFaults.ts"

const tests = ["packages/handler/test/checkout/Tenders.pg.test.ts"]
const placement = "packages/core/src/order/OrderPlacement.ts"

export const tenderFaults: ReadonlyArray<Fault> = [
  {
    id: "tender.not-held",
    breaks: "The same balance of a gift card pays for a second order while the payment of the first is under way",
    file: "packages/core/src/completion/ChargedCompletion.ts",
    find: "yield* claims.hold(store, draft, { holderId: checkout.id, until: heldUntil, now: new Date(now) })",
    replace: "",
    tests,
    noticedBy: "cannot pay for another order meanwhile"
  },
  {
    id: "tender.not-checked-again",
    breaks: "An order is made of late money although its gift card was spent by another one meanwhile",
    file: placement,
    find: "yield* claims.spend(store, draft, order.createdAt)",
    replace: "yield* Effect.ignore(claims.spend(store, draft, order.createdAt))",
    tests,
    noticedBy: "is refunded when another order has spent the tender"
  },
  {
    id: "tender.kept-after-decline",
    breaks: "A gift card stays held for an order whose card was declined",
    file: "packages/core/src/checkout/paymentRelease.ts",
    find: "yield* claims.release(store, id)",
    replace: "",
    tests,
    noticedBy: "is released when the card is declined"
  },
  {
    id: "tender.spent-without-order",
    breaks: "A gift card is spent and stock sold for an order that is not made, because a second card is empty",
    file: "packages/core/src/claim/Claims.ts",
    find: "claimsOf(draft).length === 0 ? placing : savepoint(placing)",
    replace: "claimsOf(draft).length === 0 ? savepoint(placing) : placing",
    tests,
    noticedBy: "is refunded when another order has spent the tender"
  },
  {
    id: "tender.not-spent-at-once",
    breaks: "An order that no provider is asked about takes nothing from the gift card that pays for it",
    file: placement,
    find: "yield* claims.spend(store, draft, order.createdAt)",
    replace: "if (order !== draft) yield* claims.spend(store, draft, order.createdAt)",
    tests,
    noticedBy: "or all of it: no provider is asked"
  },
  {
    id: "tender.locked-in-a-circle",
    breaks: "Two orders with the same two gift cards wait for each other",
    file: "packages/core/src/claim/PaymentPlan.ts",
    find: "[...claims.values()].sort(byKindAndSource)",
    replace: "[...claims.values()]",
    tests: ["packages/core/test/claim/PaymentPlan.test.ts"],
    noticedBy: "is its tenders and one use of each discount"
  }
]
