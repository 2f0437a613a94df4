/** Faults in the example of a payment provider: what its guide says of each line. */
import type { Fault } from "../plantedFaults.ts"

const file = "examples/redirect-payments/provider.ts"
const tests = ["packages/handler/test/payment/RedirectConformance.test.ts"]

export const redirectFaults: ReadonlyArray<Fault> = [
  {
    id: "redirect.broken-is-refused",
    breaks:
      "A connection breaks after the company has taken the payment: the shopper is told that it failed, and pays twice",
    file,
    find: 'new Problem({ kind: "unanswered", reason: "Florin gave no usable answer" })',
    replace: 'new Problem({ kind: "refused", reason: "Florin gave no usable answer" })',
    tests,
    noticedBy: "finds a charge whose answer was lost"
  },
  {
    id: "redirect.page-answers",
    breaks: "A 404 of a proxy says that a charge is absent that the shopper has paid",
    file,
    find: 'kind: "unanswered", reason: `Florin gave no usable answer (${response.status})`',
    replace: 'kind: kinds[response.status] ?? "unanswered", reason: `Florin gave no usable answer`',
    tests,
    noticedBy: "never takes for an answer"
  },
  {
    id: "redirect.charges-again",
    breaks: "A payment that is begun again after an hour can be paid twice: the company has forgotten the key",
    file,
    find: "if (known !== undefined) return yield* asCharge(known)",
    replace: "",
    tests,
    noticedBy: "makes no second charge for its key"
  },
  {
    id: "redirect.refund-unnamed",
    breaks: "A refund whose answer was lost is made again, because nothing at the company names it",
    file,
    find: "amount: { value: formatMoney(amount, currency), currency }, metadata: { key } }",
    replace: "amount: { value: formatMoney(amount, currency), currency }, metadata: null }",
    tests,
    noticedBy: "finds a refund whose answer was lost"
  },
  {
    id: "redirect.revoked-is-absent",
    breaks: "With a key that was revoked every charge is absent, and what shoppers have paid is given up",
    file,
    find: '({ kind }) => kind === "missing"',
    replace: '({ kind }) => kind === "missing" || kind === "denied"',
    tests,
    noticedBy: "says with credentials that were"
  }
]
