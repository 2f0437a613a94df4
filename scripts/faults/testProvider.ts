/** Faults in the `test` provider: what it does not do on demand, no test of the payment room meets. */
import type { Fault } from "../plantedFaults.ts"

const charge = "packages/core/src/testpayment/TestCharge.ts"
const notices = "packages/core/src/testpayment/TestNotices.ts"
const references = "packages/core/src/testpayment/TestReferences.ts"
const provider = "packages/core/src/testpayment/TestProvider.ts"
const tests = ["packages/core/test/payment/TestProvider.pg.test.ts"]
const conformance = ["packages/core/test/payment/PaymentProviders.pg.test.ts"]

export const testProviderFaults: ReadonlyArray<Fault> = [
  {
    id: "test-provider.keys-for-ever",
    breaks: "The test provider recognises keys for ever, so that nobody is caught who asks again after a day",
    file: charge,
    find: "!change.isForgotten && now < change.at + testKeyLifetime",
    replace: "!change.isForgotten",
    tests,
    noticedBy: "does it once for a day, and once more after that"
  },
  {
    id: "test-provider.pending-refund",
    breaks: "A refund that is still pending is not counted, and more is refunded than was captured",
    file: charge,
    find: `sumOf(refundsOf(charge).filter(({ status }) => status !== "failed"))`,
    replace: `sumOf(refundsOf(charge).filter(({ status }) => status === "succeeded"))`,
    tests: conformance,
    noticedBy: "passes every check there is"
  },
  {
    id: "test-provider.disputed-twice",
    breaks: "Money that the shopper's bank has claimed back is refunded as well",
    file: charge,
    find: `sumOf(charge.disputes.filter(({ status }) => status !== "won"))`,
    replace: "0n",
    tests,
    noticedBy: "leaves less to refund while it claims money back"
  },
  {
    id: "test-provider.never-lapses",
    breaks: "What is reserved at the test provider never lapses",
    file: charge,
    find: `if (charge.status === "authorized") return { ...over, status: "voided" }`,
    replace: "",
    tests,
    noticedBy: "releases after seven days what was reserved"
  },
  {
    id: "test-provider.seen-at-once",
    breaks: "A charge is never invisible to lookups, so that absent may be said at once",
    file: provider,
    find: `reference === "unseen" && now < createdAt.getTime() + testSettling`,
    replace: `reference === "unseen" && now < createdAt.getTime()`,
    tests,
    noticedBy: "one that is unseen is found in five seconds"
  },
  {
    id: "test-provider.answers-all",
    breaks: "No answer to a capture, a void or a refund is ever lost",
    file: references,
    find: ": reference === `${act}_lost`",
    replace: ": false",
    tests: conformance,
    noticedBy: "passes every check there is"
  },
  {
    id: "test-provider.second-charge",
    breaks: "A charge that waits for the shopper cannot be paid under its key",
    file: provider,
    find: `if (reference === null || found.status !== "awaiting_shopper")`,
    replace: `if (reference === null || found.status === "awaiting_shopper")`,
    tests: conformance,
    noticedBy: "passes every check there is"
  },
  {
    id: "test-provider.signature",
    breaks: "A notice of the test provider is believed whatever its signature",
    file: notices,
    find: "if (!constantTimeEqual(given, hmacSha256Hex(secret, body)))",
    replace: `if (!constantTimeEqual(given, hmacSha256Hex(secret, body)) && given === "")`,
    tests: conformance,
    noticedBy: "passes every check there is"
  }
]
