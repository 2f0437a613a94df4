/**
 * A long text that is the same for every caller: kept compressed, told apart by an ETag, and sent in the encoding that
 * the caller takes. Only the compressed bytes stay in memory.
 */
import { sha256Hex } from "@effect-commerce/core/crypto/Hashing"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { promisify } from "node:util"
import { brotliCompress, constants, gunzip, gzip } from "node:zlib"

export interface StoredAnswer {
  readonly contentType: string
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly gzip: Uint8Array
  readonly br: Uint8Array
}

const compress = { gzip: promisify(gzip), br: promisify(brotliCompress) }
const uncompress = promisify(gunzip)
/** Far on the side of size: it is done once. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** Compresses beside the event loop. */
export const storeAnswer = (text: string, contentType: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.promise(async (): Promise<StoredAnswer> => {
    const bytes = Buffer.from(text)
    const [zipped, br] = await Promise.all([compress.gzip(bytes), compress.br(bytes, brotli)])
    return { contentType, etag: `"${sha256Hex(bytes).slice(0, 32)}"`, headers, gzip: zipped, br }
  })

/** The encodings that Accept-Encoding names without refusing them by `q=0`. */
const takenBy = (header: string | undefined): ReadonlySet<string> =>
  new Set(
    (header ?? "")
      .toLowerCase()
      .split(",")
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
      .map((part) => part.split(";")[0]?.trim() ?? "")
  )

const bodyFor = (stored: StoredAnswer, taken: ReadonlySet<string>) => {
  if (taken.has("br")) return Effect.succeed({ body: stored.br, encoding: "br" })
  if (taken.has("gzip")) return Effect.succeed({ body: stored.gzip, encoding: "gzip" })
  return Effect.map(
    Effect.promise(() => uncompress(stored.gzip)),
    (body) => ({ body, encoding: undefined })
  )
}

/** 304 to whoever has it already (RFC 9110, 13.1.2), else the whole text. */
export const answerStored = Effect.fnUntraced(function* (stored: StoredAnswer) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const shared = { ...stored.headers, etag: stored.etag, "cache-control": "no-cache", vary: "Accept-Encoding" }
  const known = (headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""))
  if (known.includes(stored.etag) || known.includes("*"))
    return HttpServerResponse.empty({ status: 304, headers: shared })
  const { body, encoding } = yield* bodyFor(stored, takenBy(headers["accept-encoding"]))
  return HttpServerResponse.uint8Array(body, {
    contentType: stored.contentType,
    headers: { ...shared, ...(encoding === undefined ? {} : { "content-encoding": encoding }) }
  })
})
