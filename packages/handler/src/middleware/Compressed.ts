/**
 * JSON above 1 KB is sent compressed to clients that accept it (RFC 9110, 12.5.3), through every adapter. Cached bytes
 * are compressed once: the compressed bytes are kept as long as the bytes they were made from.
 *
 * An answer that shows a secret for the first time (a key, a token) is sent as it is: the length of a compressed
 * response reveals which part of it a caller has guessed. All others are asked for with a credential in a header, which
 * no other page can make a browser send.
 *
 * A body that is compressed within two milliseconds is compressed at once. A longer one is compressed beside the event
 * loop, one at a time in a process: while one is being compressed, others are sent as they are.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { promisify } from "node:util"
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib"
import { type Encoding, encodingFor } from "./AcceptedEncoding.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Smaller bodies are not compressed. */
const leastCompressed = 1_024
/** Bodies up to this size are compressed at once. */
const mostAtOnce = 262_144

/** As fast as level 1 of gzip, and smaller by a seventh. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } }
const fast = { level: 1 }

const atOnce: Readonly<Record<Encoding, (body: Uint8Array) => Uint8Array>> = {
  br: (body) => brotliCompressSync(body, brotli),
  gzip: (body) => gzipSync(body, fast)
}
const brotliBeside = promisify(brotliCompress)
const gzipBeside = promisify(gzip)
const beside: Readonly<Record<Encoding, (body: Uint8Array) => Promise<Uint8Array>>> = {
  br: (body) => brotliBeside(body, brotli),
  gzip: (body) => gzipBeside(body, fast)
}

/** By the bytes they were made of. Whoever keeps these counts half of their length for what is here. */
const compressedOf = new WeakMap<Uint8Array, Partial<Record<Encoding, Uint8Array>>>()

let isLongUnderWay = false

/** Undefined where the body is sent as it is. */
const compressedBody = (body: Uint8Array, encoding: Encoding): Effect.Effect<Uint8Array | undefined> =>
  Effect.suspend(() => {
    const known = compressedOf.get(body) ?? {}
    const kept = known[encoding]
    if (kept !== undefined) return Effect.succeed(kept)
    const keep = (bytes: Uint8Array) => {
      compressedOf.set(body, { ...compressedOf.get(body), [encoding]: bytes })
      return bytes
    }
    if (body.byteLength <= mostAtOnce) return Effect.sync(() => keep(atOnce[encoding](body)))
    if (isLongUnderWay) return Effect.undefined
    isLongUnderWay = true
    const done = () => {
      isLongUnderWay = false
    }
    // A compression that has begun goes on when its request ends, and no other one starts until it is done.
    return Effect.promise(() => beside[encoding](body).then(keep).finally(done))
  })

/** The bytes of JSON that may be compressed, or undefined. */
const jsonBytes = ({ body, headers }: Response): Uint8Array | undefined =>
  body._tag === "Uint8Array" &&
  body.contentLength >= leastCompressed &&
  headers["content-encoding"] === undefined &&
  (body.contentType ?? headers["content-type"] ?? "").startsWith("application/json")
    ? body.body
    : undefined

/** Names of Vary, each once. */
const varies = (...values: ReadonlyArray<string | undefined>): string => {
  const names = values.flatMap((value) => (value ?? "").split(",")).map((name) => name.trim())
  const known = new Map(names.filter((name) => name !== "").map((name) => [name.toLowerCase(), name]))
  return [...known.values()].join(", ")
}

/**
 * The response in the best encoding that `accepted`, an Accept-Encoding, names; `vary` is what it depends on besides.
 * HEAD is answered like GET, with the length that GET has; the server leaves the body out.
 */
export const compressed = (
  response: Response,
  accepted: string | undefined,
  vary: string | undefined
): Effect.Effect<Response> => {
  const bytes = jsonBytes(response)
  if (bytes === undefined) return Effect.succeed(response)
  const varying = HttpServerResponse.setHeader(
    response,
    "vary",
    varies(vary, response.headers["vary"], "Accept-Encoding")
  )
  const encoding = encodingFor(accepted)
  if (encoding === undefined) return Effect.succeed(varying)
  return Effect.map(compressedBody(bytes, encoding), (body) =>
    body === undefined
      ? varying
      : HttpServerResponse.uint8Array(body, {
          status: varying.status,
          contentType: "application/json",
          headers: { ...varying.headers, "content-length": String(body.byteLength), "content-encoding": encoding }
        })
  )
}
