/** Checks of `PaymentProviderConformance`: captures and voids, each once, and what is found out about changes. */
import { Clock, Effect } from "effect"
import type { Charge, ChangeKind, ChargeChange } from "../payment/PaymentProvider.ts"
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

export const part = 45n

export const foundChange = ({ provider }: Bench, change: ChargeChange, kind: ChangeKind) =>
  holds("lookupChange", provider.lookupChange(change, kind))

export const authorizedChecks = (bench: Bench, reference: string | null): Checks => {
  const { provider, opened, found, capturesOnce } = bench
  return [
    {
      name: "reserves without taking, and captures once for a key, never beyond what is reserved",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "authorized")
        const { state, amount, authorized, captured } = one.charge
        yield* same("reserved", [state, amount, authorized, captured], ["authorized", price, price, 0n])
        const take = (act: string, sum: bigint) => provider.capture(changeOf(one, act, sum))
        yield* fails("more than was reserved", "PaymentFailed", take("capture-0", price + 1n))
        yield* same("a part", (yield* holds("a part", take("capture-1", part))).captured, part)
        for (const repeat of yield* atOnce(() => holds("a repeat", take("capture-1", part))))
          yield* same("a repeat of it", repeat.captured, part)
        if (capturesOnce !== true) {
          const whole = yield* holds("the rest", take("capture-2", price - part))
          const said = [whole.state, whole.captured, whole.authorized, whole.externalId]
          yield* same("the whole", said, ["captured", price, price, one.charge.externalId])
        }
        yield* fails("one minor unit more", "PaymentFailed", take("capture-3", 1n))
        yield* same("lookup", (yield* found(one.request)).captured, capturesOnce === true ? part : price)
      })
    },
    {
      name: "captures nothing where the amount is not more than zero",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "authorized")
        for (const [act, amount] of [
          ["capture-1", 0n],
          ["capture-2", -1n]
        ] as const)
          yield* fails(`${amount}`, "PaymentFailed", provider.capture(changeOf(one, act, amount)))
        yield* same("lookup", yield* found(one.request), one.charge)
      })
    },
    {
      name: "says until when what it reserved must be captured",
      run: Effect.gen(function* () {
        const { request, charge } = yield* opened(reference, "authorized")
        yield* same("the answer has a time", charge.expiresAt instanceof Date, true)
        const now = yield* Clock.currentTimeMillis
        yield* same("it is to come", (charge.expiresAt?.getTime() ?? 0) > now, true)
        yield* same("lookup", (yield* found(request)).expiresAt, charge.expiresAt)
      })
    },
    {
      name: "releases what is reserved, may be told so again, and captures nothing of it afterwards",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "authorized")
        const release = (act: string) => provider.void(changeOf(one, act, 0n))
        yield* same("the answer", (yield* holds("void", release("void-1"))).state, "voided")
        yield* holds("the same void again", release("void-1"))
        yield* holds("another void", release("void-2"))
        yield* fails("capturing it", "PaymentFailed", provider.capture(changeOf(one, "capture", price)))
        const { state, captured } = yield* found(one.request)
        yield* same("lookup", [state, captured], ["voided", 0n])
      })
    },
    {
      name: "releases the rest of what was captured in part, and leaves the part",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "authorized")
        yield* holds("a part", provider.capture(changeOf(one, "capture-1", part)))
        yield* holds("void", provider.void(changeOf(one, "void", 0n)))
        yield* fails("capturing the rest", "PaymentFailed", provider.capture(changeOf(one, "capture-2", 1n)))
        const { state, captured } = yield* found(one.request)
        yield* same("lookup", [state, captured], ["captured", part])
      })
    },
    {
      name: "refunds nothing of what it has not captured",
      run: Effect.flatMap(opened(reference, "authorized"), (one) =>
        fails("a refund", "PaymentFailed", provider.refund(changeOf(one, "refund", 1n)))
      )
    },
    {
      name: "either captures or releases when it is asked for both at once, and says which",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "authorized")
        const [released, taken] = yield* Effect.all(
          [
            Effect.result(provider.void(changeOf(one, "void", 0n))),
            Effect.result(provider.capture(changeOf(one, "capture", price)))
          ],
          { concurrency: 2 }
        )
        const { state, captured } = yield* found(one.request)
        const ends: ReadonlyArray<readonly [string, bigint]> = [
          ["voided", 0n],
          ["captured", price]
        ]
        yield* oneOf("lookup", [state, captured], ends)
        yield* same("the capture has succeeded", taken._tag === "Success", state === "captured")
        if (released._tag === "Success") yield* same("the answer to the void", released.success.state, state)
      })
    },
    {
      name: "says whether a capture or a void was done, without being asked to do it",
      run: Effect.gen(function* () {
        const [taken, released] = [yield* opened(reference, "authorized"), yield* opened(reference, "authorized")]
        const capture = changeOf(taken, "capture", price)
        const release = changeOf(released, "void", 0n)
        yield* same("before the capture", (yield* foundChange(bench, capture, "capture"))._tag, "Absent")
        yield* same("before the void", (yield* foundChange(bench, release, "void"))._tag, "Absent")
        yield* holds("capture", provider.capture(capture))
        yield* holds("void", provider.void(release))
        yield* isDone(bench, capture, { what: "the capture", kind: "capture", sum: price })
        yield* isDone(bench, release, { what: "the void", kind: "void", sum: 0n })
        yield* forgotten(bench, taken)
        yield* isDone(bench, capture, { what: "the capture, when its key is forgotten", kind: "capture", sum: price })
      })
    },
    {
      name: "says the key, the amount and the currency in the answers to captures and voids too",
      run: Effect.gen(function* () {
        const [taken, released] = [yield* opened(reference, "authorized"), yield* opened(reference, "authorized")]
        yield* isWhole("capture", taken, yield* holds("capture", provider.capture(changeOf(taken, "capture", part))))
        yield* isWhole("void", released, yield* holds("void", provider.void(changeOf(released, "void", 0n))))
      })
    },
    ...given([bench.references.voidLost], (lost) => [
      {
        name: "finds a void whose answer was lost, and may be told to void again",
        run: Effect.gen(function* () {
          const one = yield* opened(lost, "authorized")
          const release = changeOf(one, "void", 0n)
          yield* fails("the void", "PaymentUnanswered", provider.void(release))
          yield* isDone(bench, release, { what: "the void", kind: "void", sum: 0n })
          yield* holds("the void again", provider.void(release))
          yield* same("lookup", (yield* found(one.request)).state, "voided")
        })
      }
    ]),
    ...given([bench.references.captureLost], (lost) => [
      {
        name: "finds a capture whose answer was lost, and does not capture again for a repeat",
        run: Effect.gen(function* () {
          const one = yield* opened(lost, "authorized")
          const capture = changeOf(one, "capture", part)
          yield* fails("the capture", "PaymentUnanswered", provider.capture(capture))
          yield* isDone(bench, capture, { what: "the capture", kind: "capture", sum: part })
          yield* Effect.result(provider.capture(capture))
          yield* same("lookup after a repeat", (yield* found(one.request)).captured, part)
        })
      }
    ])
  ]
}

export const forgotten = ({ forget }: Bench, { request }: Opened) =>
  forget === undefined ? Effect.void : forget(request)

/** A change of a kind is found as done, with the charge as it is then. */
export const isDone = Effect.fnUntraced(function* (
  bench: Bench,
  change: ChargeChange,
  { what, kind, sum }: { readonly what: string; readonly kind: ChangeKind; readonly sum: bigint }
) {
  const looked = yield* foundChange(bench, change, kind)
  yield* same(what, looked._tag, "Done")
  if (looked._tag !== "Done") return
  yield* same(`${what}: the charge`, looked.charge.key, change.chargeKey)
  yield* same(`${what}: the sum`, kind === "refund" ? refundedOf(looked.charge) : looked.charge.captured, sum)
})

/** An answer is of the charge that was asked for. */
export const isWhole = (what: string, { request, charge }: Opened, answer: Charge) =>
  same(
    `the answer to ${what}`,
    [answer.externalId, answer.key, answer.amount, answer.currency],
    [charge.externalId, request.key, price, request.currency]
  )
