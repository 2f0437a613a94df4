/**
 * Routes that exist under the test clock alone: one moves the clock of the whole instance, one moves money at the
 * `test` payment provider and delivers its notice.
 */
import { SimulatedNotices } from "@effect-commerce/core/completion/SimulatedNotices"
import { ClockControl } from "@effect-commerce/core/database/CommerceClock"
import { parseIsoTime } from "@effect-commerce/core/kernel/IsoTime"
import { parseAmount } from "@effect-commerce/core/kernel/Money"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { testEventTypes } from "@effect-commerce/core/testpayment/TestEvents"
import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RequestInvalid } from "../middleware/Refusals.ts"

const Move = Schema.Struct({ now: Schema.optionalKey(Schema.String), advanceMs: Schema.optionalKey(Schema.Int) })
const decodeMove = Schema.decodeUnknownEffect(Move)

const ProviderEvent = Schema.Struct({
  checkoutId: Schema.optionalKey(Schema.String),
  orderId: Schema.optionalKey(Schema.String),
  type: Schema.Literals(testEventTypes),
  amount: Schema.optionalKey(Schema.Union([Schema.Finite, Schema.String]))
})
const decodeEvent = Schema.decodeUnknownEffect(ProviderEvent)

const testClockPath = "/api/test/clock"
const providerEventsPath = "/api/test/provider-events"
export const testPaths = [testClockPath, providerEventsPath]

const refuse = (errors: Record<string, string>) => () => new RequestInvalid({ errors })

/** Years of four digits: with any other clock dates of responses and rows could not be written. */
const years = "the years 1970 to 9999"
const latest = Date.UTC(10_000, 0, 1) - 1

/** `{ now?, advanceMs? }` -> `{ now }`; `{ advanceMs: 0 }` reads the clock. */
const moveClock = (clock: ClockControl["Service"]) =>
  HttpRouter.add(
    "POST",
    testClockPath,
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const body = yield* Effect.mapError(request.json, refuse({ body: "must be JSON" }))
      const move = yield* Effect.mapError(
        decodeMove(body),
        refuse({ body: "takes now (ISO 8601) or advanceMs (whole milliseconds)" })
      )
      const to = move.now === undefined ? undefined : parseIsoTime(move.now)?.getTime()
      if (move.now !== undefined && to === undefined)
        return yield* new RequestInvalid({ errors: { now: `must be an ISO 8601 time of ${years}` } })
      const aim = to ?? (yield* clock.advance(0)) + (move.advanceMs ?? 0)
      if (aim < 0 || aim > latest)
        return yield* new RequestInvalid({ errors: { advanceMs: `must lead to a time of ${years}` } })
      const now = to === undefined ? yield* clock.advance(move.advanceMs ?? 0) : yield* clock.set(to)
      return HttpServerResponse.jsonUnsafe({ now: new Date(now).toISOString() })
    })
  )

const amountOf = (amount: number | string | undefined) => (currency: string) => {
  if (amount === undefined) return Effect.undefined
  const minor = parseAmount(amount, currency)
  return typeof minor === "bigint" ? Effect.succeed(minor) : FieldRejected.at("amount", minor.message)
}

/**
 * `{ checkoutId | orderId, type, amount? }` -> `{ applied: true, orderId }`; without `amount` the whole rest. Repeating
 * it changes nothing.
 */
const sendProviderEvent = (notices: SimulatedNotices["Service"]) =>
  HttpRouter.add(
    "POST",
    providerEventsPath,
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const body = yield* Effect.mapError(request.json, refuse({ body: "must be JSON" }))
      const shape = `takes checkoutId or orderId, type (${testEventTypes.join(", ")}) and amount`
      const { checkoutId, orderId, type, amount } = yield* Effect.mapError(decodeEvent(body), refuse({ body: shape }))
      if ((checkoutId === undefined) === (orderId === undefined))
        return yield* new RequestInvalid({ errors: { checkoutId: "give checkoutId or orderId" } })
      const asked = checkoutId === undefined ? { orderId: orderId ?? "" } : { checkoutId }
      const applied = yield* notices.simulate(asked, type, amountOf(amount))
      return HttpServerResponse.jsonUnsafe({ applied: true, orderId: applied.orderId })
    })
  )

export const testRoutes = Layer.unwrap(
  Effect.map(Effect.all([ClockControl, SimulatedNotices]), ([clock, notices]) =>
    Layer.mergeAll(moveClock(clock), sendProviderEvent(notices))
  )
)
