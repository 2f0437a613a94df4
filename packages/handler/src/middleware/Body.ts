/**
 * Reads a request's body once, bounded, and hands the checked text on: too large is 413, bytes that are no UTF-8, NUL
 * characters and lone surrogates are 400. PostgreSQL would refuse the first two late and store the third as something
 * else.
 */
import { ByteSize, Effect, Stream } from "effect"
import { Headers, HttpIncomingMessage, Multipart, type HttpServerError, type HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { bodyOfHost } from "./HostBody.ts"
import { BodyGone, bodyGone, bodyParsed, MediaTypeUnsupported, PayloadTooLarge, RequestInvalid } from "./Refusals.ts"

export const defaultMaxBody = 1_048_576

const none = new Uint8Array(0)

/**
 * The raw bytes: none if none were sent, what the host's body parser left if it ran first, else read from the request.
 */
export const readBytes = (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: number
): Effect.Effect<Uint8Array, PayloadTooLarge | RequestInvalid | BodyGone> => {
  const host = bodyOfHost(request)
  switch (host._tag) {
    case "None":
      return Effect.succeed(none)
    case "Gone":
      return Effect.andThen(Effect.logError(bodyGone), Effect.fail(new BodyGone()))
    case "Unsound":
      return refuseText(host.reason)
    case "Taken":
      return host.bytes.length > maxBytes ? Effect.fail(new PayloadTooLarge({ maxBytes })) : Effect.succeed(host.bytes)
    case "Unread":
      return readStream(request, maxBytes)
  }
}

/** The same for a body whose bytes count: what a host's parser has left is not what was sent, unless it left them. */
export const exactBytes = (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: number
): Effect.Effect<Uint8Array, PayloadTooLarge | RequestInvalid | BodyGone> => {
  const host = bodyOfHost(request)
  const isParsed = host._tag === "Unsound" || (host._tag === "Taken" && host.isParsed === true)
  return isParsed
    ? Effect.andThen(Effect.logError(bodyParsed), Effect.fail(new BodyGone()))
    : readBytes(request, maxBytes)
}

/** A body that is announced as too large is not waited for. */
const readStream = (request: HttpServerRequest.HttpServerRequest, maxBytes: number) => {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Effect.fail(new PayloadTooLarge({ maxBytes }))
  return request.source instanceof Request ? readWeb(request.source, maxBytes) : readNode(request, maxBytes)
}

const unreadable = () => new RequestInvalid({ errors: { body: "could not be read" } })

/**
 * A body that is too large is left unread, not cancelled: cancelling a form's body makes Node 24 reject a promise that
 * nobody can catch, which would end the host's process.
 */
const readWeb = (request: Request, maxBytes: number) =>
  Effect.flatMap(
    Effect.tryPromise({ try: (signal) => bytesWithin(request, maxBytes, signal), catch: unreadable }),
    (bytes) => (bytes === undefined ? Effect.fail(new PayloadTooLarge({ maxBytes })) : Effect.succeed(bytes))
  )

/** Undefined where there are more. */
const bytesWithin = async (
  { body }: Request,
  maxBytes: number,
  signal: AbortSignal
): Promise<Uint8Array | undefined> => {
  if (body === null) return none
  const reader = body.getReader()
  const chunks: Array<Uint8Array> = []
  let size = 0
  try {
    while (!signal.aborted) {
      const { value, done } = await reader.read()
      if (done) return Buffer.concat(chunks)
      size += value.byteLength
      if (size > maxBytes) return undefined
      chunks.push(value)
    }
    return undefined
  } finally {
    reader.releaseLock()
  }
}

const readNode = (request: HttpServerRequest.HttpServerRequest, maxBytes: number) =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBytes)),
    Effect.map((buffer) => new Uint8Array(buffer)),
    Effect.catch((error) => Effect.fail(isTooLarge(error) ? new PayloadTooLarge({ maxBytes }) : unreadable()))
  )

const isTooLarge = (error: HttpServerError.HttpServerError): boolean =>
  error.reason._tag === "RequestParseError" && "reason" in error.reason && error.reason.reason === "BodyTooLarge"

const utf8 = new TextDecoder("utf-8", { fatal: true })
const refuseText = (reason: string) => Effect.fail(new RequestInvalid({ errors: { body: reason } }))

const decodeText = (bytes: Uint8Array): Effect.Effect<string, RequestInvalid> => {
  try {
    const text = utf8.decode(bytes)
    return text.includes("\u0000") ? refuseText("must not contain NUL characters") : Effect.succeed(text)
  } catch {
    return refuseText("must be valid UTF-8")
  }
}

/** Walks a parsed value, keys included. Only a body whose text contains `\u` can hold what this finds. */
const badText = (value: unknown): boolean => {
  if (typeof value === "string") return value.includes("\u0000") || !value.isWellFormed()
  if (Array.isArray(value)) return value.some(badText)
  if (typeof value === "object" && value !== null)
    return Object.entries(value).some(([key, inner]) => badText(key) || badText(inner))
  return false
}

/** Deeper than any real request, and far below what overflows a stack here, in a schema, or in PostgreSQL. */
const maxDepth = 100

/** Whether a JSON text is nested deeper than that: brackets are counted outside of strings. */
const isTooDeep = (text: string): boolean => {
  if (text.length < 2 * maxDepth) return false
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '"') i = endOfString(text, i)
    else if (char === "{" || char === "[") depth += 1
    else if (char === "}" || char === "]") depth -= 1
    if (depth > maxDepth) return true
  }
  return false
}

