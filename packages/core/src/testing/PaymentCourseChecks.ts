/**
 * Checks of `PaymentProviderConformance`: what becomes of a charge that is not final at once, or that others than we
 * change: the shopper on the provider's page, time, the merchant in the dashboard, the shopper's bank.
 */
import { Clock, Effect } from "effect"
import type { ChargeState } from "../payment/PaymentProvider.ts"
import {
  type Bench,
  type ConformanceCheck,
  changeOf,
  fails,
  given,
  type Happening,
  holds,
  oneOf,
  type Opened,
  price,
  refundedOf,
  same
} from "./PaymentProviderBench.ts"

type Checks = ReadonlyArray<ConformanceCheck>

const part = 45n

/** What the charge of a request is after an event, as lookup says it. */
const stateAfter = ({ found }: Bench, event: Happening, { request }: Opened) =>
  Effect.andThen(
    event(request),
    Effect.map(found(request), ({ state }) => state)
  )

export const awaitingChecks = (bench: Bench, reference: string | null): Checks => {
  const { provider, opened, found, references, happen, later } = bench
  return [
    {
      name: "waits for the shopper, and says what the shopper does next, also to a repeat and a lookup",
      run: Effect.gen(function* () {
        const { request, charge } = yield* opened(reference)
        yield* same("the answer", [charge.state, charge.captured], ["awaiting_shopper", 0n])
        const { redirectUrl = null, clientSecret = null } = charge.nextAction ?? {}
        yield* same("a next action", redirectUrl !== null || clientSecret !== null, true)
        if (redirectUrl !== null) yield* same("its address is absolute", /^https?:\/\/[^/]/.test(redirectUrl), true)
        yield* same("a repeat", yield* holds("a repeat", provider.authorize(request)), charge)
        yield* same("lookup", yield* found(request), charge)
      })
    },
    {
      name: "ends what waits for the shopper when it is voided",
      run: Effect.gen(function* () {
        const one = yield* opened(reference)
        yield* holds("void", provider.void(changeOf(one, "void-1", 0n)))
        yield* holds("void again", provider.void(changeOf(one, "void-2", 0n)))
        const paying = { ...one.request, reference: references.captured ?? reference }
        const paid = yield* Effect.result(provider.authorize(paying))
        if (paid._tag === "Success") yield* oneOf("paying it then", paid.success.state, ["voided", "failed"])
        else yield* oneOf("paying it then", paid.failure._tag, ["PaymentDeclined", "PaymentFailed"])
        const { state, captured, nextAction } = yield* found(one.request)
        yield* oneOf(
          "lookup",
          [state, captured, nextAction],
          [
            ["voided", 0n, null],
            ["failed", 0n, null]
          ]
        )
      })
    },
    ...given([provider.kind === "card" ? references.captured : undefined], (captured) => [
      {
        name: "goes on with a charge that waits when it is requested again with a reference, and makes no second one",
        run: Effect.gen(function* () {
          const { request, charge } = yield* opened(reference)
          const paying = { ...request, reference: captured }
          const paid = yield* holds("paying", provider.authorize(paying))
          yield* same("the charge", [paid.externalId, paid.state], [charge.externalId, "captured"])
          yield* same("there is nothing more to do", paid.nextAction, null)
          const again = yield* holds("a repeat", provider.authorize(paying))
          yield* same("a repeat", [again.externalId, again.captured], [charge.externalId, price])
          yield* same("lookup", yield* found(request), again)
        })
      }
    ]),
    ...given([happen?.captured], (paid) => [
      {
        name: "says of a charge that the shopper has paid on the provider's page that it is captured",
        run: Effect.gen(function* () {
          const one = yield* opened(reference)
          yield* same("lookup", yield* stateAfter(bench, paid, one), "captured")
          const { externalId, captured } = yield* found(one.request)
          yield* same("the charge", [externalId, captured], [one.charge.externalId, price])
        })
      }
    ]),
    ...given([happen?.expired ?? later], () => [
      {
        name: "says of a charge that the shopper did not pay in time that it has failed, for that reason",
        run: Effect.gen(function* () {
          const one = yield* opened(reference)
          const { state, reason } = yield* lapsed(bench, one)
          yield* same("lookup", [state, reason], ["failed", "expired"])
        })
      }
    ])
  ]
}

/** The charge after its time is over. */
const lapsed = ({ found, happen, later }: Bench, { request, charge }: Opened) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (happen?.expired !== undefined) return Effect.andThen(happen.expired(request), found(request))
    const end = charge.expiresAt?.getTime() ?? now
    return later === undefined ? found(request) : later(Math.max(0, end - now))(found(request))
  })

