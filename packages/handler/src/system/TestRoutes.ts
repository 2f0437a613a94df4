/** Routes that exist under the test clock alone (operations.md, COMMERCE_TEST_CLOCK): they move the clock of the whole instance. */
import { ClockControl } from "@effect-commerce/core/database/CommerceClock"
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RequestInvalid } from "../middleware/Refusals.ts"

const Move = Schema.Struct({ now: Schema.optionalKey(Schema.String), advanceMs: Schema.optionalKey(Schema.Int) })
const decodeMove = Schema.decodeUnknownEffect(Move)

export const testClockPath = "/api/test/clock"

/** `{ now?, advanceMs? }` -> `{ now }`; `{ advanceMs: 0 }` reads the clock. */
export const testRoutes = HttpRouter.add(
  "POST",
  testClockPath,
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const clock = yield* ClockControl
    const refuse = (errors: Record<string, string>) => () => new RequestInvalid({ errors })
    const body = yield* Effect.mapError(request.json, refuse({ body: "must be JSON" }))
    const move = yield* Effect.mapError(decodeMove(body), refuse({ body: "takes now (ISO 8601) or advanceMs (whole milliseconds)" }))
    const to = move.now === undefined ? undefined : Date.parse(move.now)
    if (to !== undefined && Number.isNaN(to)) return yield* new RequestInvalid({ errors: { now: "must be an ISO 8601 time" } })
    const now = to === undefined ? yield* clock.advance(move.advanceMs ?? 0) : yield* clock.set(to)
    return HttpServerResponse.jsonUnsafe({ now: new Date(now).toISOString() })
  })
)
