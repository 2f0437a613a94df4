/**
 * Removes from the object storage what nobody may see any more: files deleted a month ago, uploads that nothing refers
 * to, and what a process left that died while it stored a file. Rows first become deleted, then the bytes go, then the
 * rows: a pass that is cut off anywhere is taken up by the next. Any number of processes may run it.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { type DueFile, MediaFileRepository } from "./MediaFileRepository.ts"
import { ObjectStore } from "./ObjectStore.ts"

export interface MediaSweepMethods {
  readonly pass: Effect.Effect<void>
}

/** Files of a store in one transaction, and batches of a store in one pass. */
const atOnce = 100
const mostBatches = 50
/** Milliseconds after which a file that the storage did not remove is tried again. */
const againMillis = 600_000

export class MediaSweep extends Context.Service<MediaSweep, MediaSweepMethods>()(
  "@effect-commerce/core/media/MediaSweep"
) {
  static readonly layer = Layer.effect(
    MediaSweep,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* MediaFileRepository
      const objects = yield* ObjectStore

      /** Whether the bytes are gone. */
      const removeBytes = ({ key, thumbnailKey }: DueFile) =>
        Effect.forEach(thumbnailKey === null ? [key] : [key, thumbnailKey], objects.remove).pipe(
          Effect.as(true),
          Effect.catch(({ cause }) =>
            Effect.as(Effect.logWarning("The media storage has not removed a file; it is tried again", cause), false)
          )
        )

      const sweepStore = Effect.fnUntraced(function* (storeId: string) {
        for (let batch = 0; batch < mostBatches; batch++) {
          const now = yield* Clock.currentTimeMillis
          const due = yield* database.write(storeId)(repository.takeDue(storeId, new Date(now), atOnce))
          if (due.length === 0) return
          const removed = yield* Effect.forEach(due, removeBytes, { concurrency: 8 })
          const gone = due.filter((_, i) => removed[i] === true).map(({ id }) => id)
          const left = due.filter((_, i) => removed[i] !== true).map(({ id }) => id)
          yield* database.write(storeId)(
            Effect.andThen(
              repository.forget(storeId, gone),
              repository.postpone(storeId, left, new Date(now + againMillis))
            )
          )
        }
      })

      const pass = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const storeIds = yield* repository.storesWithDue(new Date(now))
        yield* Effect.forEach(storeIds, sweepStore, { discard: true })
      })

      return MediaSweep.of({ pass })
    })
  )
}
