/** Faults in the way of money: completion through a provider, its recovery, and the books of an order. */
import type { Fault } from "../plantedFaults.ts"

const tests = ["packages/handler/test/payment/TestPayments.pg.test.ts"]
const lateTests = ["packages/handler/test/payment/LateMoney.pg.test.ts"]
const charged = "packages/core/src/checkout/ChargedCompletion.ts"

const lostTests = ["packages/handler/test/payment/LostOutcomes.pg.test.ts"]
const draftTests = ["packages/handler/test/payment/UnreadableDrafts.pg.test.ts"]

export const paymentFaults: ReadonlyArray<Fault> = [
  {
    id: "payment.nothing-was-done",
    breaks: "A shopper who was charged is told by 503 that nothing was done",
    file: charged,
    find: `if (exit._tag === "Success" || Cause.hasFails(exit.cause)) return yield* exit`,
    replace: `if (exit._tag !== undefined) return yield* exit`,
    tests: lostTests,
    noticedBy: "is answered 500 and to be asked again"
  },
  {
    id: "payment.drafts-in-the-list",
    breaks: "One payment whose order is too large to be read stands in the way of every look for open payments",
    file: "packages/core/src/checkout/PaymentAttemptRepository.ts",
    find: `a.checks, a.created_at"`,
    replace: `a.checks, a.created_at, a.draft"`,
    tests: draftTests,
    noticedBy: "is found, leased and locked without its draft"
  },
  {
    id: "payment.unreadable-kept",
    breaks: "Money whose order cannot be read is kept for ever",
    file: charged,
    find:
      `return yield* Effect.as(unwanted(store, attempt, charge, "the order as it was priced cannot be read", ` +
      `now), undefined)`,
    replace: "return undefined",
    tests: draftTests,
    noticedBy: "because it is no order goes back"
  },
  {
    id: "payment.draft-without-bound",
    breaks: "A shopper is charged for an order that is too large to be kept",
    file: charged,
    find: "if (!isDraftStorable(draft, encoded))",
    replace: "if (encoded.length === 0)",
    tests: draftTests,
    noticedBy: "is refused before anybody is asked for money"
  },
  {
    id: "payment.unwritable-kept",
    breaks: "Money of an order that the database refuses each time is kept for ever",
    file: "packages/core/src/checkout/PaymentRecovery.ts",
    find: `yield* charged.refuse(store, attempt.id, charge, "no order could be made of it")`,
    replace: "",
    tests: lateTests,
    noticedBy: "does not stop the others of its store"
  },
  {
    id: "payment.concluded-twice",
    breaks: "The money of an order is sent back when the provider tells of it again",
    file: charged,
    find: `if (attempt.status === "ordered") return yield* placedBefore(placement, store.id, checkoutId)`,
    replace: "",
    tests,
    noticedBy: "that took more than was asked for"
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
    find: ": ledger.release(store.id, attempt.checkoutId)",
    replace: ": Effect.void",
    tests,
    noticedBy: "is declined: nothing is charged, ordered or kept back"
  },
  {
    id: "payment.cart-loses",
    breaks: "A cart whose payment is declined has lost what it held",
    file: charged,
    find: `const isBack = store.reservationStrategy === "ON_CART" && attempt.checkoutStatus === "PROCESSING"`,
    replace: "const isBack = false",
    tests,
    noticedBy: "a declined cart holds it again"
  },
  {
    id: "payment.too-late",
    breaks: "Money that comes too late makes an order in a store that wants to send it back",
    file: charged,
    find: `if (isAwaited || store.lateCapture !== "refund") return true`,
    replace: "if (isAwaited || store.lateCapture !== undefined) return true",
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
  },
  {
    id: "payment.late-is-short",
    breaks:
      "Money that comes after a decline finds its own cart holding the last unit, and the order is told to be short",
    file: charged,
    find: "const sold = yield* Effect.result(sell(cartId, demands))",
    replace: "const sold = yield* Effect.result(sell(checkoutId, demands))",
    tests: lateTests,
    noticedBy: "sells the unit that the cart holds again"
  },
  {
    id: "payment.second-card",
    breaks: "A second card stays reserved after the first one has paid",
    file: charged,
    find:
      `attempt.status === "refund_due" || attempt.status === "refunded" ? charge.captured > attempt.captured : ` +
      `true`,
    replace: "charge.captured > attempt.captured",
    tests: lateTests,
    noticedBy: "lets a second card go that was under way"
  },
  {
    id: "payment.dashboard-refund",
    breaks: "What the merchant has given back in the provider's dashboard is asked for for ever",
    file: "packages/core/src/checkout/PaymentNotices.ts",
    find: "if (refunded > 0n) yield* charged.givenBack(store, attempt.id, refunded)",
    replace: "",
    tests: lateTests,
    noticedBy: "is asked for no more"
  },
  {
    id: "payment.one-stops-all",
    breaks: "One payment that cannot be settled stops the others of its store",
    file: "packages/core/src/checkout/PaymentRecovery.ts",
    find: "Effect.forEach(due, (id) => lookApart(store, id))",
    replace: "Effect.as(Effect.forEach(due, (id) => look(store, id)), [])",
    tests: lateTests,
    noticedBy: "does not stop the others of its store"
  },
  {
    id: "payment.parts-kept",
    breaks: "Of money that no order wants and that comes in parts, only the first part goes back",
    file: charged,
    find:
      `attempt.status === "refund_due" || attempt.status === "refunded" ? charge.captured > attempt.captured : ` +
      `true`,
    replace: `attempt.captured === 0n`,
    tests: lateTests,
    noticedBy: "comes in parts goes back in parts"
  },
  {
    id: "payment.held-twice",
    breaks: "A cart holds a second time what a checkout of it is paying for",
    file: "packages/core/src/cart/internal/holdLines.ts",
    find: "(quantity, held) => quantity - held",
    replace: "(quantity) => quantity",
    tests: ["packages/handler/test/inventory/Reservations.pg.test.ts"],
    noticedBy: "is not made again for what is being paid for"
  },
  {
    id: "payment.hand-hides-provider",
    breaks: "Money that a provider takes after the order was paid by hand is seen by nobody",
    file: "packages/core/src/order/OrderMoney.ts",
    find: "if (isSame && syncWarning === order.syncWarning) return false",
    replace: "if (isSame) return false",
    tests: lateTests,
    noticedBy: "owes its provider nothing any more"
  },
  {
    id: "payment.void-is-taken",
    breaks: "The test provider captures what it was told to let go",
    file: "packages/core/src/payment/TestProvider.ts",
    find: `if (charge.status !== "pending" && charge.status !== "captured")`,
    replace: `if (charge.status === "declined")`,
    tests: ["packages/core/test/payment/PaymentProviders.pg.test.ts"],
    noticedBy: "passes every check there is"
  },
  {
    id: "payments.many",
    breaks: "An order paid in cents has thousands of payments, all of which each read of it carries",
    file: "packages/core/src/order/OrderMoney.ts",
    find: "payments.length > maxPayments &&",
    replace: "payments.length > 2 * maxPayments &&",
    tests: ["packages/handler/test/order/OrderBounds.pg.test.ts"],
    noticedBy: "an order has 100 payments"
  },
  {
    id: "payments.refund-grows",
    breaks: "What is given back beyond the five hundredth refund is not in the books",
    file: "packages/core/src/order/OrderRepository.ts",
    find: "SET amount = refund.amount + EXCLUDED.amount",
    replace: "SET amount = refund.amount",
    tests: ["packages/handler/test/order/OrderBounds.pg.test.ts"],
    noticedBy: "an order has 500 refunds"
  },
  {
    id: "checkout.open-ones",
    breaks: "A cart may have any number of open checkouts, all of which a merge or a refresh changes",
    file: "packages/core/src/checkout/CheckoutRepository.ts",
    find: "OFFSET ${maxOpenCheckouts - 1}",
    replace: "OFFSET ${2 * maxOpenCheckouts}",
    tests: ["packages/handler/test/checkout/OpenCheckouts.pg.test.ts"],
    noticedBy: "cancels the oldest of a cart"
  }
]
