/**
 * The worker for thumbnails that were not made during the upload: the process was busy or died, the picture was not
 * decoded in time, or the thumbnail was finished after the response, when products may already show the file without
 * it. One file of each store in turn. After the third failure a file stays without a thumbnail.
 */
import { Clock, Context, Effect, Layer, Stream } from "effect"
import { Database } from "../database/Database.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import { Stores } from "../store/Stores.ts"
import { MediaFileRepository } from "./MediaFileRepository.ts"
import { MediaReferences } from "./MediaReferences.ts"
import { ObjectStore } from "./ObjectStore.ts"
import { type DueThumbnail, ThumbnailRepository } from "./ThumbnailRepository.ts"
import { Thumbnails } from "./Thumbnails.ts"

export class LateThumbnails extends Context.Service<LateThumbnails>()("@effect-commerce/core/media/LateThumbnails", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* MediaFileRepository
    const thumbnailRows = yield* ThumbnailRepository
    const objects = yield* ObjectStore
    const thumbnails = yield* Thumbnails
    const holders = yield* MediaReferences
    const stores = yield* Stores

    /** Adds the thumbnail wherever the file is shown without it, and marks the file as done. */
    const tell = Effect.fnUntraced(function* (storeId: string, file: DueThumbnail) {
      const store = yield* Effect.orDie(stores.context(storeId))
      const now = yield* Clock.currentTimeMillis
      yield* database.write(storeId)(
        Effect.gen(function* () {
          const locked = yield* repository.lock(storeId, file.id)
          if (locked === undefined || locked.thumbnailKey === null) return
          for (const { addThumbnail } of holders) if (addThumbnail !== undefined) yield* addThumbnail(store, file, now)
          yield* thumbnailRows.done(storeId, file.id)
        })
      )
    })

    const bytesOf = Effect.fnUntraced(function* ({ key }: DueThumbnail) {
      const parts = yield* Stream.runCollect(yield* objects.get(key))
      return Buffer.concat(parts)
    })

    /** The next file of the store, with its bytes if its thumbnail is still to be made. */
    const next = Effect.fnUntraced(function* (storeId: string) {
      const now = new Date(yield* Clock.currentTimeMillis)
      const file = yield* database.write(storeId)(thumbnailRows.takeDue(storeId, now))
      if (file === undefined || file.thumbnailKey !== null) return { file, bytes: undefined }
      const bytes = yield* bytesOf(file).pipe(
        Effect.catch((error) =>
          Effect.as(Effect.logWarning("A file cannot be read for its thumbnail; it is tried again", error), undefined)
        )
      )
      return { file, bytes }
    })

    const lookAfterOne = Effect.fnUntraced(function* (storeId: string) {
      const file = yield* thumbnails.inTurn(storeId, next(storeId))
      if (file !== undefined) yield* tell(storeId, file)
      return file !== undefined
    })

    const due = Effect.flatMap(Clock.currentTimeMillis, (now) => thumbnailRows.storesWithDue(new Date(now)))

    return { pass: storesInTurn("Looking after a thumbnail", due, lookAfterOne) }
  })
}) {
  static readonly layer = Layer.effect(LateThumbnails, LateThumbnails.make)
}
