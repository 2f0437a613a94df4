/**
 * Checks of `PaymentProviderConformance`: refunds, each once, whether they are made at once, are pending for a time, or
 * fail after they were accepted.
 */
import { Effect } from "effect"
import { forgotten, foundChange, isDone, isWhole, part } from "./PaymentChangeChecks.ts"
import {
  atOnce,
  type Bench,
  type ConformanceCheck,
  changeOf,
  fails,
  given,
  holds,
  oneOf,
  type Opened,
  price,
  refundedOf,
  same
} from "./PaymentProviderBench.ts"

type Checks = ReadonlyArray<ConformanceCheck>

/** More than the usual page of ten. */
const manyRefunds = 12

export const refundChecks = (bench: Bench, reference: string | null): Checks => {
  const { provider, opened, found } = bench
  return [
    {
      name: "refunds in parts, each by its id and our key, and never more than was captured",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "captured")
        const back = (act: string, amount: bigint) => provider.refund(changeOf(one, act, amount))
        yield* holds("a part", back("refund-1", part))
        yield* fails("more than is left", "PaymentFailed", back("refund-2", price - part + 1n))
        const { refunds, captured } = yield* holds("the rest", back("refund-3", price - part))
        const keys = ["refund-1", "refund-3"].map((act) => changeOf(one, act, 0n).key)
        yield* same(
          "its refunds",
          refunds.map(({ key, amount }) => [key, amount]),
          [
            [keys[0], part],
            [keys[1], price - part]
          ]
        )
        for (const { id, status } of refunds) {
          yield* same("a refund has an id", id.length > 0, true)
          yield* oneOf("its status", status, ["pending", "succeeded"])
        }
        yield* same("ids", new Set(refunds.map(({ id }) => id)).size, 2)
        yield* same("what was captured is still said", captured, price)
        yield* fails("one minor unit more", "PaymentFailed", back("refund-4", 1n))
        yield* same("lookup", (yield* found(one.request)).refunds, refunds)
      })
    },
    {
      name: "refunds once for a key, however often and however much at once it is asked",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "captured")
        const refund = () => holds("a twin", provider.refund(changeOf(one, "refund", part)))
        for (const { refunds } of yield* atOnce(refund)) yield* same("refunds in an answer", refunds.length, 1)
        yield* refund()
        yield* same("lookup", refundedOf(yield* found(one.request)), part)
      })
    },
    {
      name: "lists all refunds of a charge, also when a page of the company's lists holds fewer",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "captured")
        const acts = Array.from({ length: manyRefunds }, (_, n) => `refund-${n}`)
        yield* Effect.forEach(acts, (act) => holds("a refund", provider.refund(changeOf(one, act, 1n))))
        const { refunds } = yield* found(one.request)
        yield* same(
          "their keys, the oldest first",
          refunds.map(({ key }) => key),
          acts.map((act) => changeOf(one, act, 1n).key)
        )
      })
    },
    {
      name: "refunds nothing where the amount is not more than zero",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "captured")
        for (const [act, amount] of [
          ["refund-1", 0n],
          ["refund-2", -1n]
        ] as const)
          yield* fails(`${amount}`, "PaymentFailed", provider.refund(changeOf(one, act, amount)))
        yield* same("lookup", yield* found(one.request), one.charge)
      })
    },
    {
      name: "refunds no more than is left where several refunds come at once",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "captured")
        const half = price / 2n + 1n
        const asked = ["refund-1", "refund-2", "refund-3"].map((act) =>
          Effect.result(provider.refund(changeOf(one, act, half)))
        )
        const results = yield* Effect.all(asked, { concurrency: asked.length })
        const refused = results.flatMap((result) => (result._tag === "Failure" ? [result.failure._tag] : []))
        yield* same("those refused", refused, ["PaymentFailed", "PaymentFailed"])
        yield* same("lookup", refundedOf(yield* found(one.request)), half)
      })
    },
    {
      name: "says the key, the amount and the currency in the answer to a refund too",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "captured")
        yield* isWhole("refund", one, yield* holds("refund", provider.refund(changeOf(one, "refund", part))))
      })
    },
    {
      name: "makes two refunds of the same amount where the keys are two",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "captured")
        yield* holds("the first", provider.refund(changeOf(one, "refund-1", part)))
        yield* holds("the second", provider.refund(changeOf(one, "refund-2", part)))
        yield* same("lookup", refundedOf(yield* found(one.request)), 2n * part)
      })
    },
    {
      name: "leaves captured money where it is when it is voided",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "captured")
        yield* Effect.result(provider.void(changeOf(one, "void", 0n)))
        const { state, captured, refunds } = yield* found(one.request)
        yield* same("lookup", { state, captured, refunds }, { state: "captured", captured: price, refunds: [] })
      })
    },
    {
      name: "says whether a refund was made, without being asked to make it, also when its key is forgotten",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "captured")
        const [made, refused] = [changeOf(one, "refund-1", part), changeOf(one, "refund-2", price)]
        yield* same("before it", (yield* foundChange(bench, made, "refund"))._tag, "Absent")
        yield* holds("the refund", provider.refund(made))
        yield* fails("another", "PaymentFailed", provider.refund(refused))
        const settled = ["Done", "Processing"]
        yield* oneOf("after it", (yield* foundChange(bench, made, "refund"))._tag, settled)
        yield* oneOf("one that was refused", (yield* foundChange(bench, refused, "refund"))._tag, ["Absent", "Failed"])
        yield* forgotten(bench, one)
        yield* oneOf("when its key is forgotten", (yield* foundChange(bench, made, "refund"))._tag, settled)
        const keys = (yield* found(one.request)).refunds.map(({ key }) => key)
        yield* same("its key in the charge", keys, [made.key])
      })
    },
    {
      name: "makes no refund twice that is looked up first, as recovery does, when its key is forgotten",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "captured")
        const refund = changeOf(one, "refund", part)
        const recovered = Effect.gen(function* () {
          const looked = yield* foundChange(bench, refund, "refund")
          if (looked._tag === "Absent") yield* holds("the refund", provider.refund(refund))
        })
        yield* recovered
        yield* forgotten(bench, one)
        yield* recovered
        yield* same("lookup", refundedOf(yield* found(one.request)), part)
      })
    },
    ...given([bench.references.refundLost], (lost) => [
      {
        name: "finds a refund whose answer was lost, and makes no second one for a repeat",
        run: Effect.gen(function* () {
          const one = yield* opened(lost, "captured")
          const refund = changeOf(one, "refund", part)
          yield* fails("the refund", "PaymentUnanswered", provider.refund(refund))
          yield* oneOf("lookupChange", (yield* foundChange(bench, refund, "refund"))._tag, ["Done", "Processing"])
          yield* Effect.result(provider.refund(refund))
          yield* same("lookup after a repeat", refundedOf(yield* found(one.request)), part)
        })
      }
    ]),
    ...uncertainRefunds(bench)
  ]
}

