/** Faults in the books of orders: what follows from a charge as its provider has it. */
import type { Fault } from "../plantedFaults.ts"

const followed = "packages/core/src/settlement/internal/followedCharge.ts"
const refunds = "packages/core/src/settlement/internal/followedRefunds.ts"
const sums = "packages/core/src/settlement/internal/orderSums.ts"
const tests = ["packages/core/test/settlement/followedCharge.test.ts"]
const laws = ["packages/core/test/settlement/followedCharge.prop.test.ts"]
const stored = ["packages/handler/test/settlement/Books.pg.test.ts"]

export const bookFaults: ReadonlyArray<Fault> = [
  {
    id: "books.only-rise",
    breaks: "Money that the provider has taken back stays in the books of its order",
    file: followed,
    find: "const captured = least(charge.captured, amount)",
    replace: "const captured = least(greatest(charge.captured, payment.captured), amount)",
    tests: laws,
    noticedBy: "are those after the last look alone"
  },
  {
    id: "books.failed-refund-counts",
    breaks: "A refund that failed counts as refunded, and the shopper waits for the money for ever",
    file: refunds,
    find: `(status === "succeeded" ? sum + amount : sum), 0n)`,
    replace: `(status !== "pending" ? sum + amount : sum), 0n)`,
    tests,
    noticedBy: "that fails after it had succeeded brings the money back"
  },
  {
    id: "books.refund-announced-again",
    breaks: "A refund is announced again each time something else changes",
    file: refunds,
    find: `if (old === undefined || (old.succeededAt === null && old.status !== "succeeded")) return [row]`,
    replace: `if (row.id !== "") return [row]`,
    tests: laws,
    noticedBy: "no refund twice"
  },
  {
    id: "books.own-refund-twice",
    breaks: "A refund that we asked for is booked once when it is asked for and once more when the provider reports it",
    file: refunds,
    find: "byId.get(id) ?? (meant?.externalId === null && !rows.has(meant.id) ? meant : undefined)",
    replace: "byId.get(meant?.externalId ?? id)",
    tests,
    noticedBy: "is the one that the provider reports under our key"
  },
  {
    id: "books.vanished-refund",
    breaks: "A refund that was cancelled at the provider stays in the books",
    file: refunds,
    find: `row : { ...row, status: "failed" }`,
    replace: `row : row`,
    tests,
    noticedBy: "that the provider does not list any more has failed"
  },
  {
    id: "books.refunds-beyond",
    breaks: "What is given back beyond the five hundredth refund is not in the books",
    file: refunds,
    find: `else if (status === "succeeded") rest += amount`,
    replace: `else if (status === "pending") rest += amount`,
    tests: ["packages/handler/test/order/OrderBounds.pg.test.ts"],
    noticedBy: "an order has 500 refunds"
  },
  {
    id: "books.refund-stays-pending",
    breaks: "A refund that succeeded is shown as pending for ever",
    file: "packages/core/src/order/OrderMoneyRepository.ts",
    find: "status = EXCLUDED.status, type = EXCLUDED.type",
    replace: "type = EXCLUDED.type",
    tests: stored,
    noticedBy: "is shown while it is pending"
  },
  {
    id: "books.dispute-lost",
    breaks: "A dispute is not recorded, and the merchant misses the time to answer it",
    file: followed,
    find: "const disputes = changedDisputes(order, payment, charge, now)",
    replace: "const disputes = changedDisputes(order, payment, { ...charge, disputes: [] }, now)",
    tests,
    noticedBy: "is recorded and warned of while it is open"
  },
  {
    id: "books.dispute-shown",
    breaks: "A shopper reads that their payment is disputed",
    file: "packages/core/src/order/ShopperOrderView.ts",
    find: `"disputes",`,
    replace: "",
    tests: stored,
    noticedBy: "never to shoppers"
  },
  {
    id: "books.ended-not-told",
    breaks: "A payment fails after its order was placed, and nobody is told",
    file: followed,
    find: "const hasEnded = !isOver(payment) &&",
    replace: "const hasEnded = isOver(payment) &&",
    tests,
    noticedBy: "is told to the merchant, once, and leaves the order open"
  },
  {
    id: "books.lives-again",
    breaks: "A failed payment that comes all the same is taken beside the one that replaced it",
    file: followed,
    find: "if (!isOver(payment) || !isAlive(charge)) return payment.amount",
    replace: "if (!isOver(payment) || payment.amount > 0n) return payment.amount",
    tests,
    noticedBy: "and lives again is for what has not been paid by hand meanwhile"
  },
  {
    id: "books.hand-hides-provider",
    breaks: "Money that a provider takes after the order was paid by hand is seen by nobody",
    file: followed,
    find: "a.surplus === b.surplus &&",
    replace: "",
    tests,
    noticedBy: "that takes the money after all is warned of"
  },
  {
    id: "books.paid-twice",
    breaks: "An order is announced as paid a second time when withdrawn money comes again",
    file: sums,
    find: "paidAt === null && capturedAmount < totalAmount && captured >= totalAmount",
    replace: "capturedAmount < totalAmount && captured >= totalAmount",
    tests,
    noticedBy: "pays the order, and is announced once"
  }
]
