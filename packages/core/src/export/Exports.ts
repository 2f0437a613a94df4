/** Exports as they are asked for, shown and fetched. `ExportWork` writes them. */
import { Clock, Context, Effect, Layer, Stream } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { makeId } from "../kernel/Ids.ts"
import { SignedLinks } from "../link/SignedLinks.ts"
import { ObjectStore } from "../media/ObjectStore.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import {
  type ExportInput,
  type ExportResource,
  type ExportState,
  type ExportView,
  keptExportBound,
  openExportBound
} from "./Export.ts"
import { readFilters } from "./ExportChecks.ts"
import { ExportedRepository } from "./ExportedRepository.ts"
import { ExportLinkInvalid, ExportNotFound } from "./ExportErrors.ts"
import { mediaTypeOf } from "./ExportFormat.ts"
import { ExportRepository } from "./ExportRepository.ts"
import { ExportWork } from "./ExportWork.ts"

/** A finished file: its parts are streamed one after the other. */
export interface ExportFile {
  readonly name: string
  readonly mimeType: string
  readonly size: number
  readonly content: Stream.Stream<Uint8Array, unknown>
}

export class Exports extends Context.Service<Exports>()("@effect-commerce/core/export/Exports", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* ExportRepository
    const links = yield* SignedLinks
    const objects = yield* ObjectStore
    const stores = yield* Stores

    const toView = Effect.fnUntraced(function* (store: StoreContext, job: ExportState) {
      const now = yield* Clock.currentTimeMillis
      const address = yield* links.current
      const { id, resource, format, filters, status, reason, rows, expiresAt, createdAt } = job
      const until = status === "DONE" ? (expiresAt?.getTime() ?? 0) : 0
      return {
        id,
        resource,
        format,
        filters,
        status,
        reason,
        rows: Number(rows),
        url: until > now ? `${address}/exports/${links.sign("export", [store.id, id], until)}` : null,
        expiresAt: expiresAt?.toISOString() ?? null,
        createdAt: createdAt.toISOString()
      } satisfies ExportView
    })

    const find = (store: StoreContext, id: string) =>
      orFail(repository.find(store.id, id), () => new ExportNotFound({ id }))

    const create = Effect.fn("Exports.create")(function* (store: StoreContext, input: ExportInput) {
      const filters = yield* readFilters(input.resource, input.filters)
      const now = yield* Clock.currentTimeMillis
      const id = makeId("exp", now)
      const { resource, format } = input
      yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* checkRoom(openExportBound, yield* repository.countOpen(store.id))
          yield* checkRoom(keptExportBound, yield* repository.countKept(store.id))
          yield* repository.insert(store.id, { id, resource, format, filters }, new Date(now))
        })
      )
      return yield* Effect.flatMap(Effect.orDie(find(store, id)), (job) => toView(store, job))
    })

    const file = Effect.fnUntraced(function* (token: string) {
      const read = links.read("export", token, yield* Clock.currentTimeMillis)
      const [storeId = "", id = ""] = read?.parts ?? []
      if (read === undefined) return yield* new ExportLinkInvalid()
      const store = yield* Effect.mapError(stores.context(storeId), () => new ExportLinkInvalid())
      const job = yield* repository.find(storeId, id)
      const parts = yield* repository.parts(storeId, id)
      if (store.suspended || job?.status !== "DONE" || parts.length !== job.parts) return yield* new ExportLinkInvalid()
      const { resource, format, createdAt } = job
      const found: ExportFile = {
        name: `${resource}-${createdAt.toISOString().slice(0, 10)}.${format}`,
        mimeType: mediaTypeOf(format),
        size: parts.reduce((sum, { bytes }) => sum + Number(bytes), 0),
        content: Stream.flatMap(Stream.fromIterable(parts), ({ key }) => Stream.unwrap(objects.get(key)))
      }
      return found
    })

    return {
      create,
      /** What an export is of: it decides which scope its reader needs. */
      resourceOf: (store: StoreContext, id: string): Effect.Effect<ExportResource, ExportNotFound> =>
        Effect.map(find(store, id), ({ resource }) => resource),
      get: (store: StoreContext, id: string) => Effect.flatMap(find(store, id), (job) => toView(store, job)),
      /** The file that a link opens. */
      file
    }
  })
}) {
  static readonly layer = Layer.mergeAll(Layer.effect(Exports, Exports.make), ExportWork.layer).pipe(
    Layer.provide([ExportRepository.layer, ExportedRepository.layer])
  )
}
