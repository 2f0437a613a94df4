/**
 * Files as browsers and CDNs ask for them. The content of an address never changes, so responses may be cached for a
 * year; the ETag is the hash of the content. Only the four image types are shown in a page; browsers do not guess types
 * and run no scripts (`nosniff`, a policy without scripts).
 */
import { MediaNotFound } from "@effect-commerce/core/media/MediaErrors"
import { imageTypes } from "@effect-commerce/core/image/ImageType"
import { type FileToServe, ServedFiles } from "@effect-commerce/core/media/ServedFiles"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { disposition } from "../middleware/Disposition.ts"
import { FilesGroup } from "./MediaApi.ts"
import { storedFile } from "./storedFile.ts"

/** A year, in seconds. */
const lifetime = 31_536_000

const howShown = ({ mimeType }: FileToServe) =>
  imageTypes.some((type) => type === mimeType) ? ("inline" as const) : ("attachment" as const)

const headersOf = (file: FileToServe): Readonly<Record<string, string>> => ({
  "cache-control": `public, max-age=${lifetime}, immutable`,
  "content-disposition": disposition(howShown(file), file.name),
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
  "access-control-allow-origin": "*"
})

const knows = (header: string | undefined, etag: string): boolean =>
  (header ?? "").split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()))

const answer = (
  served: ServedFiles["Service"],
  request: HttpServerRequest.HttpServerRequest,
  file: FileToServe
): Effect.Effect<HttpServerResponse.HttpServerResponse, MediaNotFound> => {
  const etag = `"${file.hash}"`
  const headers = headersOf(file)
  if (knows(request.headers["if-none-match"], etag))
    return Effect.succeed(HttpServerResponse.empty({ status: 304, headers: { ...headers, etag } }))
  return storedFile(request, { ...file, etag, headers, open: (range) => served.open(file, range) }).pipe(
    Effect.catch((error) =>
      Effect.andThen(
        Effect.logError("A file of the media library cannot be read from the storage", error),
        Effect.fail(new MediaNotFound({ id: file.key }))
      )
    )
  )
}

export const fileEndpoints = endpointsOf(
  FilesGroup,
  Effect.fnUntraced(function* (handlers) {
    const served = yield* ServedFiles
    return handlers.handleRaw("read", ({ params: { storeId, name }, request }) =>
      Effect.flatMap(served.find(storeId, name), (file) =>
        file === undefined ? Effect.fail(new MediaNotFound({ id: name })) : answer(served, request, file)
      )
    )
  })
)
