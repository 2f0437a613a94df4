/** Faults in payments that begin before the shopper pays: what goes on, what is given up, and what is made of its money. */
import type { Fault } from "../plantedFaults.ts"

const tests = ["packages/handler/test/payment/Sessions.pg.test.ts"]
const late = ["packages/handler/test/payment/LateAttempts.pg.test.ts"]
const completion = "packages/core/src/completion/Completion.ts"

export const sessionFaults: ReadonlyArray<Fault> = [
  {
    id: "session.begun-twice",
    breaks: "A second click on pay makes a second charge",
    file: completion,
    find: "const isSame = awaited !== undefined && isOf(awaited, method, now)",
    replace: "const isSame = awaited !== undefined && !isOf(awaited, method, now)",
    tests,
    noticedBy: "is the same when it is begun again"
  },
  {
    id: "session.held-not",
    breaks: "What a shopper pays for is sold to somebody else while the payment page is open again",
    file: completion,
    find: "yield* refusedAs(loaded, now)(charged.hold(store, { checkout, draft }, now))",
    replace: "",
    tests,
    noticedBy: "holds the stock anew"
  },
  {
    id: "session.given-up-not-voided",
    breaks: "A shopper who goes on another way can still pay the charge that he has left",
    file: "packages/core/src/checkout/paymentRelease.ts",
    find: `yield* charges.giveUp(store.id, open.operation, "The shopper went on without it")`,
    replace: "",
    tests,
    noticedBy: "the charge is given up, and the next one is another"
  },
  {
    id: "session.given-up-becomes-an-order",
    breaks: "Money that comes after a checkout was cancelled and its charge voided makes an order",
    file: "packages/core/src/charge/UnwantedMoneyRepository.ts",
    find: "details = NULL,",
    replace: "",
    tests,
    noticedBy: "cancels the checkout"
  },
  {
    id: "session.judged-before-asked",
    breaks: "A shopper who has paid is told that the price has changed",
    file: completion,
    find: "session === undefined && asksAfter(awaited, input)",
    replace: "session === undefined && asksAfter(awaited, input) && false",
    tests,
    noticedBy: "is asked for where the storefront completes"
  },
  {
    id: "session.units-of-before",
    breaks: "A shopper who pays another way is refused for want of the units that his own cart holds",
    file: "packages/core/src/completion/AwaitedPayments.ts",
    find: "    return yield* reading",
    replace: "    return loaded",
    tests,
    noticedBy: "pays by bank transfer"
  },
  {
    id: "session.other-checkout-waits",
    breaks: "A payment page that was left open keeps the shopper from buying by another checkout of the cart",
    file: "packages/core/src/completion/AwaitedPayments.ts",
    find: "while (yield* giveUpCompeting(loaded, now)) loaded = yield* trying.reading",
    replace: "",
    tests,
    noticedBy: "another checkout of the same cart"
  },
  {
    id: "session.lines-bought-twice",
    breaks: "Money of a declined attempt comes late: the shopper is charged again for lines that he has bought since",
    file: "packages/core/src/completion/PaymentOutcomes.ts",
    find: `return unwanted("another checkout has bought its lines")`,
    replace: `yield* Effect.logInfo("another checkout has bought its lines")`,
    tests: late,
    noticedBy: "makes no second order of lines"
  },
  {
    id: "session.page-left-open",
    breaks: "A payment page stays open after the checkout has its order, and the shopper pays once more",
    file: "packages/core/src/completion/PaymentOutcomes.ts",
    find: "if (isOver(operation)) yield* giveUp(store, { id: checkoutId, cartId, status }, now)",
    replace: "",
    tests: late,
    noticedBy: "a payment page that is open by then is closed at once"
  },
  {
    id: "session.failure-of-a-paid-order",
    breaks: "Systems of the merchant are told that the payment of an order failed, which another attempt had paid",
    file: "packages/core/src/completion/PaymentOutcomes.ts",
    find: `if (state === "absent" || status !== "PROCESSING") return`,
    replace: `if (state === "absent") return`,
    tests: late,
    noticedBy: "is no failed payment of it"
  },
  {
    id: "session.time-of-before",
    breaks: "A shopper who pays again after a request was lost has minutes for it: the page is voided while it is open",
    file: "packages/core/src/completion/PaymentOutcomes.ts",
    find: "deadline: (store, { sentAt }) => sentAt.getTime()",
    replace: "deadline: (store, { createdAt }) => createdAt.getTime()",
    tests: late,
    noticedBy: "has the checkout's whole time from then on"
  },
  {
    id: "session.secret-stored",
    breaks: "A copy of the database has the secrets by which shoppers' payments can be changed",
    file: "packages/handler/src/checkout/CheckoutApi.ts",
    find: "secretAnswer: true,",
    replace: "",
    tests,
    noticedBy: "gives its secret to the storefront alone"
  },
  {
    id: "session.waiting-for-ever",
    breaks:
      "A shopper who has paid is told for a day, under the storefront's key, that the payment is still to be made",
    file: "packages/handler/src/checkout/checkoutErrors.ts",
    find: `headers: () => ({ "retry-after": "2" })`,
    replace: "",
    tests: ["packages/handler/test/payment/SessionKeys.pg.test.ts"],
    noticedBy: "is asked for under one key before and after the payment"
  },
  {
    id: "session.line-bought-meanwhile",
    breaks: "Late money for a line and an answer that a shopper waits for make two orders of it",
    file: "packages/core/src/completion/PaymentOutcomes.ts",
    find: "awaited?.cartUpdatedAt?.getTime() === cartUpdatedAt.getTime()",
    replace: "awaited !== undefined",
    tests: late,
    noticedBy: "makes the order also while the company takes its time"
  }
]