export const pendingChecks = (bench: Bench, reference: string | null): Checks => {
  const { provider, opened, found, happen } = bench
  const begins = (one: Opened) =>
    same("the answer", [one.charge.state, one.charge.captured], ["pending", 0n] satisfies [ChargeState, bigint])
  return [
    {
      name: "takes a payment that is decided later as pending, with nothing captured and nothing to refund",
      run: Effect.gen(function* () {
        const one = yield* opened(reference)
        yield* begins(one)
        yield* same("lookup", yield* found(one.request), one.charge)
        yield* fails("a refund", "PaymentFailed", provider.refund(changeOf(one, "refund", 1n)))
      })
    },
    {
      name: "either ends a pending payment that is voided, or says that it cannot",
      run: Effect.gen(function* () {
        const one = yield* opened(reference)
        const released = yield* Effect.result(provider.void(changeOf(one, "void", 0n)))
        const { state } = yield* found(one.request)
        if (released._tag === "Success") yield* oneOf("lookup", state, ["voided", "failed"])
        else yield* same("the error", [released.failure._tag, state], ["PaymentFailed", "pending"])
      })
    },
    ...given([happen?.captured], (captured) => [
      {
        name: "says so when a pending payment has been captured",
        run: Effect.gen(function* () {
          const one = yield* opened(reference)
          yield* same("lookup", yield* stateAfter(bench, captured, one), "captured")
          yield* same("the sum", (yield* found(one.request)).captured, price)
        })
      }
    ]),
    ...given([happen?.failed], (failed) => [
      {
        name: "says so when a pending payment has failed late, and why",
        run: Effect.gen(function* () {
          const one = yield* opened(reference)
          yield* same("lookup", yield* stateAfter(bench, failed, one), "failed")
          const { captured, reason } = yield* found(one.request)
          yield* same("nothing is captured, and there is a reason", [captured, reason !== null], [0n, true])
        })
      }
    ])
  ]
}

export const expiringChecks = (bench: Bench, reference: string | null): Checks => {
  const { provider, opened, happen, later } = bench
  return given([happen?.expired ?? later], () => [
    {
      name: "says of what was reserved and not captured in time that it is released, and captures none of it",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "authorized")
        const { state, captured } = yield* lapsed(bench, one)
        yield* same("lookup", [state, captured], ["voided", 0n])
        if (happen?.expired === undefined) return
        yield* fails("capturing it", "PaymentFailed", provider.capture(changeOf(one, "capture", price)))
      })
    }
  ])
}

export const dashboardChecks = (bench: Bench, reference: string | null): Checks => {
  const { provider, opened, found, happen } = bench
  return [
    ...given([happen?.refunded], (refunded) => [
      {
        name: "tells of refunds that the merchant made in the dashboard, with no key, beside ours with its key",
        run: Effect.gen(function* () {
          const one = yield* opened(reference, "captured")
          const ours = changeOf(one, "refund", part)
          yield* holds("our refund", provider.refund(ours))
          yield* refunded(one.request, 2n * part)
          const listed = (yield* found(one.request)).refunds.map(({ key, amount }) => [key, amount])
          yield* same("both", listed, [
            [ours.key, part],
            [null, 2n * part]
          ])
          const left = price - 3n * part
          yield* fails("more than is left", "PaymentFailed", provider.refund(changeOf(one, "refund-2", left + 1n)))
          yield* refunded(one.request)
          yield* same("the rest refunded there", refundedOf(yield* found(one.request)), price)
        })
      }
    ]),
    ...given([happen?.refundFailed], (failed) => [
      {
        name: "takes back a refund that had succeeded when the bank returns it",
        run: Effect.gen(function* () {
          const one = yield* opened(reference, "captured")
          yield* holds("the refund", provider.refund(changeOf(one, "refund", part)))
          yield* failed(one.request)
          const { refunds, captured } = yield* found(one.request)
          yield* same(
            "lookup",
            [captured, refunds.map(({ amount, status }) => [amount, status])],
            [price, [[part, "failed"]]]
          )
        })
      }
    ]),
    ...disputeChecks(bench, reference)
  ]
}

const disputeChecks = (bench: Bench, reference: string | null): Checks => {
  const { opened, found, happen } = bench
  const disputes = ({ request }: Opened) =>
    Effect.map(found(request), (charge) => charge.disputes.map(({ amount, status }) => [amount, status]))
  return given([happen?.disputed], (disputed) => [
    {
      name: "tells of a dispute with its sum, and keeps what was captured and refunded as it is",
      run: Effect.gen(function* () {
        const one = yield* opened(reference, "captured")
        yield* disputed(one.request)
        yield* same("lookup", yield* disputes(one), [[price, "open"]])
        const { state, captured, refunds, disputes: all } = yield* found(one.request)
        yield* same("the charge", { state, captured, refunds }, { state: "captured", captured: price, refunds: [] })
        yield* same(
          "it has an id",
          all.every(({ id }) => id.length > 0),
          true
        )
      })
    },
    ...(["won", "lost"] as const).flatMap((end) =>
      given([end === "won" ? happen?.disputeWon : happen?.disputeLost], (ended) => [
        {
          name: `tells how a dispute has ended: ${end}`,
          run: Effect.gen(function* () {
            const one = yield* opened(reference, "captured")
            yield* disputed(one.request)
            yield* ended(one.request)
            yield* same("lookup", yield* disputes(one), [[price, end]])
            yield* same("what was captured", (yield* found(one.request)).captured, price)
          })
        }
      ])
    )
  ])
}
