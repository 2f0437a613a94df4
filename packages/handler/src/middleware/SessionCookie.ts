/**
 * Sessions of the dashboard in cookies, for pages on the origin of this server. A browser sends a cookie by itself,
 * even if another site makes the request: so a cookie counts only on requests of the same origin, and a write must
 * carry the session's X-CSRF-Token besides (decision 0042).
 */
import { RequestOrigin } from "@effect-commerce/core/media/MediaUrls"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { CrossSiteRequest } from "./Refusals.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Over https the name keeps subdomains from setting it: a browser takes it only from the host itself (RFC 6265bis). */
const secureName = "__Host-commerce_session"
const plainName = "commerce_session"

const isSecure = (origin: string): boolean => origin.startsWith("https://")
const nameOn = (origin: string): string => (isSecure(origin) ? secureName : plainName)

/** The value of the cookie; undefined without one. Of several with the name, none counts. */
const valueOf = (header: string | undefined, name: string): string | undefined => {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  const [value] = values
  return values.length === 1 && value !== "" ? value : undefined
}

/** The token that the request's cookie holds. */
export const cookieToken = ({ headers }: Request): Effect.Effect<string | undefined> =>
  Effect.map(RequestOrigin, (origin) => valueOf(headers["cookie"], nameOn(origin())))

const cookieOf = (origin: string, token: string, maxAge: number): string =>
  `${nameOn(origin)}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict` +
  (isSecure(origin) ? "; Secure" : "")

/** The header that makes the browser keep the token for `seconds`. */
export const keptCookie = (token: string, seconds: number): Effect.Effect<string> =>
  Effect.map(RequestOrigin, (origin) => cookieOf(origin(), token, seconds))

/** The header that makes the browser forget it. */
export const endedCookie: Effect.Effect<string> = Effect.map(RequestOrigin, (origin) => cookieOf(origin(), "", 0))

const isRead = (method: string): boolean => method === "GET" || method === "HEAD"

/**
 * Fails unless a page of this origin sends the request. Browsers say so in Origin or Sec-Fetch-Site, which pages cannot
 * set; a write without either is refused. `none` is a person who enters the address.
 */
export const checkSameOrigin = ({ headers, method }: Request): Effect.Effect<void, CrossSiteRequest> =>
  Effect.flatMap(RequestOrigin, (addressed) => {
    const origin = headers["origin"]
    const site = headers["sec-fetch-site"]
    const isForeign = origin !== undefined && origin !== addressed()
    const isCrossSite = site !== undefined && site !== "same-origin" && !(site === "none" && isRead(method))
    const isUnsaid = origin === undefined && site === undefined && !isRead(method)
    return isForeign || isCrossSite || isUnsaid
      ? Effect.fail(new CrossSiteRequest({ reason: "A session in a cookie is for pages of this origin" }))
      : Effect.void
  })

/** Fails unless a write carries the token of its session. */
export const checkCsrf = (
  { headers, method }: Request,
  isTokenOfSession: (given: string) => boolean
): Effect.Effect<void, CrossSiteRequest> =>
  isRead(method) || isTokenOfSession(headers["x-csrf-token"] ?? "")
    ? Effect.void
    : Effect.fail(new CrossSiteRequest({ reason: "A write under a cookie needs the session's X-CSRF-Token" }))
