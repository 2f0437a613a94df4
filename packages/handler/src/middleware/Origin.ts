/** The page that a request says it comes from. */
import type { HttpServerRequest } from "effect/http"
import { mostEcho } from "./BoundedAnswer.ts"

/**
 * It is said again to a browser whose page may read the answer: no more of it than of anything else that was sent. What
 * is longer names no page.
 */
export const originOf = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined => {
  const origin = headers["origin"]
  return origin === undefined || origin.length > mostEcho ? undefined : origin
}

const hostPattern = /^(?:[\w.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::\d{1,5})?$/

const first = (list: string | undefined): string => (list ?? "").split(",")[0]?.trim() ?? ""

/**
 * The scheme and host that a request was sent to: those of a web `Request`, else of its Host header, or of
 * X-Forwarded-Proto and X-Forwarded-Host where a trusted proxy says them. Empty where no host is named.
 */
export const addressedOrigin = (
  { source, headers }: HttpServerRequest.HttpServerRequest,
  forwarded: boolean
): string => {
  const own = source instanceof Request && URL.canParse(source.url) ? new URL(source.url) : undefined
  const said = (name: string) => (forwarded ? first(headers[name]) : "")
  const host = said("x-forwarded-host") || own?.host || (headers["host"] ?? "")
  const scheme = said("x-forwarded-proto") || own?.protocol.slice(0, -1) || (isEncrypted(source) ? "https" : "http")
  return hostPattern.test(host) && /^https?$/.test(scheme) ? `${scheme}://${host}` : ""
}

const isEncrypted = (source: object): boolean =>
  "socket" in source && typeof source.socket === "object" && source.socket !== null && "encrypted" in source.socket
