/** Faults in the payment provider stripe: what a slip in it would cost a merchant. */
import type { Fault } from "../plantedFaults.ts"

const room = (file: string) => `packages/core/src/stripe/${file}.ts`
const test = (file: string) => [`packages/core/test/stripe/${file}.test.ts`]

export const stripeFaults: ReadonlyArray<Fault> = [
  {
    id: "stripe.replayed",
    breaks:
      "A payment that was made in the browser is taken for one that still waits, because Stripe repeats an old answer",
    file: room("StripePayment"),
    find: "isReplayed(answer) ? retrieve(api, answer.id) : Effect.succeed(answer)",
    replace: "Effect.succeed(answer)",
    tests: test("StripePayment"),
    noticedBy: "not as Stripe remembers its first answer"
  },
  {
    id: "stripe.declined-payable",
    breaks: "A payment that was declined here is paid later by a browser that still has its client secret",
    file: room("StripePayment"),
    find: "(problem) => givenUp(api, id, problem)",
    replace: "(problem) => Effect.fail(problem)",
    tests: test("StripePayment"),
    noticedBy: "cannot be paid any more in a browser"
  },
  {
    id: "stripe.denied",
    breaks: "A secret key that was revoked reads as: nothing was charged, nothing was refunded",
    file: room("StripeProblem"),
    find: 'this.kind === "rejected" ||',
    replace: 'this.kind === "rejected" || this.kind === "denied" ||',
    tests: test("StripeFailures"),
    noticedBy: "never mean that nothing was done"
  },
  {
    id: "stripe.refund-key",
    breaks: "A refund whose answer was lost is not found again, and is paid twice",
    file: room("StripeChanges"),
    find: "const metadata = { [keyField]: change.key }",
    replace: "const metadata = {}",
    tests: test("StripeChanges"),
    noticedBy: "is found by its key without being asked for again"
  },
  {
    id: "stripe.absent-by-search",
    breaks: "A charge of the last minute is absent, because Stripe's search does not know it yet",
    file: room("StripeLookup"),
    find: "return yield* api.ask((stripe) => listedByKey(stripe, key, since))",
    replace: "return undefined",
    tests: test("StripeLookup"),
    noticedBy: "although Stripe's search is a minute late"
  },
  {
    id: "stripe.release-as-refund",
    breaks: "What Stripe releases of a reservation is booked as money that was given back",
    file: room("StripeCharge"),
    find: "return rest > 0 && refund.amount === rest",
    replace: "return false",
    tests: test("StripeChanges"),
    noticedBy: "which is no refund of ours"
  },
  {
    id: "stripe.livemode",
    breaks: "A notice of test mode is a reason to act in a live shop",
    file: room("StripeNotices"),
    find: 'if (event.value.livemode !== (mode === "live"))',
    replace: 'if (event.value.livemode && mode !== "live")',
    tests: test("StripeNotices"),
    noticedBy: "nor the other way round"
  },
  {
    id: "stripe.notice-before-check",
    breaks: "Stripe's notices are rejected as forged while it could not be asked yet whose account the key is",
    file: room("StripeNotices"),
    find: "const mode = modeOf(options, account)",
    replace: "const { mode } = account",
    tests: test("StripeNotices"),
    noticedBy: "before Stripe could be asked"
  },
  {
    id: "stripe.rounded",
    breaks: "A hundredth of an ariary that Stripe cannot take is dropped, and the order is short of it",
    file: room("StripeAmount"),
    find: "if (scaled % ours !== 0n || (scaled / ours) % step !== 0n)",
    replace: "if ((scaled / ours) % step !== 0n)",
    tests: test("StripeAmount"),
    noticedBy: "never rounds"
  }
]
