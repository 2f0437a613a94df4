/**
 * Checks of `PaymentProviderConformance`: payments that are declined, that fail, and those of which nobody hears what
 * became of them.
 */
import { Effect } from "effect"
import type { DeclineCode } from "../payment/DeclineCode.ts"
import {
  type Bench,
  type ConformanceCheck,
  fails,
  given,
  holds,
  oneOf,
  price,
  same,
  sayNothingOf,
  usd
} from "./PaymentProviderBench.ts"

type Checks = ReadonlyArray<ConformanceCheck>

export const refusedChecks = (bench: Bench): Checks => {
  const { provider, ask, opened, found, references, lookedUp } = bench
  const nothingCharged = Effect.fnUntraced(function* (key: string) {
    const looked = yield* lookedUp({ key, externalId: null })
    if (looked._tag === "Absent") return
    const said =
      looked._tag === "Found" ? [looked.charge.state, looked.charge.authorized, looked.charge.captured] : looked
    yield* same("what is charged", said, ["failed", 0n, 0n])
  })
  const declined = Object.entries(references.declined ?? {}) as ReadonlyArray<readonly [DeclineCode, string]>
  return [
    ...declined.map(([code, reference]) => ({
      name: `declines without charging, the same way for a repeat, in the common words: ${code}`,
      run: Effect.gen(function* () {
        const request = yield* ask(reference)
        for (const what of ["the payment", "a repeat"]) {
          const error = yield* fails(what, "PaymentDeclined", provider.authorize(request))
          yield* same("its code", error._tag === "PaymentDeclined" ? error.code : error, code)
          yield* sayNothingOf(bench, "its reason", error)
        }
        yield* nothingCharged(request.key)
      })
    })),
    ...given([provider.kind === "card" || undefined], () => [
      {
        name: "refuses a reference that it does not know, and charges nothing",
        run: Effect.gen(function* () {
          const request = yield* ask("no reference of this provider")
          yield* fails("the payment", ["PaymentDeclined", "PaymentFailed"], provider.authorize(request))
          yield* nothingCharged(request.key)
        })
      }
    ]),
    ...given([references.awaiting, declined[0]?.[1]], (awaiting, reference) => [
      {
        name: "charges nothing where the reference for a charge that waits for the shopper is declined",
        run: Effect.gen(function* () {
          const { request } = yield* opened(awaiting)
          yield* fails("paying", "PaymentDeclined", provider.authorize({ ...request, reference }))
          const { state, authorized, captured } = yield* found(request)
          yield* oneOf("lookup", state, ["failed", "awaiting_shopper"])
          yield* same("what is charged", [authorized, captured], [0n, 0n])
        })
      }
    ]),
    ...given([references.failed], (reference) => [
      {
        name: "fails without charging, the same way for a repeat",
        run: Effect.gen(function* () {
          const request = yield* ask(reference)
          yield* fails("the payment", "PaymentFailed", provider.authorize(request))
          yield* fails("a repeat", "PaymentFailed", provider.authorize(request))
          yield* nothingCharged(request.key)
        })
      }
    ])
  ]
}

export const unansweredChecks = ({
  provider,
  account,
  ask,
  found,
  lookedUp,
  references,
  happen,
  later
}: Bench): Checks => [
  ...given([references.unanswered], (reference) => [
    {
      name: "says that it does not know when no answer came, never that nothing was done",
      run: Effect.gen(function* () {
        const request = yield* ask(reference)
        yield* fails("the payment", "PaymentUnanswered", provider.authorize(request))
        yield* fails("a repeat", "PaymentUnanswered", provider.authorize(request))
        const before = yield* lookedUp({ key: request.key, externalId: null })
        const said = before._tag === "Found" ? before.charge.state : before._tag
        yield* oneOf("it may still happen", said, ["Processing", "pending"])
        if (happen?.captured === undefined) return
        yield* happen.captured(request)
        yield* same("later it is known", (yield* found(request)).captured, price)
      })
    }
  ]),
  ...given([references.lost], (reference) => [
    {
      name: "finds a charge whose answer was lost by our key, and makes no second one for a repeat",
      run: Effect.gen(function* () {
        const request = yield* ask(reference)
        yield* fails("the payment", "PaymentUnanswered", provider.authorize(request))
        const charge = yield* found(request)
        yield* same("what is found", [charge.key, charge.amount, charge.currency], [request.key, price, usd])
        yield* oneOf("its state", charge.state, ["captured", "authorized", "awaiting_shopper"])
        const again = yield* Effect.result(provider.authorize(request))
        if (again._tag === "Success") yield* same("the answer to a repeat", again.success, charge)
        yield* same("lookup after it", yield* found(request), charge)
      })
    }
  ]),
  ...given([references.unseen, later], (reference, laterBy) => [
    {
      name: "shows every charge to lookups when its settling time has passed",
      run: Effect.gen(function* () {
        const request = yield* ask(reference)
        yield* fails("the payment", "PaymentUnanswered", provider.authorize(request))
        const name = { key: request.key, externalId: null }
        const looked = yield* laterBy(provider.settling)(holds("lookup", provider.lookup(account, name)))
        yield* same("after the settling time", looked._tag, "Found")
      })
    }
  ])
]
