import { Exports } from "@effect-commerce/core/export/Exports"
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { requireScope } from "../middleware/ContentScope.ts"
import { privateFile } from "../middleware/Disposition.ts"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { ExportFilesGroup, ExportsGroup } from "./ExportApi.ts"

const exported = endpointsOf(
  ExportsGroup,
  Effect.fnUntraced(function* (handlers) {
    const exports = yield* Exports
    return handlers.handleAll({
      create: asAdmin((caller, { payload }) =>
        Effect.andThen(requireScope(caller, `${payload.resource}:read`), exports.create(caller.store, payload))
      ),
      get: asAdmin(
        Effect.fnUntraced(function* (caller, { params: { id } }) {
          yield* requireScope(caller, `${yield* exports.resourceOf(caller.store, id)}:read`)
          return yield* exports.get(caller.store, id)
        })
      )
    })
  })
)

const files = endpointsOf(
  ExportFilesGroup,
  Effect.fnUntraced(function* (handlers) {
    const exports = yield* Exports
    return handlers.handleRaw("read", ({ params: { token }, request }) =>
      Effect.map(exports.file(token), ({ name, mimeType, size, content }) => {
        const headers = privateFile(name)
        return request.method === "HEAD"
          ? HttpServerResponse.empty({
              status: 200,
              headers: { ...headers, "content-type": mimeType, "content-length": String(size) }
            })
          : HttpServerResponse.stream(content, { contentType: mimeType, contentLength: size, headers })
      })
    )
  })
)

export const exportEndpoints = Layer.mergeAll(exported, files)
