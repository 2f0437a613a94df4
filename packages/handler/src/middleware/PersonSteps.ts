/**
 * The guard of `/auth`: people who log in, and what they do with their own sessions, which belong to no store. Limits →
 * session → bounded body → decode → handler. Every answer is private and may show a secret.
 */
import type { RateLimits } from "@effect-commerce/core/guard/RateLimits"
import type { DashboardSessions } from "@effect-commerce/core/team/DashboardSessions"
import { Context, Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { type BodyFacts, checkBody, hasBody, readBytes } from "./Body.ts"
import type { makeBodyBytes } from "./BodyBytes.ts"
import { PersonCaller, VisitorCaller } from "./Callers.ts"
import type { Exchange } from "./Exchange.ts"
import { type Asked, countFailedAuth, makeRequestLimits } from "./Limits.ts"
import type { PolicyFacts } from "./Policy.ts"
import { keepPrivate } from "./Presented.ts"
import { IdempotencyKeyOnGet } from "./Refusals.ts"
import { checkSameOrigin } from "./SessionCookie.ts"
import { readSession, shownBy } from "./SessionCredential.ts"
import type { HandlerSettings } from "./Settings.ts"

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

/** What steps of every route share. */
export interface PersonServices {
  readonly limits: RateLimits["Service"]
  readonly settings: HandlerSettings
  readonly sessions: DashboardSessions["Service"]
  readonly receiving: ReturnType<typeof makeBodyBytes>
}

/** What the declaration of one route says. */
export interface PersonRoute {
  readonly endpoint: HttpApiEndpoint.Top
  readonly policy: PolicyFacts
  readonly maxBody: number
  readonly bodyFacts: BodyFacts
  readonly cap: Pick<Asked, "cap">
}

export const personSteps =
  (
    { limits, settings, sessions, receiving }: PersonServices,
    { endpoint, policy, maxBody, bodyFacts, cap }: PersonRoute
  ) =>
  (next: Effect.Effect<Response, unknown>) => {
    const visitor = (request: Request, exchange: Exchange) =>
      Context.make(VisitorCaller, {
        from: { device: request.headers["user-agent"] ?? null, address: exchange.ip ?? null },
        countFailure: countFailedAuth(limits, settings, exchange),
        checkSameOrigin: checkSameOrigin(request)
      })

    return Effect.fnUntraced(function* (exchange: Exchange) {
      const request = yield* HttpServerRequest.HttpServerRequest
      exchange.showsSecret = true
      keepPrivate(exchange)
      const requestLimits = makeRequestLimits(limits, settings, { exchange, failures: "always", ...cap })
      const read =
        policy.session === undefined
          ? undefined
          : yield* readSession(sessions, request, yield* shownBy(request, true), requestLimits)
      yield* requestLimits.take(undefined)
      const shown = read === undefined ? undefined : yield* Effect.fromResult(read)
      if (shown !== undefined) yield* sessions.touch(shown.session)
      yield* receiving(request, exchange, maxBody)
      const bytes = yield* readBytes(request, maxBody)
      if (request.method === "GET" && request.headers["idempotency-key"] !== undefined)
        return yield* new IdempotencyKeyOnGet()
      const introduce = (context: Context.Context<never>): Context.Context<never> =>
        shown === undefined
          ? Context.merge(context, visitor(request, exchange))
          : Context.add(context, PersonCaller, { person: shown.session.person, isCookie: shown.isCookie })
      const handle = (checked: Request) =>
        Effect.updateContext(next, (context: Context.Context<never>) =>
          Context.add(introduce(context), HttpServerRequest.HttpServerRequest, checked)
        )
      return yield* hasBody(endpoint, bytes)
        ? Effect.flatMap(checkBody(request, bytes, bodyFacts), handle)
        : handle(request)
    })
  }
