/**
 * The conformance tests of payment providers: a list of named checks over the port, for any test runner. Each check
 * opens charges of its own and fails with `NotConforming` (`PaymentProviderBench`), which has the expected and the
 * actual result. The operations, the recovery worker and the notices of the payment room rely on nothing beyond this
 * list.
 *
 * ```ts
 * const subject: ConformanceSubject = {
 *   provider, account, otherAccount, newCheckout,
 *   references: { captured: "pm_card_visa", declined: { insufficient_funds: "pm_card_declined" } },
 *   happen: { refunded: (request, amount) => sandbox.refund(request.key, amount) }
 * }
 * it.each(paymentProviderChecks(subject))("$name", ({ run }) => Effect.runPromise(run))
 * ```
 *
 * Which checks there are follows from what the subject can do: every reference, event and ability that it leaves out
 * takes the checks with it that need it. They stand in `PaymentChargeChecks` (how a charge begins and is found),
 * `PaymentRefusalChecks` (declines, failures, lost answers), `PaymentChangeChecks` and `PaymentRefundChecks` (each
 * change once), `PaymentCourseChecks` (shoppers who have to act, late failures, expiry, the dashboard, disputes) and
 * `PaymentNoticeChecks`.
 */
import { Effect } from "effect"
import { authorizedChecks } from "./PaymentChangeChecks.ts"
import { capturedChecks, strangeChecks } from "./PaymentChargeChecks.ts"
import { awaitingChecks, dashboardChecks, expiringChecks, pendingChecks } from "./PaymentCourseChecks.ts"
import { noticeChecks } from "./PaymentNoticeChecks.ts"
import { refundChecks } from "./PaymentRefundChecks.ts"
import { refusedChecks, unansweredChecks } from "./PaymentRefusalChecks.ts"
import {
  type Bench,
  benchOf,
  changeOf,
  type ConformanceCheck,
  type ConformanceSubject,
  type During,
  fails,
  given,
  holds,
  price,
  same,
  sayNothingOf
} from "./PaymentProviderBench.ts"

type Checks = ReadonlyArray<ConformanceCheck>

const descriptionChecks = ({ provider }: Bench): Checks => [
  {
    name: "describes itself: a code for addresses, modes, and times that fit each other",
    run: Effect.gen(function* () {
      const { code, name, modes, keyLifetime, settling } = provider
      yield* same("its code", /^[a-z][a-z0-9_-]{0,62}$/.test(code), true)
      yield* same("its name", name.trim() === "", false)
      yield* same("modes", modes.length > 0 && new Set(modes).size === modes.length, true)
      yield* same("times are not negative", [keyLifetime >= 0, settling >= 0], [true, true])
      // What is asked again under its key once it is believed to be absent must still be recognised.
      if (provider.kind !== "manual") yield* same("a key outlives the settling time", settling < keyLifetime, true)
    })
  }
]

const accountChecks = (bench: Bench): Checks => {
  const { provider, account, rejected, rotated } = bench
  const [newest = null] = account.credentials
  return [
    {
      name: "says whose account the credentials are, and in which mode",
      run: Effect.gen(function* () {
        const checked = yield* holds("check", provider.check(newest))
        yield* same("the account", checked.account, account.account)
        yield* same("the mode", [null, account.mode].includes(checked.mode), true)
        yield* same("it serves the mode", provider.modes.includes(account.mode), true)
        yield* sayNothingOf(bench, "the answer", checked)
      })
    },
    ...given([rejected], (other) => [
      {
        name: "rejects credentials that the company does not accept, and repeats none of them",
        run: Effect.gen(function* () {
          const error = yield* fails("check", "CredentialsRejected", provider.check(other.credentials[0] ?? null))
          yield* sayNothingOf(benchOf({ ...bench, account: other }), "the error", error)
          const request = { ...(yield* bench.ask("any")), account: other }
          const paid = yield* fails("paying", ["PaymentFailed", "PaymentUnanswered"], provider.authorize(request))
          yield* sayNothingOf(benchOf({ ...bench, account: other }), "the error of a payment", paid)
        })
      },
      {
        name: "says with credentials that were revoked that it cannot look, never that a charge is absent",
        run: Effect.gen(function* () {
          const { key } = yield* bench.ask("any")
          const looking = provider.lookup(other, { key, externalId: null })
          yield* fails("a lookup", "PaymentUnanswered", looking)
          const refund = { account: other, chargeKey: key, externalId: "any", key: `refund:${key}`, amount: 1n }
          yield* fails("a lookup of a refund", "PaymentUnanswered", provider.lookupChange(refund, "refund"))
        })
      }
    ]),
    ...given([rotated], ({ both, afterwards }) => [
      {
        name: "reaches the same account and its charges with rotated credentials",
        run: Effect.gen(function* () {
          for (const { credentials } of [both, afterwards]) {
            const checked = yield* holds("check", provider.check(credentials[0] ?? null))
            yield* same("the account", checked.account, account.account)
          }
          const reference = bench.references.captured
          if (reference === undefined) return
          const { request, charge } = yield* bench.opened(reference, "captured")
          const name = { key: request.key, externalId: charge.externalId }
          yield* same("lookup", yield* holds("lookup", provider.lookup(both, name)), { _tag: "Found", charge })
        })
      }
    ])
  ]
}

