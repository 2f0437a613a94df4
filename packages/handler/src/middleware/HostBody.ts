/**
 * Where the body of a request is, if the host has handled the request before. A body parser of the host (Express, Koa,
 * Nest, Next) has read the stream and left its result in `request.body`, or the bytes in `rawBody`; the stream is at
 * its end then, and would look like an empty body.
 */
import type { HttpServerRequest } from "effect/http"

export type HostBody =
  /** Nothing was sent. */
  | { readonly _tag: "None" }
  /** Nobody has read it. */
  | { readonly _tag: "Unread" }
  /** A parser ran first; these are the bytes, or (`isParsed`) its value as JSON. */
  | { readonly _tag: "Taken"; readonly bytes: Uint8Array; readonly isParsed?: true }
  /** A parser ran first, and its result cannot be a body of this API. */
  | { readonly _tag: "Unsound"; readonly reason: string }
  /** It was read, in part or whole, and is not available any more. */
  | { readonly _tag: "Gone" }

/** A request as Node and the host's parsers leave it. */
interface NodeBody {
  readonly httpVersionMajor: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly readableDidRead?: boolean
  readonly readableEnded?: boolean
  readonly body?: unknown
  readonly rawBody?: unknown
}

const none: HostBody = { _tag: "None" }
const unread: HostBody = { _tag: "Unread" }
const gone: HostBody = { _tag: "Gone" }

export const bodyOfHost = ({ source, method }: HttpServerRequest.HttpServerRequest): HostBody => {
  if (source instanceof Request) {
    if (source.body === null) return none
    return source.bodyUsed || source.body.locked ? gone : unread
  }
  if ("httpVersionMajor" in source) return bodyOfNode(source as NodeBody)
  return method === "GET" || method === "HEAD" ? none : unread
}

/** HTTP/1 announces a body in its headers; without that there is none (RFC 9112, 6.3). */
const isAnnounced = ({ httpVersionMajor, headers }: NodeBody): boolean =>
  httpVersionMajor !== 1 || headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

const bodyOfNode = (request: NodeBody): HostBody => {
  if (!isAnnounced(request)) return none
  if (request.readableDidRead !== true) return request.readableEnded === true ? none : unread
  const value = left(request)
  if (value === undefined) return gone
  if (value instanceof Uint8Array) return { _tag: "Taken", bytes: value }
  if (typeof value === "string") return { _tag: "Taken", bytes: encoder.encode(value) }
  return isJsonType(request.headers["content-type"]) ? asJson(value) : otherMedia
}

/** Some hosts parse when `body` is read, and throw if it is not JSON; then nothing is left. */
const left = (request: NodeBody): unknown => {
  try {
    return request.rawBody instanceof Uint8Array ? request.rawBody : request.body
  } catch {
    return undefined
  }
}

const encoder = new TextEncoder()

/** A form, or parts of one. Its type is rejected later (415); until then it counts as a body that is not empty. */
const otherMedia: HostBody = { _tag: "Taken", bytes: encoder.encode("(not JSON)"), isParsed: true }

const isJsonType = (type: unknown): boolean => typeof type !== "string" || /^\s*(?:;|$)|json/i.test(type)

/** A number too large for JSON would be written `null`, which clears a field. */
const soundNumber = (_key: string, value: unknown): unknown => {
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError()
  return value
}

const asJson = (value: unknown): HostBody => {
  try {
    return { _tag: "Taken", bytes: encoder.encode(JSON.stringify(value, soundNumber)), isParsed: true }
  } catch {
    return { _tag: "Unsound", reason: "holds a number or a depth that JSON cannot hold" }
  }
}