/** Refunds that are pending for a time, or fail after they were accepted. */
const uncertainRefunds = (bench: Bench): Checks => {
  const { provider, opened, found, references, happen } = bench
  const statuses = (one: Opened) => Effect.map(found(one.request), ({ refunds }) => refunds.map(({ status }) => status))
  return [
    ...given([references.refundPends], (pends) => [
      {
        name: "says that a refund is pending, and counts it against what is left",
        run: Effect.gen(function* () {
          const one = yield* opened(pends, "captured")
          const refund = changeOf(one, "refund-1", price)
          const { refunds } = yield* holds("the refund", provider.refund(refund))
          yield* same(
            "the answer",
            refunds.map(({ key, status }) => [key, status]),
            [[refund.key, "pending"]]
          )
          const looked = yield* foundChange(bench, refund, "refund")
          yield* oneOf("lookupChange", looked._tag, ["Processing", "Done"])
          yield* fails("one minor unit more", "PaymentFailed", provider.refund(changeOf(one, "refund-2", 1n)))
          yield* same("lookup", yield* statuses(one), ["pending"])
        })
      },
      ...given([happen?.refundSucceeded], (succeeds) => [
        {
          name: "says so when a pending refund has succeeded",
          run: Effect.gen(function* () {
            const one = yield* opened(pends, "captured")
            const refund = changeOf(one, "refund", part)
            yield* holds("the refund", provider.refund(refund))
            yield* succeeds(one.request)
            yield* same("lookup", yield* statuses(one), ["succeeded"])
            yield* isDone(bench, refund, { what: "the refund", kind: "refund", sum: part })
          })
        }
      ]),
      ...given([happen?.refundFailed], (failsLater) => [
        {
          name: "says so when a pending refund has failed, and can make it again under another key",
          run: Effect.gen(function* () {
            const one = yield* opened(pends, "captured")
            const refund = changeOf(one, "refund-1", price)
            yield* holds("the refund", provider.refund(refund))
            yield* failsLater(one.request)
            yield* same("lookup", yield* statuses(one), ["failed"])
            yield* same("lookupChange", (yield* foundChange(bench, refund, "refund"))._tag, "Failed")
            yield* holds("another", provider.refund(changeOf(one, "refund-2", price)))
            yield* same("then", refundedOf(yield* found(one.request)), price)
          })
        }
      ])
    ]),
    ...given([references.refundFails], (failing) => [
      {
        name: "keeps a refund that was accepted and failed as failed, never as made",
        run: Effect.gen(function* () {
          const one = yield* opened(failing, "captured")
          const refund = changeOf(one, "refund", part)
          const asked = yield* Effect.result(provider.refund(refund))
          const looked = yield* foundChange(bench, refund, "refund")
          yield* oneOf("lookupChange", looked._tag, asked._tag === "Failure" ? ["Failed", "Absent"] : ["Failed"])
          yield* same("what is refunded", refundedOf(yield* found(one.request)), 0n)
        })
      }
    ])
  ]
}