const silenceChecks = (bench: Bench): Checks => {
  const { provider, account, ask, opened, found, references, silent, outages } = bench
  const saying = Effect.fnUntraced(function* (
    reference: string | null,
    during: During,
    orFailed: ReadonlyArray<"PaymentFailed">
  ) {
    const one = yield* opened(reference, "captured")
    const refund = changeOf(one, "refund", price)
    const request = yield* ask(reference)
    const name = { key: one.request.key, externalId: one.charge.externalId }
    const unanswered = "PaymentUnanswered"
    const either = [unanswered, ...orFailed] as const
    yield* fails("a payment", either, during(provider.authorize(request)))
    yield* fails("a refund", either, during(provider.refund(refund)))
    yield* fails("a void", either, during(provider.void(changeOf(one, "void", 0n))))
    yield* fails("a capture", either, during(provider.capture(changeOf(one, "capture", price))))
    yield* fails("a lookup", unanswered, during(provider.lookup(account, name)))
    yield* fails("a lookup of a refund", unanswered, during(provider.lookupChange(refund, "refund")))
    yield* fails("a check", unanswered, during(provider.check(account.credentials[0] ?? null)))
    yield* same("afterwards", yield* found(one.request), one.charge)
  })
  return given([references.captured], (reference) => [
    ...given([silent], (during) => [
      {
        name: "says of everything that it has no answer while the company cannot be reached, and then knows it all",
        run: saying(reference, during, [])
      }
    ]),
    ...Object.entries(outages ?? {}).map(([outage, during]) => ({
      name: `never takes for an answer about a charge what is none: ${outage}`,
      run: saying(reference, during, ["PaymentFailed"])
    }))
  ])
}

const byHand = ({ provider, account, ask }: Bench): Checks => [
  {
    name: "leaves the whole amount open, and moves no money by itself",
    run: Effect.gen(function* () {
      const request = yield* ask(null)
      const charge = yield* holds("authorize", provider.authorize(request))
      yield* same("nothing is captured", [charge.state, charge.captured, charge.authorized], ["pending", 0n, 0n])
      yield* same("the amount", [charge.amount, charge.currency], [request.amount, request.currency])
      yield* same("a repeat", yield* holds("authorize", provider.authorize(request)), charge)
      const one = { request, charge }
      yield* fails("capturing", "PaymentFailed", provider.capture(changeOf(one, "capture", price)))
      yield* fails("refunding", "PaymentFailed", provider.refund(changeOf(one, "refund", price)))
      const notice = { headers: {}, body: Buffer.from("{}") }
      yield* fails("a notification", "NoticeRejected", provider.verifyNotice(account, notice))
    })
  }
]

/** The checks that apply to this provider. */
export const paymentProviderChecks = (subject: ConformanceSubject): Checks => {
  const bench = benchOf(subject)
  const { captured, authorized, pending, awaiting } = subject.references
  if (subject.provider.kind === "manual")
    return [...descriptionChecks(bench), ...byHand(bench), ...strangeChecks(bench)]
  // A payment, and an event of it that sends a notice.
  const { refunded, captured: paid, failed } = subject.happen ?? {}
  const later = pending ?? awaiting
  const [open, event] =
    captured !== undefined && refunded !== undefined
      ? ([bench.opened(captured, "captured"), refunded] as const)
      : ([later === undefined ? undefined : bench.opened(later), paid ?? failed] as const)
  return [
    ...descriptionChecks(bench),
    ...accountChecks(bench),
    ...given([captured], (reference) => [...capturedChecks(bench, reference), ...refundChecks(bench, reference)]),
    ...given([authorized], (reference) => [...authorizedChecks(bench, reference), ...expiringChecks(bench, reference)]),
    ...given([awaiting], (reference) => awaitingChecks(bench, reference)),
    ...given([pending], (reference) => pendingChecks(bench, reference)),
    ...refusedChecks(bench),
    ...unansweredChecks(bench),
    ...given([captured], (reference) => dashboardChecks(bench, reference)),
    ...given([open, event], (opening, happens) => noticeChecks(bench, opening, happens)),
    ...silenceChecks(bench),
    ...strangeChecks(bench)
  ]
}
