/** Faults in refunds, captures and voids of placed orders. */
import type { Fault } from "../plantedFaults.ts"

const room = "packages/core/src/refund"
const amounts = ["packages/core/test/refund/refundAmounts.prop.test.ts"]
const refunds = ["packages/handler/test/refund/Refunds.pg.test.ts"]
const changes = ["packages/handler/test/refund/ChargeChanges.pg.test.ts"]
const attention = ["packages/handler/test/refund/Attention.pg.test.ts"]
const stripe = ["packages/handler/test/refund/StripeReservations.pg.test.ts"]
const versions = ["packages/handler/test/refund/RefundVersions.pg.test.ts"]
const races = ["packages/handler/test/refund/Refunds.race.test.ts"]
const tenders = ["packages/handler/test/refund/RefundTenders.pg.test.ts"]
const later = ["packages/handler/test/refund/FailedLater.pg.test.ts"]
const faults = ["packages/handler/test/refund/ChangeFaults.pg.test.ts"]

export const refundFaults: ReadonlyArray<Fault> = [
  {
    id: "refunds.remainder-lost",
    breaks: "Roundings of partial refunds are lost: all units together come to less than the line was paid with",
    file: `${room}/internal/unitAmounts.ts`,
    find: "share >= whole ? sum : (sum * share) / whole",
    replace: "whole === 0n ? sum : ((sum - 1n) * share) / whole",
    tests: amounts,
    noticedBy: "come to exactly its total"
  },
  {
    id: "refunds.discounted-first",
    breaks: "The unit that was free is given back first, and the shopper gets nothing for it",
    file: `${room}/internal/unitAmounts.ts`,
    find: "return [...rest, ...lessened(last, least(amount, sumOf(last)))]",
    replace: "return [...lessened(last, least(amount, sumOf(last))), ...rest]",
    tests: amounts,
    noticedBy: "give the units without a discount back first"
  },
  {
    id: "refunds.surcharge-kept",
    breaks: "A surcharge is never given back, however much of the order is",
    file: `${room}/internal/refundAmounts.ts`,
    find: "borne: (surcharges[i] ?? 0n) + (taxes[i] ?? 0n)",
    replace: "borne: taxes[i] ?? 0n",
    tests: amounts,
    noticedBy: "come to exactly its total"
  },
  {
    id: "refunds.shipping-tax-kept",
    breaks: "Tax that was added to shipping is kept when shipping is given back",
    file: `${room}/internal/refundAmounts.ts`,
    find: "const tax = isOfLines(order) ? 0n : addedTax(order)",
    replace: "const tax = isOfLines(order) ? 0n : addedTax(order) - addedTax(order)",
    tests: amounts,
    noticedBy: "come to exactly its total"
  },
  {
    id: "refunds.last-of-another-currency",
    breaks: "The last refund in another currency leaves a cent at the provider",
    file: `${room}/internal/refundTenders.ts`,
    find: "if (amount >= leftOf(order, payment)) return { asked: left, amount }",
    replace: "if (amount > leftOf(order, payment)) return { asked: left, amount }",
    tests: amounts,
    noticedBy: "the last one with the remainder"
  },
  {
    id: "refunds.under-way-uncounted",
    breaks: "A refund that is under way does not count: a second one gives back what the first is giving back",
    file: `${room}/internal/refundTenders.ts`,
    find: `status !== "failed"`,
    replace: `status === "succeeded"`,
    tests: refunds,
    noticedBy: "that the provider takes its time for is pending"
  },
  {
    id: "refunds.gift-card-before-provider",
    breaks: "A gift card is given back its money although the provider has refused the refund",
    file: `${room}/internal/refundBooks.ts`,
    find: `providers.some((one) => one.status === "succeeded") ? "succeeded" : "failed"`,
    replace: `providers.length > 0 ? "succeeded" : "failed"`,
    tests: refunds,
    noticedBy: "gives nothing back to a gift card where the provider has failed"
  },
  {
    id: "refunds.units-of-late-failures",
    breaks: "Units whose money comes back after they were put into stock are refunded and put back a second time",
    file: "packages/core/src/order/OrderMoneyRepository.ts",
    find: "AND q.completed_at IS NOT NULL))",
    replace: "AND q.completed_at IS NULL))",
    tests: later,
    noticedBy: "no unit comes back twice"
  },
  {
    id: "refunds.cancelled-units-lost",
    breaks: "Units of a refund that fails after its order was cancelled never go back into stock",
    file: `${room}/internal/refundBooks.ts`,
    find: "(isGiven || request.items.length > 0)",
    replace: "isGiven",
    tests: later,
    noticedBy: "puts its units back into stock, which the cancellation has left to it"
  },
  {
    id: "refunds.told-twice",
    breaks: "Units go back into stock again with each refund of a request that succeeds",
    file: `${room}/internal/refundBooks.ts`,
    find: "request !== undefined && request.completedAt === null",
    replace: "request !== undefined && change.rows.length === 0",
    tests: refunds,
    noticedBy: "gives money back at the provider, and shows it on the order"
  },
  {
    id: "refunds.another-orders-line",
    breaks: "More units are refunded than were bought",
    file: `${room}/internal/refundPlan.ts`,
    find: "if (quantity > refundable) return",
    replace: "if (quantity > item.quantity) return",
    tests: refunds,
    noticedBy: "more than is left, units not bought or refunded already"
  },
  {
    id: "refunds.shipping-twice",
    breaks: "Shipping is given back twice",
    file: `${room}/internal/refundPlan.ts`,
    find: "if (asked.shipping > order.shippingAmount - shippingBefore)",
    replace: "if (asked.shipping > order.shippingAmount)",
    tests: refunds,
    noticedBy: "is recorded at once; shipping alone can be given back"
  },
  {
    id: "refunds.key-forgotten",
    breaks: "A refund that is sent again after a crash under its key is a second refund",
    file: `${room}/Refunds.ts`,
    find: "if (earlier !== undefined) return",
    replace: `if (earlier === "") return`,
    tests: faults,
    noticedBy: "one refund"
  },
  {
    id: "refunds.version-ignored",
    breaks: "Money is given back on an order that was changed since the caller read it",
    file: `${room}/Refunds.ts`,
    find: "yield* checkVersion(order.updatedAt)",
    replace: "void checkVersion(order.updatedAt)",
    tests: versions,
    noticedBy: "If-Match of a refund"
  },
  {
    id: "captures.version-ignored",
    breaks: "Money is captured of an order that was changed since the caller read it",
    file: `${room}/ChargeChanges.ts`,
    find: "yield* checkVersion(order.updatedAt)",
    replace: "void checkVersion(order.updatedAt)",
    tests: versions,
    noticedBy: "If-Match of a capture"
  },
  {
    id: "refunds.version-repeated",
    breaks: "Money moves and the order keeps its version: a caller who has read the order before writes over it",
    file: "packages/core/src/settlement/internal/orderSums.ts",
    find: "updatedAt: nextVersion(order.updatedAt, now)",
    replace: "updatedAt: at",
    tests: versions,
    noticedBy: "is followed by a later one with each write of its money"
  },
  {
    id: "captures.beside-a-void",
    breaks: "Money is captured while its reservation is being released",
    file: `${room}/ChargeChanges.ts`,
    find: `if (underWay.includes("void")) return`,
    replace: `if (underWay.length > 9) return`,
    tests: changes,
    noticedBy: "whose void has no answer cannot be captured meanwhile"
  },
  {
    id: "captures.after-expiry",
    breaks: "A provider is asked for a reservation that has lapsed",
    file: `${room}/internal/reservedPayment.ts`,
    find: `if (expiresAt !== null && Date.parse(expiresAt) <= now) return none("expired")`,
    replace: `if (expiresAt !== null && Date.parse(expiresAt) < 0) return none("expired")`,
    tests: changes,
    noticedBy: "that has lapsed cannot be captured"
  },
  {
    id: "captures.after-release",
    breaks: "A provider is asked for money that it has let go with the capture of a part",
    file: `${room}/internal/reservedPayment.ts`,
    find: `if (status === "captured" && expiresAt === null) return none("released")`,
    replace: `if (status === "captured" && expiresAt === "") return none("released")`,
    tests: stripe,
    noticedBy: "that is captured in part lets the rest go"
  },
  {
    id: "voids.beside-a-capture",
    breaks: "A reservation is released while it is being captured",
    file: `${room}/ChargeChanges.ts`,
    find: "if (underWay.length > 0) return",
    replace: "if (underWay.length > 9) return",
    tests: races,
    noticedBy: "a capture and a void: the money is taken or let go, never both"
  },
  {
    id: "refunds.preview-promises",
    breaks: "A preview shows a refund that is refused once it is made",
    file: `${room}/Refunds.ts`,
    find: "yield* check(store, order, plan)",
    replace: "void check(store, order, plan)",
    tests: tenders,
    noticedBy: "is refused with the page where it can be"
  },
  {
    id: "refunds.page-unsaid",
    breaks: "A merchant whose provider refunds by hand alone is not told where",
    file: `${room}/Refunds.ts`,
    find: "new RefundByHandOnly({ tenderId, manualRefundUrl })",
    replace: "new RefundByHandOnly({ tenderId, manualRefundUrl: null })",
    tests: tenders,
    noticedBy: "is refused with the page where it can be"
  },
  {
    id: "attention.refund-silent",
    breaks: "A refund fails at the provider, and the owner gets no mail",
    file: "packages/core/src/settlement/internal/ownRefunds.ts",
    find: "attention: failedRefunds(before.refunds, changed)",
    replace: "attention: failedRefunds(changed, changed)",
    tests: attention,
    noticedBy: "is sent once for a refund that the provider refuses"
  },
  {
    id: "attention.repeated",
    breaks: "The owner gets a mail for each look at a dispute whose details have changed",
    file: "packages/core/src/settlement/internal/orderAttention.ts",
    find: "before.find((dispute) => dispute.id === id)?.status !== status",
    replace: `before.every((dispute) => dispute.id !== id || status !== "")`,
    tests: ["packages/core/test/settlement/followedCharge.test.ts"],
    noticedBy: "is recorded and warned of while it is open"
  },
  {
    id: "attention.own-void",
    breaks: "The owner is told that a payment has failed which they have voided",
    file: "packages/core/src/settlement/internal/orderAttention.ts",
    find: `reason !== null && (status === "failed" || reason === "expired")`,
    replace: "reason !== null && status !== undefined",
    tests: attention,
    noticedBy: "and not for one that was voided"
  },
  {
    id: "history.refund-by-nobody",
    breaks: "The history of an order says that the system has asked for every refund",
    file: "packages/core/src/orderedit/OrderHistory.ts",
    find: "(row?.actor ?? systemActor)",
    replace: "(row === undefined ? providerActor(provider) : systemActor)",
    tests: refunds,
    noticedBy: "names who asked for it in the history"
  },
  {
    id: "giftcards.unusable-silently",
    breaks: "Money goes back to a gift card that is disabled, and nobody is told",
    file: "packages/core/src/giftcard/GiftCardPayments.ts",
    find: `return status === "DISABLED" || status === "EXPIRED" ? unusable(card, status, amount) : null`,
    replace: `return status === "EXPIRED" ? unusable(card, status, amount) : null`,
    tests: refunds,
    noticedBy: "books what goes back to a disabled card"
  }
]
