/** Faults in payments: completion through a provider, its recovery, and the money of an order. */
import type { Fault } from "../plantedFaults.ts"

const tests = ["packages/handler/test/payment/TestPayments.pg.test.ts"]
const lateTests = ["packages/handler/test/payment/LateMoney.pg.test.ts"]
const charged = "packages/core/src/completion/ChargedCompletion.ts"
const checkoutOutcomes = "packages/core/src/completion/PaymentOutcomes.ts"
const settlement = "packages/core/src/charge/OperationOutcomes.ts"
const operations = "packages/core/src/charge/ProviderOperations.ts"
const checks = "packages/core/src/charge/internal/operationChecks.ts"
const release = "packages/core/src/checkout/paymentRelease.ts"
const notices = "packages/core/src/notice/PaymentNotices.ts"
const noticeTests = ["packages/core/test/notice/KeptNotices.pg.test.ts"]
const recovery = "packages/core/src/charge/PaymentRecovery.ts"
const operationTests = ["packages/core/test/charge/ProviderOperations.pg.test.ts"]

const lostTests = ["packages/handler/test/payment/LostOutcomes.pg.test.ts"]
const draftTests = ["packages/handler/test/payment/UnreadableDrafts.pg.test.ts"]

const openTests = ["packages/handler/test/payment/OpenCharges.pg.test.ts"]

