/** The origin of the page that sent the request. */
import type { HttpServerRequest } from "effect/http"
import { mostEcho } from "./BoundedAnswer.ts"

/**
 * It is repeated to a browser whose page may read the response, so its length is limited like that of everything
 * repeated. A longer text is not an origin.
 */
export const originOf = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined => {
  const origin = headers["origin"]
  return origin === undefined || origin.length > mostEcho ? undefined : origin
}

const hostPattern = /^(?:[\w.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::\d{1,5})?$/

const first = (list: string | undefined): string => (list ?? "").split(",")[0]?.trim() ?? ""

/**
 * The scheme and host that a request was sent to: those of a web `Request`, else of its Host header, or of
 * X-Forwarded-Proto and X-Forwarded-Host from a trusted proxy. Empty if there is no host.
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
