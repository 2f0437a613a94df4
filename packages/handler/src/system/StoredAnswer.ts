/**
 * A long text that is the same for every caller: kept compressed, with an ETag, and sent in an encoding that the caller
 * accepts. Only the compressed bytes stay in memory.
 */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { promisify } from "node:util"
import { brotliCompress, constants, gunzip, gzip } from "node:zlib"
import { type Encoding, encodingFor } from "../middleware/AcceptedEncoding.ts"
import { entityTag, holds } from "../middleware/Cached.ts"

export interface StoredAnswer {
  readonly contentType: string
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly gzip: Uint8Array
  readonly br: Uint8Array
}

const compress = { gzip: promisify(gzip), br: promisify(brotliCompress) }
const uncompress = promisify(gunzip)
/** Small and still quick: the first request waits for it. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Compresses beside the event loop. */
export const storeAnswer = (text: string, contentType: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.promise(async (): Promise<StoredAnswer> => {
    const bytes = Buffer.from(text)
    const [zipped, br] = await Promise.all([compress.gzip(bytes), compress.br(bytes, brotli)])
    return { contentType, etag: entityTag(bytes), headers, gzip: zipped, br }
  })

const bodyFor = (stored: StoredAnswer, encoding: Encoding | undefined) =>
  encoding === undefined ? Effect.promise(() => uncompress(stored.gzip)) : Effect.succeed(stored[encoding])

/**
 * 304 if the client has it already (RFC 9110, 13.1.2), else the whole text. `fixed`: the content of the address never
 * changes.
 */
export const answerStored = Effect.fnUntraced(function* (stored: StoredAnswer, fixed = false) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const shared = {
    ...stored.headers,
    etag: stored.etag,
    "cache-control": fixed ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "Accept-Encoding"
  }
  if (holds(headers["if-none-match"], stored.etag)) return HttpServerResponse.empty({ status: 304, headers: shared })
  const encoding = encodingFor(headers["accept-encoding"])
  const body = yield* bodyFor(stored, encoding)
  return HttpServerResponse.uint8Array(body, {
    contentType: stored.contentType,
    headers: { ...shared, ...(encoding === undefined ? {} : { "content-encoding": encoding }) }
  })
})
