/**
 * Reads the session of a person of the dashboard: its token comes as Authorization: Bearer, or in the cookie, which is
 * checked for requests that other sites make.
 */
import { sessionMark } from "@effect-commerce/core/team/DashboardUser"
import type { DashboardSessions, RecognisedSession } from "@effect-commerce/core/team/DashboardSessions"
import { Effect, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { RequestLimits } from "./Limits.ts"
import { type CrossSiteRequest, type RateLimited, SessionExpired, Unauthorized } from "./Refusals.ts"
import { checkCsrf, checkSameOrigin, cookieToken } from "./SessionCookie.ts"

type Request = HttpServerRequest.HttpServerRequest

/** What a request shows of itself. Equal texts in two headers are one credential. */
export interface Shown {
  /** Of X-API-Key or Authorization. */
  readonly given: string | undefined
  readonly cookie: string | undefined
  readonly isDoubled: boolean
}

export const bearerOf = (request: Request): string | undefined => {
  const value = request.headers["authorization"]
  return value === undefined ? undefined : (/^bearer (.*)$/i.exec(value)?.[1]?.trim() ?? "")
}

/** `withCookie`: whether the route reads cookies. */
export const shownBy = (request: Request, withCookie: boolean): Effect.Effect<Shown> => {
  const header = request.headers["x-api-key"]
  const bearer = bearerOf(request)
  const given = header ?? bearer
  const isTwo = header !== undefined && bearer !== undefined && header !== bearer
  if (!withCookie) return Effect.succeed({ given, cookie: undefined, isDoubled: isTwo })
  return Effect.map(cookieToken(request), (cookie) => ({
    given,
    cookie,
    isDoubled: isTwo || (cookie !== undefined && given !== undefined)
  }))
}

export interface ShownSession {
  readonly session: RecognisedSession
  readonly isCookie: boolean
}

export type SessionRefused = Unauthorized | SessionExpired | CrossSiteRequest

/** Whether this is a session, valid or not, and no other credential. */
export const showsSession = ({ given, cookie }: Shown): boolean =>
  cookie !== undefined || given?.startsWith(sessionMark) === true

const wanted = "Log in first: Authorization: Bearer dash_…"

/**
 * The session, or the error to return once the limits have let the request pass. A token of no session counts as a
 * failed authentication; one whose time has passed does not.
 */
export const readSession = Effect.fnUntraced(function* (
  sessions: DashboardSessions["Service"],
  request: Request,
  shown: Shown,
  limits: RequestLimits
): Effect.fn.Return<Result.Result<ShownSession, SessionRefused>, RateLimited> {
  const { given, cookie, isDoubled } = shown
  const token = given ?? cookie
  if (token === undefined) return Result.fail(new Unauthorized({ reason: wanted }))
  const session =
    isDoubled || !token.startsWith(sessionMark) ? undefined : yield* sessions.recognise(token, limits.reading(true))
  if (session === undefined) {
    yield* limits.markFailed
    return Result.fail(
      new Unauthorized({ reason: isDoubled ? "Send one credential, not two" : "This session is not valid; log in" })
    )
  }
  if (session.isOver) return Result.fail(new SessionExpired())
  if (cookie === undefined) return Result.succeed({ session, isCookie: false })
  const isCsrf = (text: string) => sessions.isCsrfOf(session.person.sessionId, text)
  return yield* Effect.result(
    Effect.as(Effect.andThen(checkSameOrigin(request), checkCsrf(request, isCsrf)), { session, isCookie: true })
  )
})