const endOfString = (text: string, from: number): number => {
  let i = from + 1
  while (i < text.length && text[i] !== '"') i += text[i] === "\\" ? 2 : 1
  return i
}

/** Parsed JSON, or undefined where there is no text. */
const parseJson = (text: string): Effect.Effect<unknown, RequestInvalid> => {
  if (text === "") return Effect.succeed(undefined)
  if (isTooDeep(text)) return refuseText(`is nested deeper than ${maxDepth} levels`)
  try {
    const value: unknown = JSON.parse(text)
    return text.includes("\\u") && badText(value)
      ? refuseText("must not contain NUL characters or lone surrogates")
      : Effect.succeed(value)
  } catch {
    return refuseText("must be valid JSON")
  }
}

/** Charsets whose bytes are UTF-8, or are read the same. */
const charsets = new Set(["utf-8", "utf8", "us-ascii"])
const charsetOf = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]?.toLowerCase()

const mediaTypeOf = (contentType: string): string => contentType.split(";")[0]?.trim().toLowerCase() ?? ""

const isCompressed = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  !["", "identity"].includes(headers["content-encoding"]?.trim().toLowerCase() ?? "")

/** Of a body that is kept as it came: whoever reads it later does not see by which header it was compressed. */
export const checkNotCompressed = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<void, MediaTypeUnsupported> =>
  isCompressed(request)
    ? Effect.fail(new MediaTypeUnsupported({ expected: "any media type, not compressed" }))
    : Effect.void

/** Content types of a body that the route does not expect; `fetch` sends the second for a string without a type. */
const unasked = ["application/json", "text/plain"]

/**
 * 415 for another content type than the endpoint takes, another charset than UTF-8, or a compressed body; a missing
 * content type counts as JSON.
 */
const checkMediaType = (
  request: HttpServerRequest.HttpServerRequest,
  endpoint: HttpApiEndpoint.Top
): Effect.Effect<void, MediaTypeUnsupported> => {
  const accepted = endpoint.payload.size === 0 ? unasked : [...endpoint.payload.keys()]
  const contentType = request.headers["content-type"] ?? ""
  const given = mediaTypeOf(contentType)
  const isTaken =
    (given === "" || accepted.includes(given)) &&
    charsets.has(charsetOf(contentType) ?? "utf-8") &&
    !isCompressed(request)
  return isTaken
    ? Effect.void
    : Effect.fail(new MediaTypeUnsupported({ expected: `${accepted.join(" or ")} in UTF-8, not compressed` }))
}

/**
 * The same request, whose body is the text already read and parsed. An empty content type counts as absent here, but
 * not in HttpApi.
 */
const withText = (
  request: HttpServerRequest.HttpServerRequest,
  text: string,
  json: unknown
): HttpServerRequest.HttpServerRequest => {
  const { headers } = request
  const type = headers["content-type"]
  return Object.create(request, {
    text: { value: Effect.succeed(text) },
    json: { value: Effect.succeed(json) },
    ...(type === undefined || mediaTypeOf(type) !== ""
      ? {}
      : { headers: { value: Headers.remove(headers, "content-type") } })
  })
}

const formType = "multipart/form-data"

/** Whether a form came to an endpoint that takes forms. */
const isForm = (request: HttpServerRequest.HttpServerRequest, endpoint: HttpApiEndpoint.Top): boolean =>
  endpoint.payload.has(formType) && mediaTypeOf(request.headers["content-type"] ?? "") === formType

/** The same request, whose form is read from the bytes. The form's reader checks its texts. */
const withForm = (
  request: HttpServerRequest.HttpServerRequest,
  bytes: Uint8Array
): HttpServerRequest.HttpServerRequest =>
  Object.create(request, {
    multipartStream: {
      get: () =>
        Stream.fromIterable([bytes]).pipe(Stream.pipeThroughChannel(Multipart.makeChannel({ ...request.headers })))
    }
  })

/** What a route says of its body. */
export interface BodyFacts {
  readonly endpoint: HttpApiEndpoint.Top
  readonly optional: boolean
  /** What the endpoint reads of the parsed body. */
  readonly fieldsOf: (json: unknown) => Effect.Effect<unknown, RequestInvalid>
}

/** Whether there is a body to check, or one is wanted. */
export const hasBody = (endpoint: HttpApiEndpoint.Top, bytes: Uint8Array): boolean =>
  endpoint.payload.size > 0 || bytes.length > 0

/**
 * The request as its endpoint may read it: of the right media type, its text sound and parsed once, its fields read by
 * `fieldsOf`. An `optional` body that is absent is an empty object.
 */
export const checkBody = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  bytes: Uint8Array,
  { endpoint, optional, fieldsOf }: BodyFacts
) {
  yield* checkMediaType(request, endpoint)
  if (isForm(request, endpoint)) return withForm(request, bytes)
  const sent = yield* decodeText(bytes)
  const text = sent === "" && optional ? "{}" : sent
  const json = yield* parseJson(text)
  if (json === undefined && endpoint.payload.size > 0)
    return yield* new RequestInvalid({ errors: { body: "a JSON body is required" } })
  const fields = yield* fieldsOf(json)
  return withText(request, fields === json ? text : JSON.stringify(fields), fields)
})
