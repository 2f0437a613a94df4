import { sha256Hex } from "@effect-commerce/core/crypto/Hashing"
import { DownloadLinkInvalid } from "@effect-commerce/core/download/DownloadErrors"
import { Downloads, type OpenedFile } from "@effect-commerce/core/download/Downloads"
import type { ByteRange } from "@effect-commerce/core/media/ObjectStore"
import { Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import { storedFile } from "../media/storedFile.ts"
import { privateFile } from "../middleware/Disposition.ts"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { redirectTo } from "../middleware/Redirect.ts"
import { paged } from "../middleware/Responses.ts"
import { asCustomer, onChannel } from "../middleware/Surfaces.ts"
import { DownloadFilesGroup, DownloadsGroup } from "./DownloadApi.ts"

const downloads = endpointsOf(
  DownloadsGroup,
  Effect.fnUntraced(function* (handlers) {
    const downloads = yield* Downloads
    return handlers.handleAll({
      ofGuest: onChannel(({ store, channel }, { payload }) =>
        downloads.ofGuest(store, channel.id, payload.orderNumber, payload.email)
      ),
      ofCustomer: asCustomer(({ store, customer }, { query }) =>
        paged(query, (page) => downloads.ofCustomer(store, customer.id, page))
      )
    })
  })
)

const served = (
  content: Downloads["Service"]["content"],
  request: HttpServerRequest.HttpServerRequest,
  file: Extract<OpenedFile, { readonly at: "storage" }>
) => {
  // What is under a key never changes.
  const etag = `"${sha256Hex(file.key).slice(0, 32)}"`
  const open = (range?: ByteRange) => content(file.key, range)
  return storedFile(request, { ...file, etag, headers: privateFile(file.name), open }).pipe(
    Effect.catch((error) =>
      Effect.andThen(
        Effect.logError("A file that was bought cannot be read from the storage", error),
        Effect.fail(new DownloadLinkInvalid())
      )
    )
  )
}

const files = endpointsOf(
  DownloadFilesGroup,
  Effect.fnUntraced(function* (handlers) {
    const downloads = yield* Downloads
    return handlers.handleRaw("open", ({ params: { token }, request }) =>
      Effect.flatMap(downloads.open(token, request.method === "GET"), (file) =>
        file.at === "address"
          ? Effect.succeed(redirectTo(file.url, "private, no-store"))
          : served(downloads.content, request, file)
      )
    )
  })
)

export const downloadEndpoints = Layer.mergeAll(downloads, files)
