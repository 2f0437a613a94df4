/**
 * The conformance tests of payment providers: a list of named checks over the port, for any test runner. Each check
 * opens charges of its own and fails with `NotConforming` (`PaymentProviderBench`), which has the expected and the
 * actual result. A provider that passes may be given to `AdditionalProviders`: the two transactions of completion, the
 * recovery worker and refunds rely on nothing beyond this list.
 *
 * ```ts
 * it.each(paymentProviderChecks(subject))("$name", ({ run }) => Effect.runPromise(run))
 * ```
 */
import { Effect } from "effect"
import type { ProviderNotice, RawNotice } from "../payment/PaymentProvider.ts"
import {
  type Bench,
  benchOf,
  changeOf,
  type ConformanceCheck,
  type ConformanceSubject,
  fails,
  holds,
  price,
  same,
  twins,
  usd
} from "./PaymentProviderBench.ts"

const capturing = (
  { provider, ask, opened, found, largest, currencies }: Bench,
  reference: string
): ReadonlyArray<ConformanceCheck> => [
  {
    name: "takes exactly the amount, to the minor unit, in currencies of every number of fraction digits",
    run: Effect.gen(function* () {
      for (const currency of currencies ?? [usd, "JPY", "KWD"]) {
        for (const amount of [1n, 99n, 100n, 1_999n, 123_457n, largest ?? 99_999_999n]) {
          const request = yield* ask(reference, amount, currency)
          const charge = yield* holds(`${amount} ${currency}`, provider.authorize(request))
          yield* same(`${amount} ${currency}`, [charge.state, charge.captured], ["captured", amount])
        }
      }
    })
  },
  {
    name: "names the charge, and finds it again by its key",
    run: Effect.gen(function* () {
      const { request, charge } = yield* opened(reference)
      yield* same("the charge has an id", charge.externalId.length > 0, true)
      yield* same("lookup", yield* found(request.key), { _tag: "Found", charge })
    })
  },
  {
    name: "charges once for a key, however often and however much at once it is sent",
    run: Effect.gen(function* () {
      const request = yield* ask(reference)
      const asked = Array.from({ length: twins }, () => holds("a twin", provider.authorize(request)))
      const charges = yield* Effect.all(asked, { concurrency: twins })
      const again = yield* holds("a repeat", provider.authorize(request))
      for (const charge of [...charges, again]) yield* same("every answer", charge, again)
      yield* same("what is captured", again.captured, price)
      yield* same("lookup", yield* found(request.key), { _tag: "Found", charge: again })
    })
  },
  {
    name: "gives money back in parts, each once for its key, and never more than was captured",
    run: Effect.gen(function* () {
      const { request, charge } = yield* opened(reference)
      const back = (act: string, amount: bigint) => provider.refund(changeOf(request, charge, act, amount))
      yield* same("a part", (yield* holds("a part", back("refund-1", 345n))).refunded, 345n)
      const repeats = yield* Effect.all(
        Array.from({ length: twins }, () => holds("a repeat", back("refund-1", 345n))),
        { concurrency: twins }
      )
      for (const repeat of repeats) yield* same("a repeat of it", repeat.refunded, 345n)
      yield* fails("more than is left", "PaymentFailed", back("refund-2", price - 345n + 1n))
      yield* same(
        "the rest, as the sum so far",
        (yield* holds("the rest", back("refund-3", price - 345n))).refunded,
        price
      )
      yield* fails("one minor unit more", "PaymentFailed", back("refund-4", 1n))
    })
  },
  {
    name: "leaves captured money where it is when it is voided",
    run: Effect.gen(function* () {
      const { request, charge } = yield* opened(reference)
      yield* holds("void", provider.void(changeOf(request, charge, "void", 0n)))
      yield* same("lookup", yield* found(request.key), { _tag: "Found", charge })
    })
  }
]

