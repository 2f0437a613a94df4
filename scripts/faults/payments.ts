/** Faults in the way of money: completion through a provider, its recovery, and the books of an order. */
import type { Fault } from "../plantedFaults.ts"

const tests = ["packages/handler/test/payment/TestPayments.pg.test.ts"]
const charged = "packages/core/src/checkout/ChargedCompletion.ts"

export const paymentFaults: ReadonlyArray<Fault> = [
  {
    id: "payment.concluded-twice",
    breaks: "The money of an order is sent back when the provider tells of it again",
    file: charged,
    find: `if (attempt.status === "ordered") return yield* placedBefore(placement, store.id, checkoutId)`,
    replace: "",
    tests
  },
  {
    id: "payment.unknown-is-no",
    breaks: "A payment whose outcome is unknown counts as declined, and the shopper is charged again",
    file: charged,
    find: `if (_tag === "PaymentUnanswered") {`,
    replace: `if (_tag === "PaymentUnanswered" && reason === "") {`,
    tests,
    noticedBy: "leaves the checkout PROCESSING"
  },
  {
    id: "payment.units-kept",
    breaks: "The units of a declined payment stay out of sale",
    file: charged,
    find: "yield* ledger.release(store.id, attempt.checkoutId)",
    replace: "yield* Effect.void",
    tests,
    noticedBy: "is declined: nothing is charged, ordered or kept back"
  },
  {
    id: "payment.cart-loses",
    breaks: "A cart whose payment is declined has lost what it held",
    file: charged,
    find: `if (store.reservationStrategy === "ON_CART") {`,
    replace: `if (store.reservationStrategy !== "ON_CART") {`,
    tests,
    noticedBy: "a declined cart holds it again"
  },
  {
    id: "payment.too-late",
    breaks: "Money that comes too late makes an order in a store that wants to send it back",
    file: charged,
    find: `store.lateCapture === "refund" && charge.captured > 0n`,
    replace: `store.lateCapture === "refund" && charge.captured < 0n`,
    tests,
    noticedBy: "is paid back instead where the store wants that"
  },
  {
    id: "payment.beyond",
    breaks: "An order shows more money than it cost",
    file: charged,
    find: "captured: least(charge.captured, attempt.amount)",
    replace: "captured: charge.captured",
    tests,
    noticedBy: "that took more than was asked for"
  },
  {
    id: "payment.test-is-live",
    breaks: "A live shop takes the card of the test provider",
    file: "packages/core/src/payment/PaymentProviders.ts",
    find: "provider.testOnly && !isTestChannel",
    replace: "provider.testOnly && isTestChannel && !isTestChannel",
    tests,
    noticedBy: "a live channel 503"
  },
  {
    id: "payment.kept-unknown",
    breaks: "A repeat under the same key is told for ever that the outcome is unknown",
    file: "packages/handler/src/middleware/Once.ts",
    find: `notKept.has(response.status) || response.headers["retry-after"] !== undefined`,
    replace: "notKept.has(response.status)",
    tests,
    noticedBy: "ends in one order when the money is told"
  },
  {
    id: "payment.over-paid",
    breaks: "More is taken for an order than is due",
    file: "packages/core/src/order/OrderMoney.ts",
    find: "if (payment.amount > due) return yield*",
    replace: "if (payment.amount > due + order.totalAmount) return yield*",
    tests,
    noticedBy: "more than is due is refused"
  },
  {
    id: "payment.part-is-paid",
    breaks: "A part payment counts as the whole",
    file: "packages/core/src/order/OrderStates.ts",
    find: `if (captured >= total) return "paid"`,
    replace: `if (captured > 0n || total === 0n) return "paid"`,
    tests,
    noticedBy: "in parts"
  }
]
