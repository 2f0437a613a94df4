/** Faults in explanations, and in what becomes of carts and checkouts that were left. */
import type { Fault } from "../plantedFaults.ts"

const laws = ["packages/core/test/explanation/Explanation.prop.test.ts"]
const routes = ["packages/handler/test/explanation/Explanations.pg.test.ts"]
const left = ["packages/handler/test/abandonment/Abandonment.pg.test.ts"]
const repository = "packages/core/src/abandonment/AbandonmentRepository.ts"

export const explanationFaults: ReadonlyArray<Fault> = [
  {
    id: "explanation.combined-tax-twice",
    breaks: "An accountant adds up the tax of an order and gets twice what was charged",
    file: "packages/core/src/tax/internal/taxByItem.ts",
    find: `charge.ids.length === 1 ? "tax" : taxRoundingStep`,
    replace: `"tax"`,
    tests: laws,
    noticedBy: "adds up to every total"
  },
  {
    id: "explanation.saved-shipping",
    breaks: "Free shipping is explained as a discount on the goods",
    file: "packages/core/src/explanation/explainQuote.ts",
    find: `target === "shipping" && (step === "rules" || step === "coupon") ? "shipping" : step`,
    replace: "step",
    tests: laws,
    noticedBy: "adds up to every total"
  },
  {
    id: "explanation.of-today",
    breaks: "An order that was paid late is explained by no more than its rows: how it was rounded is lost",
    file: "packages/core/src/order/OrderDraft.ts",
    find: "explanation: order.explanation ?? null",
    replace: "explanation: null",
    tests: routes,
    noticedBy: "is explained however it was placed"
  },
  {
    id: "explanation.page-unescaped",
    breaks: "A merchant's name of a discount becomes HTML on the page of an order",
    file: "packages/core/src/explanation/ExplanationPage.ts",
    find: "${escapeHtml(text)}</td>",
    replace: "${text}</td>",
    tests: ["packages/core/test/explanation/Explanation.test.ts"],
    noticedBy: "is a page without scripts"
  },
  {
    id: "abandonment.bought-since",
    breaks: "A shopper who has bought meanwhile is asked to come back to the cart",
    file: "packages/core/src/abandonment/internal/recoveryOf.ts",
    find: "checkout.hasBought || ",
    replace: "",
    tests: left,
    noticedBy: "is not reminded of who has bought since"
  },
  {
    id: "abandonment.payment-page",
    breaks: "A shopper who leaves at the payment provider's page is never reminded",
    file: "packages/core/src/abandonment/AbandonmentRepository.ts",
    find: "(k.status = 'PENDING' OR ${awaitsShopper})",
    replace: "k.status = 'PENDING'",
    tests: left,
    noticedBy: "while the payment provider waits for its shopper"
  },
  {
    id: "abandonment.may-have-paid",
    breaks: "A shopper whose payment nobody knows the end of is asked to come back and pay again",
    file: "packages/core/src/abandonment/internal/recoveryOf.ts",
    find: "checkout.mayHavePaid || ",
    replace: "",
    tests: left,
    noticedBy: "the provider has never said whether it was paid"
  },
  {
    id: "abandonment.version-moved",
    breaks: "A shopper's If-Match fails because a worker marked the cart as idle",
    file: repository,
    find: "UPDATE cart c SET status = 'ABANDONED' FROM",
    replace: "UPDATE cart c SET status = 'ABANDONED', updated_at = now() FROM",
    tests: left,
    noticedBy: "that was idle is ABANDONED to the minute"
  },
  {
    id: "abandonment.told-twice",
    breaks: "checkout.abandoned is emitted again in every pass",
    file: repository,
    find: "SET abandoned_at = ${now},",
    replace: "SET abandoned_at = NULL,",
    tests: left,
    noticedBy: "to the minute and once"
  },
  {
    id: "abandonment.reminded-twice",
    breaks: "Two processes write about one cart to one shopper, for each of its checkouts",
    file: repository,
    find: "LIMIT 1 FOR NO KEY UPDATE OF k, c SKIP LOCKED",
    replace: "LIMIT 1 FOR NO KEY UPDATE OF k SKIP LOCKED",
    tests: left,
    noticedBy: "has one event of two processes at once"
  },
  {
    id: "abandonment.still-held",
    breaks: "Units of a cart that has ended stay reserved",
    file: "packages/core/src/abandonment/Abandonment.ts",
    find: "if (releases && ended.length > 0)",
    replace: "if (releases && ended.length < 0)",
    tests: left,
    noticedBy: "are EXPIRED in their rows, and hold nothing"
  }
]
