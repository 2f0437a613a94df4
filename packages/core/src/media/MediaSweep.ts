/**
 * Removes obsolete files from the object storage: files deleted a month ago, uploads that nothing refers to, and files
 * of processes that died while storing them. For uploads that were kept for a customization it first asks the rooms
 * whether they still need them: their carts may have been deleted. Rows are first marked as deleted, then the bytes are
 * removed, then the rows: the next pass continues an interrupted one. Any number of processes may run it.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import { type DueFile, MediaFileRepository } from "./MediaFileRepository.ts"
import { thumbnailKeyOf } from "./MediaFile.ts"
import { ObjectStore } from "./ObjectStore.ts"
import { type NeededUpload, UploadUses } from "./UploadUses.ts"

/** Files of a store in one transaction. */
const atOnce = 100
/** Milliseconds after which removing a file is tried again. */
const againMillis = 600_000

export class MediaSweep extends Context.Service<MediaSweep>()("@effect-commerce/core/media/MediaSweep", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* MediaFileRepository
    const objects = yield* ObjectStore
    const uses = yield* UploadUses
    const clock = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

    /** Whether the bytes were deleted. */
    const removeBytes = ({ key }: DueFile) =>
      // A process may have died after it had stored a thumbnail and before it updated the row.
      Effect.forEach([key, thumbnailKeyOf(key)], objects.remove).pipe(
        Effect.as(true),
        Effect.catch(({ cause }) =>
          Effect.as(Effect.logWarning("The media storage has not removed a file; it is tried again", cause), false)
        )
      )

    /** Returns whether there was a file to remove. */
    const sweepSome = Effect.fnUntraced(function* (storeId: string) {
      const now = yield* Clock.currentTimeMillis
      const due = yield* database.write(storeId)(repository.takeDue(storeId, new Date(now), atOnce))
      if (due.length === 0) return false
      const removed = yield* Effect.forEach(due, removeBytes, { concurrency: 8 })
      const gone = due.filter((_, i) => removed[i] === true).map(({ id }) => id)
      const left = due.filter((_, i) => removed[i] !== true).map(({ id }) => id)
      yield* database.write(storeId)(
        Effect.andThen(
          repository.forget(storeId, gone),
          repository.postpone(storeId, left, new Date(now + againMillis))
        )
      )
      return true
    })

    /** Marks uploads that no room needs as deleted. Returns whether there was an upload to review. */
    const reviewSome = Effect.fnUntraced(function* (storeId: string) {
      const now = yield* clock
      return yield* database.write(storeId)(
        Effect.gen(function* () {
          const ids = yield* repository.takeReviewed(storeId, now, atOnce)
          if (ids.length === 0) return false
          const needed = latestOf((yield* Effect.forEach(uses, (use) => use.needed(storeId, ids, now))).flat())
          const unneeded = ids.filter((id) => !needed.has(id))
          if (unneeded.length > 0) yield* repository.remove(storeId, unneeded, now, now)
          yield* repository.reviewAgain(storeId, [...needed.values()])
          return true
        })
      )
    })

    const pass = Effect.andThen(
      storesInTurn(
        "Looking for uploads that nothing needs",
        Effect.flatMap(clock, repository.storesToReview),
        reviewSome
      ),
      storesInTurn("Removing files", Effect.flatMap(clock, repository.storesWithDue), sweepSome)
    )

    return { pass }
  })
}) {
  static readonly layer = Layer.effect(MediaSweep, MediaSweep.make)
}

/** Each file once, with the latest time until which a room needs it. */
const latestOf = (needed: ReadonlyArray<NeededUpload>): ReadonlyMap<string, NeededUpload> => {
  const latest = new Map<string, NeededUpload>()
  for (const one of needed) {
    const known = latest.get(one.id)
    if (known === undefined || (known.until !== null && (one.until === null || one.until > known.until)))
      latest.set(one.id, one)
  }
  return latest
}