const opening = ({ provider, opened, found }: Bench, reference: string): ReadonlyArray<ConformanceCheck> => [
  {
    name: "reserves without taking, and captures once for a key, in parts, never beyond what was reserved",
    run: Effect.gen(function* () {
      const { request, charge } = yield* opened(reference)
      yield* same("nothing is captured", charge.captured, 0n)
      yield* same("the state is open", charge.state === "authorized" || charge.state === "pending", true)
      const take = (act: string, amount: bigint) => provider.capture(changeOf(request, charge, act, amount))
      yield* fails("more than was reserved", "PaymentFailed", take("capture-0", price + 1n))
      yield* same("a part", (yield* holds("a part", take("capture-1", 45n))).captured, 45n)
      const repeats = yield* Effect.all(
        Array.from({ length: twins }, () => holds("a repeat", take("capture-1", 45n))),
        { concurrency: twins }
      )
      for (const repeat of repeats) yield* same("a repeat of it", repeat.captured, 45n)
      const whole = yield* holds("the rest", take("capture-2", price - 45n))
      yield* same(
        "the whole, as the sum so far",
        [whole.state, whole.captured, whole.externalId],
        ["captured", price, charge.externalId]
      )
      yield* fails("one minor unit more", "PaymentFailed", take("capture-3", 1n))
    })
  },
  {
    name: "captures nothing of what was voided, and may be told to void it twice",
    run: Effect.gen(function* () {
      const { request, charge } = yield* opened(reference)
      const release = provider.void(changeOf(request, charge, "void", 0n))
      yield* holds("void", release)
      yield* holds("void again", release)
      yield* fails("capturing it", "PaymentFailed", provider.capture(changeOf(request, charge, "capture", price)))
      yield* same("lookup", (yield* found(request.key))._tag, "Declined")
    })
  },
  {
    name: "gives nothing back of what it has not captured",
    run: Effect.flatMap(opened(reference), ({ request, charge }) =>
      fails("a refund", "PaymentFailed", provider.refund(changeOf(request, charge, "refund", 1n)))
    )
  }
]

const refusing = (
  { provider, ask, found }: Bench,
  reference: string,
  tag: "PaymentDeclined" | "PaymentFailed"
): ReadonlyArray<ConformanceCheck> => [
  {
    name:
      tag === "PaymentDeclined"
        ? "declines without charging, the same way for a repeat"
        : "fails without charging, the same way for a repeat",
    run: Effect.gen(function* () {
      const request = yield* ask(reference)
      yield* fails("the payment", tag, provider.authorize(request))
      yield* fails("a repeat", tag, provider.authorize(request))
      const { _tag } = yield* found(request.key)
      yield* same("nothing is charged", _tag === "Declined" || _tag === "Absent", true)
    })
  }
]

const silent = ({ provider, ask, found, happen }: Bench, reference: string): ReadonlyArray<ConformanceCheck> => [
  {
    name: "says that it does not know when no answer came, and charges nothing anew for a repeat",
    run: Effect.gen(function* () {
      const request = yield* ask(reference)
      yield* fails("the payment", "PaymentUnanswered", provider.authorize(request))
      yield* fails("a repeat", "PaymentUnanswered", provider.authorize(request))
      const before = yield* found(request.key)
      yield* same("it may still happen", before._tag === "Processing" || before._tag === "Found", true)
      if (happen === undefined) return
      yield* happen(request.checkoutId, "captured")
      const after = yield* found(request.key)
      yield* same("later it is known", after._tag === "Found" ? after.charge.captured : after, price)
    })
  }
]