export const paymentFaults: ReadonlyArray<Fault> = [
  {
    id: "payment.notice-lost",
    breaks: "Money of which the provider's notice was lost stays unseen",
    file: "packages/core/src/payment/watchedAt.ts",
    find: "if (isFinal(charge)) return null",
    replace: `if (charge.state !== "awaiting_shopper") return null`,
    tests: openTests,
    noticedBy: "the charge is looked at and the books agree"
  },
  {
    id: "payment.asked-without-end",
    breaks: "A provider is asked every minute for a charge that stays open for weeks",
    file: "packages/core/src/payment/PaymentPolicy.ts",
    find: "first * 2 ** Math.min(times, 40)",
    replace: "first * Math.min(1, times + 1)",
    tests: openTests,
    noticedBy: "then after twice as long each time"
  },
  {
    id: "payment.notice-not-acted-on",
    breaks: "A notice that arrived is acted on by nobody",
    file: notices,
    find: "yield* actOnApart(kept.method, kept.stored)",
    replace: "",
    tests: ["packages/handler/test/payment/LateMoney.pg.test.ts"],
    noticedBy: "money that comes after it was refused"
  },
  {
    id: "payment.nothing-was-done",
    breaks: "A shopper who was charged is told by 503 that nothing was done",
    file: operations,
    find: `if (exit._tag === "Success") return exit.value`,
    replace: `if (exit._tag !== undefined) return yield* exit`,
    tests: lostTests,
    noticedBy: "is answered 500 and to be asked again"
  },
  {
    id: "payment.drafts-in-the-list",
    breaks: "One payment whose order is too large to be read stands in the way of every look for open payments",
    file: "packages/core/src/charge/internal/operationColumns.ts",
    find: `"a.expires_at, a.released_at"`,
    replace: `"a.expires_at, a.released_at, a.details"`,
    tests: draftTests,
    noticedBy: "is found, leased and locked without its draft"
  },
  {
    id: "payment.unreadable-kept",
    breaks: "Money whose order cannot be read is kept for ever",
    file: checkoutOutcomes,
    find: `return unwanted("the order as it was priced cannot be read")`,
    replace: `return yield* Effect.die("unreadable")`,
    tests: draftTests,
    noticedBy: "because it is no order goes back"
  },
  {
    id: "payment.draft-without-bound",
    breaks: "A shopper is charged for an order that is too large to be kept",
    file: charged,
    find: "if (!isDraftStorable(draft, details))",
    replace: "if (details.length === 0)",
    tests: draftTests,
    noticedBy: "is refused before anybody is asked for money"
  },
  {
    id: "payment.unwritable-kept",
    breaks: "Money of an order that the database refuses each time is kept for ever",
    file: checks,
    find: `yield* outcomes.refuseMoney(checked, outcome.charge, "nothing could be made of it")`,
    replace: "",
    tests: lateTests,
    noticedBy: "does not stop the others of its store"
  },
  {
    id: "payment.concluded-twice",
    breaks: "The money of an order is sent back when the provider tells of it again",
    file: settlement,
    find: `if (operation.state === "succeeded") {`,
    replace: `if (operation.state === "succeeded" && inHand !== undefined) {`,
    tests,
    noticedBy: "that took more than was asked for"
  },
  {
    id: "payment.unknown-is-no",
    breaks: "A payment whose outcome is unknown counts as declined, and the shopper is charged again",
    file: operations,
    find: `yield* postpone(store, operation, answer.failure.reason)
          return { _tag: "Unknown" as const }`,
    replace: `return {
            _tag: "Refused" as const,
            state: "declined" as const,
            code: "card_declined" as const,
            reason: ""
          }`,
    tests,
    noticedBy: "leaves the checkout PROCESSING"
  },
  {
    id: "payment.units-kept",
    breaks: "The units of a declined payment stay out of sale",
    file: release,
    find: ": ledger.release(store.id, id)",
    replace: ": Effect.void",
    tests,
    noticedBy: "is declined: nothing is charged, ordered or kept back"
  },
  {
    id: "payment.cart-loses",
    breaks: "A cart whose payment is declined has lost what it held",
    file: release,
    find: `store.reservationStrategy === "ON_CART" && status === "PROCESSING"`,
    replace: `store.reservationStrategy === "ON_CART" && status === "PENDING"`,
    tests,
    noticedBy: "a declined cart holds it again"
  },
  {
    id: "payment.too-late",
    breaks: "Money that comes too late makes an order in a store that wants to send it back",
    file: checkoutOutcomes,
    find: `if (isAwaited || store.lateCapture !== "refund") return true`,
    replace: "if (isAwaited || store.lateCapture !== undefined) return true",
    tests,
    noticedBy: "is paid back instead where the store wants that"
  },
  {
    id: "payment.beyond",
    breaks: "An order shows more money than it cost",
    file: "packages/core/src/order/ReportedPayment.ts",
    find: "const ours = taken < due ? taken : due",
    replace: "const ours = taken > due ? taken : due",
    tests,
    noticedBy: "that took more than was asked for"
  },
  {
    id: "payment.test-is-live",
    breaks: "A live shop offers the card of the test provider",
    file: "packages/core/src/payment/internal/methodChoice.ts",
    find: "provider.modes.includes(channel) &&",
    replace: "",
    tests: ["packages/core/test/payment/StoreProviders.pg.test.ts"],
    noticedBy: "as the channel's mode and the region allow"
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
    file: "packages/core/src/settlement/OrderMoney.ts",
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
    file: checkoutOutcomes,
    find: "const sold = yield* Effect.result(sell(cartId, demands))",
    replace: "const sold = yield* Effect.result(sell(checkoutId, demands))",
    tests: lateTests,
    noticedBy: "sells the unit that the cart holds again"
  },
  {
    id: "payment.second-card",
    breaks: "A second card stays reserved after the first one has paid",
    file: settlement,
    find: `if (operation.kind === "authorize") yield* recordUnwanted(settling, operation, { charge, reason, now })`,
    replace: `if (operation.kind === "authorize" && charge.captured > operation.captured)
          yield* recordUnwanted(settling, operation, { charge, reason, now })`,
    tests: lateTests,
    noticedBy: "lets a second card go that was under way"
  },
  {
    id: "payment.dashboard-refund",
    breaks: "What the merchant has given back in the provider's dashboard is asked for for ever",
    file: settlement,
    find: "const isBack = charge.captured > 0n && refunded >= charge.captured",
    replace: `const isBack =
          charge.captured > 0n && refunded >= charge.captured && charge.refunds.every(({ key }) => key !== null)`,
    tests: lateTests,
    noticedBy: "is asked for no more"
  },
  {
    id: "payment.one-stops-all",
    breaks: "One payment whose provider does not answer holds up the others of its store",
    file: recovery,
    find: "Effect.forEach(ids, (id) => checkApart(whose, id))",
    replace: "Effect.forEach(ids, (id) => Effect.tap(checkApart(whose, id), Fiber.await))",
    tests: ["packages/core/test/charge/Neighbours.pg.test.ts"],
    noticedBy: "is asked for eight charges of a store at a time"
  },
  {
    id: "payment.parts-kept",
    breaks: "Of money that no order wants and that comes in parts, only the first part goes back",
    file: settlement,
    find: "const isBack = charge.captured > 0n && refunded >= charge.captured",
    replace: `const isBack = operation.state === "refunded" || (charge.captured > 0n && refunded >= charge.captured)`,
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
    id: "payment.void-is-taken",
    breaks: "The test provider captures what it was told to let go",
    file: "packages/core/src/testpayment/TestEvents.ts",
    find: `if (status !== "authorized" && status !== "pending" && status !== "captured")`,
    replace: `if (status === "declined")`,
    tests: ["packages/core/test/payment/PaymentProviders.pg.test.ts"],
    noticedBy: "passes every check there is"
  },
  {
    id: "payments.many",
    breaks: "An order paid in cents has thousands of payments, all of which each read of it carries",
    file: "packages/core/src/settlement/OrderMoney.ts",
    find: "payments.length > maxPayments &&",
    replace: "payments.length > 2 * maxPayments &&",
    tests: ["packages/handler/test/order/OrderBounds.pg.test.ts"],
    noticedBy: "an order has 100 payments"
  },
  {
    id: "checkout.open-ones",
    breaks: "A cart may have any number of open checkouts, all of which a merge or a refresh changes",
    file: "packages/core/src/checkout/CheckoutRepository.ts",
    find: "OFFSET ${maxOpenCheckouts - 1}",
    replace: "OFFSET ${2 * maxOpenCheckouts}",
    tests: ["packages/handler/test/checkout/OpenCheckouts.pg.test.ts"],
    noticedBy: "cancels the oldest of a cart"
  },
  {
    id: "operation.settled-twice",
    breaks: "What became of an operation is taken into the books of its room a second time",
    file: settlement,
    find: "(locked) => (locked?.looks === operation.looks ? locked : undefined)",
    replace: "(locked) => locked",
    tests: operationTests,
    noticedBy: "settlements: the second one changes nothing"
  },
  {
    id: "operation.refused-after-success",
    breaks: "A late refusal undoes an operation that has succeeded",
    file: "packages/core/src/charge/internal/settlements.ts",
    find: `from: ["calling", "awaiting_shopper", "pending"],
  to: refusal.state`,
    replace: `from: ["calling", "awaiting_shopper", "pending", "succeeded"],
  to: refusal.state`,
    tests: operationTests,
    noticedBy: "a late refusal undoes nothing"
  },
  {
    id: "operation.lease-ignored",
    breaks: "Two workers ask a provider for the same operation at once",
    file: "packages/core/src/charge/OperationScheduleRepository.ts",
    find: "UPDATE provider_operation a SET check_at = ${end} FROM due",
    replace: "UPDATE provider_operation a SET check_at = a.check_at, error = ${end}::text FROM due",
    tests: operationTests,
    noticedBy: "one of them has the lease"
  },
  {
    id: "operation.handler-forgotten",
    breaks: "An outcome handler that is not registered is found out at the first outcome, with the money taken",
    file: operations,
    find: "return handlers.some((registered) => registered === handler)",
    replace: "return handlers.length > 0",
    tests: operationTests,
    noticedBy: "is refused when its room starts"
  },
  {
    id: "operation.key-of-its-own",
    breaks: "A second refund of a charge counts as a repeat of the first, and is never made",
    file: "packages/core/src/charge/ProviderOperation.ts",
    find: `kind === "authorize" ? chargeKey : \`\${kind}:\${id}\``,
    replace: `kind === "authorize" ? chargeKey : \`\${kind}:\${chargeKey}:\${id.length}\``,
    tests: operationTests,
    noticedBy: "each refund by a key of its own"
  },
  {
    id: "operation.change-unwanted",
    breaks: "A refund, capture or void that its room does not want is asked for again for ever",
    file: settlement,
    find: `if (operation.kind === "authorize") yield* recordUnwanted(settling, operation, { charge, reason, now })`,
    replace: "yield* recordUnwanted(settling, operation, { charge, reason, now })",
    tests: operationTests,
    noticedBy: "is settled as done, and asked for no more"
  },
  {
    id: "operation.newer-notice",
    breaks: "A notice that a newer release can read is set aside by the older one beside it",
    file: notices,
    find: `if (failure._tag === "PaymentUnanswered" || failure.isNewer === true)`,
    replace: `if (failure._tag === "PaymentUnanswered")`,
    tests: noticeTests,
    noticedBy: "waits for one that can read it, and keeps no other waiting"
  },
  {
    id: "notice.unreadable-for-ever",
    breaks: "A notice that cannot be read is read again and again for ever",
    file: notices,
    find: `return yield* database.platform(notices.end(notice, "set_aside", toldReason(failure.reason)))`,
    replace: "return yield* postpone(notice, failure.reason)",
    tests: noticeTests,
    noticedBy: "is set aside, asked about no more"
  }
]
