/**
 * Parses the target of a request once. Router, CORS, 405, idempotency and the error body all use this path, so that
 * they always mean the same route. Only the plain form of a path is known (RFC 3986): `;` and `#` end no path, and
 * empty segments, `.`, `..`, a slash at the end and characters that a path cannot hold make it one that no route has.
 */
import type { HttpServerRequest } from "effect/http"

export interface RequestTarget {
  /** The path as routes declare it, beginning with `/api` whatever the base path, in one canonical form of escapes. */
  readonly path: string
  /** `path` and the query, for the router. */
  readonly url: string
  /** As it was requested, without the query: error bodies show it. */
  readonly shown: string
  /**
   * `unknown`: no route can have this path. `malformed`: its escapes are invalid, or encode NUL or bytes that are not
   * UTF-8.
   */
  readonly problem?: "unknown" | "malformed"
}

/** Where the routes are declared. */
export const declaredBase = "/api"

/**
 * A Node request, as far as its target goes; hosts that strip a prefix from `url` (Express, connect) keep the whole in
 * `originalUrl`.
 */
export interface NodeTarget {
  readonly url?: string | undefined
  readonly originalUrl?: unknown
}

const isBelow = (path: string, base: string): boolean =>
  path.startsWith(base) && (path.length === base.length || "/?".includes(path.charAt(base.length)))

/** The absolute form that proxies are asked in (RFC 9112, 3.2.2), without scheme and host. */
const withoutHost = (target: string): string => {
  if (target.startsWith("/")) return target
  const host = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target)?.[0]
  return host === undefined ? target : target.slice(host.length)
}

/** The target as it was sent, and as a host's mount passes it on; undefined if neither has the base path. */
const placed = (
  { url = "", originalUrl }: NodeTarget,
  base: string
): { readonly whole: string; readonly ours: string | undefined } => {
  const whole = withoutHost(typeof originalUrl === "string" ? originalUrl : url)
  if (isBelow(whole, base)) return { whole, ours: whole }
  const stripped = withoutHost(url)
  return { whole, ours: isBelow(stripped, base) ? stripped : undefined }
}

/** Whether a Node request is for a path below the base path. */
export const isOurs = (request: NodeTarget, base: string): boolean => placed(request, base).ours !== undefined

/** A path without a slash at its end; `/` means no base path. */
export const isBasePath = (basePath: unknown): boolean =>
  typeof basePath === "string" && (basePath === "/" || (problemOf(basePath) === undefined && !basePath.includes("%")))

/** `""`, or a path without a slash at its end. */
export const basePathOf = (basePath: string): string => (basePath === "/" ? "" : basePath)

const plainPath = /^(?:\/[A-Za-z0-9\-._~!$&'()*+,=:@%]+)+$/
const dotSegment = /\/\.{1,2}(?:\/|$)/
const unreserved = /[A-Za-z0-9\-._~]/

const decodesBadly = (text: string): boolean => {
  try {
    return decodeURIComponent(text).includes("\u0000")
  } catch {
    return true
  }
}

/** What needs no escape is written without one, and the rest in capitals (RFC 3986, 6.2.2). */
const canonical = (path: string): string =>
  path.replace(/%[0-9A-Fa-f]{2}/g, (escape) => {
    const char = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
    return unreserved.test(char) ? char : escape.toUpperCase()
  })

const problemOf = (path: string): RequestTarget["problem"] => {
  if (path.includes("%") && decodesBadly(path)) return "malformed"
  return plainPath.test(path) && !dotSegment.test(path) ? undefined : "unknown"
}

const pathOf = (target: string): string => {
  const query = target.indexOf("?")
  return query < 0 ? target : target.slice(0, query)
}

const read = (whole: string, ours: string | undefined, base: string): RequestTarget => {
  const shown = pathOf(whole)
  if (ours === undefined) return { path: shown, url: whole, shown, problem: "unknown" }
  const asked = pathOf(ours)
  // If there is no base path, `/` is the base path itself.
  if (base === "" && asked === "/") return read(whole, `${declaredBase}${ours.slice(1)}`, declaredBase)
  const path = asked.includes("%") ? canonical(asked) : asked
  const routed = base === declaredBase ? path : `${declaredBase}${path.slice(base.length)}`
  // A fragment is no part of a request: neither of its path nor of its query.
  const problem = ours.includes("#") ? "unknown" : problemOf(path)
  return {
    path: routed,
    url: `${routed}${ours.slice(asked.length)}`,
    shown,
    ...(problem === undefined ? {} : { problem })
  }
}

export const targetOf = (request: HttpServerRequest.HttpServerRequest, base: string): RequestTarget => {
  const { source } = request
  // Only hosts with Node requests may have stripped a mount, or use the absolute form.
  const { whole, ours } = placed("httpVersionMajor" in source ? (source as NodeTarget) : { url: request.url }, base)
  return read(whole, ours, base)
}

/**
 * Characters of path and query together, parameters of a query, and characters of one of them with its name: far beyond
 * what any route reads.
 */
const targetBounds = { length: 16_384, parameters: 100, parameter: 8_192 } as const

/** Why the target is too long, if it is. */
export const sizeProblem = (url: string): string | undefined => {
  if (url.length > targetBounds.length) return `has more than ${targetBounds.length} characters`
  const at = url.indexOf("?")
  if (at < 0) return undefined
  const parameters = url.slice(at + 1).split("&")
  if (parameters.length > targetBounds.parameters) return `has more than ${targetBounds.parameters} parameters`
  return parameters.some((parameter) => parameter.length > targetBounds.parameter)
    ? `has a parameter of more than ${targetBounds.parameter} characters`
    : undefined
}

/**
 * Whether a query has escapes of NUL or of bytes that are not UTF-8, which would be decoded as something else. A lone
 * `%` is itself.
 */
export const hasBadQuery = (url: string): boolean => {
  const at = url.indexOf("?")
  return at >= 0 && url.includes("%", at) && (url.slice(at).match(/(?:%[0-9a-f]{2})+/gi) ?? []).some(decodesBadly)
}