const telling = (
  { provider, storeId, otherStoreId, opened, happen }: Bench,
  reference: string
): ReadonlyArray<ConformanceCheck> => {
  if (happen === undefined) return []
  const read = (raw: RawNotice) => holds("its notification", provider.readNotice(storeId, raw))
  return [
    {
      name: "tells of a charge by our key, in sums so far, each event by an id of its own",
      run: Effect.gen(function* () {
        const { request, charge } = yield* opened(reference)
        const ours = { chargeKey: request.key, externalId: charge.externalId }
        const first = yield* read(yield* happen(request.checkoutId, "refunded", 45n))
        yield* same("a part given back", pick(first), { type: "refunded", ...ours, captured: price, refunded: 45n })
        const second = yield* read(yield* happen(request.checkoutId, "refunded"))
        yield* same("the rest given back", pick(second), {
          type: "refunded",
          ...ours,
          captured: price,
          refunded: price
        })
        yield* same("ids", [first.eventId.length > 0, first.eventId !== second.eventId], [true, true])
      })
    },
    {
      name: "is believed only with its signature over the exact bytes, for the store it is for",
      run: Effect.gen(function* () {
        const { request } = yield* opened(reference)
        const raw = yield* happen(request.checkoutId, "captured")
        const once = yield* read(raw)
        yield* same("the same bytes are the same event", pick(yield* read(raw)), pick(once))
        const altered = new Uint8Array([...raw.body, 0x20])
        yield* fails("one byte more", "NoticeRejected", provider.readNotice(storeId, { ...raw, body: altered }))
        yield* fails("without a signature", "NoticeRejected", provider.readNotice(storeId, { ...raw, headers: {} }))
        yield* fails("for another store", "NoticeRejected", provider.readNotice(otherStoreId, raw))
        yield* fails(
          "an empty body",
          "NoticeRejected",
          provider.readNotice(storeId, { headers: {}, body: new Uint8Array() })
        )
      })
    }
  ]
}

const pick = ({ type, chargeKey, externalId, captured, refunded }: ProviderNotice) => ({
  type,
  chargeKey,
  externalId,
  captured,
  refunded
})

const unknown = ({
  provider,
  storeId,
  otherStoreId,
  newCheckout,
  opened,
  references
}: Bench): ReadonlyArray<ConformanceCheck> => [
  {
    name: "knows nothing of a key it never got, nor of another store's",
    run: Effect.gen(function* () {
      const key = `complete:${yield* newCheckout}:1`
      yield* same("a key never sent", yield* holds("lookup", provider.lookup(storeId, key)), { _tag: "Absent" })
      const reference = references.captured ?? references.open
      if (provider.kind === "offline" || reference === undefined) return
      const { request } = yield* opened(reference)
      yield* same("another store's key", yield* holds("lookup", provider.lookup(otherStoreId, request.key)), {
        _tag: "Absent"
      })
    })
  }
]

const byHand = ({ provider, ask, storeId }: Bench): ReadonlyArray<ConformanceCheck> => [
  {
    name: "leaves the whole amount open, and moves no money by itself",
    run: Effect.gen(function* () {
      const request = yield* ask("")
      const charge = yield* holds("authorize", provider.authorize(request))
      yield* same("nothing is captured", [charge.state, charge.captured], ["pending", 0n])
      yield* same("a repeat", yield* holds("authorize", provider.authorize(request)), charge)
      yield* fails("capturing", "PaymentFailed", provider.capture(changeOf(request, charge, "capture", price)))
      yield* fails("refunding", "PaymentFailed", provider.refund(changeOf(request, charge, "refund", price)))
      yield* holds("voiding", provider.void(changeOf(request, charge, "void", 0n)))
      yield* fails(
        "a notification",
        "NoticeRejected",
        provider.readNotice(storeId, { headers: {}, body: Buffer.from("{}") })
      )
    })
  }
]

/** The checks that apply to this provider. */
export const paymentProviderChecks = (subject: ConformanceSubject): ReadonlyArray<ConformanceCheck> => {
  const bench = benchOf(subject)
  const { captured, open, declined, failed, unanswered } = subject.references
  if (subject.provider.kind === "offline") return [...byHand(bench), ...unknown(bench)]
  const where = (
    reference: string | undefined,
    checks: (bench: Bench, reference: string) => ReadonlyArray<ConformanceCheck>
  ) => (reference === undefined ? [] : checks(bench, reference))
  return [
    ...where(captured, capturing),
    ...where(open, opening),
    ...where(declined, (b, reference) => refusing(b, reference, "PaymentDeclined")),
    ...where(failed, (b, reference) => refusing(b, reference, "PaymentFailed")),
    ...where(unanswered, silent),
    ...where(captured, telling),
    ...unknown(bench)
  ]
}
