/** A file of the storage as browsers and CDNs ask for it: whole, a part of it, or what is known of it (RFC 9110). */
import type { ByteRange } from "@effect-commerce/core/media/ObjectStore"
import { Effect, type Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { rangeOf } from "./rangeOf.ts"

interface StoredFile<E, F> {
  readonly mimeType: string
  readonly size: number
  /** Changes with the content: a request for a part of another content gets the whole. */
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly open: (range?: ByteRange) => Effect.Effect<Stream.Stream<Uint8Array, F>, E>
}

export const storedFile = <E, F>(
  { method, headers: asked }: HttpServerRequest.HttpServerRequest,
  { mimeType, size, etag, headers: own, open }: StoredFile<E, F>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E> => {
  const headers = { ...own, etag, "accept-ranges": "bytes" }
  const { range: wanted, "if-range": ifRange } = asked
  // A date is weaker than the tag: a request with a date only gets the whole file.
  const range = method === "GET" && (ifRange === undefined || ifRange === etag) ? rangeOf(wanted, size) : "whole"
  if (range === "none")
    return Effect.succeed(
      HttpServerResponse.empty({ status: 416, headers: { ...headers, "content-range": `bytes */${size}` } })
    )
  if (method === "HEAD")
    return Effect.succeed(
      HttpServerResponse.empty({
        status: 200,
        headers: { ...headers, "content-type": mimeType, "content-length": String(size) }
      })
    )
  const options = { contentType: mimeType, headers }
  if (range === "whole")
    return Effect.map(open(), (bytes) => HttpServerResponse.stream(bytes, { ...options, contentLength: size }))
  return Effect.map(open(range), (bytes) =>
    HttpServerResponse.stream(bytes, {
      ...options,
      status: 206,
      contentLength: range.last - range.first + 1,
      headers: { ...headers, "content-range": `bytes ${range.first}-${range.last}/${size}` }
    })
  )
}
