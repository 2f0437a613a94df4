/**
 * Thumbnails of library files for lists: a WebP of at most 400 pixels a side, of the first frame, the right way up.
 * Made if sharp is installed, in a process that can be killed, one at a time, with stores taking turns. A thumbnail
 * that is not made at once is due later (LateThumbnails); a file that cannot be decoded never gets one.
 */
import { Context, Effect, Fiber, Layer, Option } from "effect"
import { sha256Hex } from "../crypto/Hashing.ts"
import { Database } from "../database/Database.ts"
import { FairTurns } from "../database/FairTurns.ts"
import { outOfTurn } from "../kernel/RequestTurn.ts"
import { maxPixels } from "../image/ImageInspection.ts"
import { makeDecodingProcess } from "../image/DecodingProcess.ts"
import { type MediaFileState, thumbnailKeyOf } from "./MediaFile.ts"
import { ThumbnailRepository } from "./ThumbnailRepository.ts"
import type { MediaLimits } from "./MediaLimits.ts"
import { ObjectStore } from "./ObjectStore.ts"

type Pictured = Pick<MediaFileState, "id" | "key">

const thumbnailSide = 400

/** Pictures being decoded or waiting in a process, each with its bytes in memory. */
const turnBounds = { atOnce: 1, waiting: 3, waitingInAll: 15 }

export class Thumbnails extends Context.Service<Thumbnails>()("@effect-commerce/core/media/Thumbnails", {
  make: Effect.fnUntraced(function* (limits: MediaLimits) {
    const database = yield* Database
    const repository = yield* ThumbnailRepository
    const objects = yield* ObjectStore
    const scope = yield* Effect.scope
    const turns = new FairTurns(turnBounds, () => "busy" as const)
    /** Runs the work in the store's turn; none if too many wait already. */
    const takeTurn = <A, R>(storeId: string, work: Effect.Effect<A, never, R>) =>
      Effect.catch(Effect.asSome(turns.run(storeId)(work)), () => Effect.succeedNone)
    const { decode, close } = makeDecodingProcess({
      side: thumbnailSide,
      maxPixels,
      maxBytes: limits.decodingBytes,
      millis: limits.decodingMillis
    })
    yield* Effect.addFinalizer(() => close)

    const store = Effect.fnUntraced(function* (
      storeId: string,
      { id, key }: Pictured,
      bytes: Uint8Array,
      isLate: () => boolean
    ) {
      const thumbnail = { key: thumbnailKeyOf(key), hash: sha256Hex(bytes), size: bytes.length }
      yield* objects.put({ key: thumbnail.key, bytes, contentType: "image/webp" })
      const isAdded = yield* database.write(storeId)(repository.add(storeId, id, thumbnail, isLate()))
      return isAdded ? thumbnail.key : null
    })

    const make = Effect.fn("Thumbnails.make")(function* (
      storeId: string,
      file: Pictured,
      bytes: Uint8Array,
      isLate: () => boolean
    ) {
      const decoded = yield* decode(bytes)
      // The worker retries it a few times: the machine may have been busy.
      if (decoded === "stopped") return yield* Effect.as(Effect.logDebug("A picture was not decoded in time"), null)
      const giveUp = Effect.as(database.write(storeId)(repository.done(storeId, file.id)), null)
      if (typeof decoded === "string") return yield* giveUp
      return yield* store(storeId, file, decoded, isLate).pipe(
        Effect.catchTags({
          StorageLimitReached: () => giveUp,
          ObjectStoreFailed: ({ cause }) =>
            Effect.as(Effect.logWarning("The media storage has not taken a thumbnail; it is tried again", cause), null)
        })
      )
    })

    /**
     * The key of the thumbnail of a file that was just stored; null if it has none or it is made later. The work goes
     * on when the request stops waiting; if it has not begun by then, it is left to LateThumbnails.
     */
    const ofUpload = Effect.fnUntraced(function* (storeId: string, file: Pictured, bytes: Uint8Array) {
      let stage: "waiting" | "at work" | "writing" = "waiting"
      let isLeft = false
      const isLate = () => {
        stage = "writing"
        return isLeft
      }
      const work = Effect.suspend(() => {
        stage = "at work"
        return make(storeId, file, bytes, isLate)
      })
      const fiber = yield* Effect.forkIn(
        Effect.catchCause(takeTurn(storeId, work), (cause) =>
          Effect.as(Effect.logWarning("A thumbnail could not be stored; it is tried again", cause), Option.none())
        ),
        scope
      )
      // A thumbnail being written is waited for, so that the row needs no later update of resources.
      const leave = Effect.suspend((): Effect.Effect<unknown> => {
        isLeft = true
        if (stage === "waiting") return Fiber.interrupt(fiber)
        return stage === "writing" ? Fiber.await(fiber) : Effect.void
      })
      const joined = Fiber.join(fiber)
      yield* outOfTurn(Effect.ensuring(Effect.timeoutOption(joined, limits.thumbnailWaitMillis), leave))
      const made = fiber.pollUnsafe()
      return made?._tag === "Success" ? Option.getOrNull(made.value) : null
    })

    /**
     * In the store's turn: finds the next file and makes its thumbnail, if there are bytes for it. Returns the file;
     * undefined if there is none or too many wait already.
     */
    const inTurn = <F extends Pictured>(
      storeId: string,
      next: Effect.Effect<{ readonly file: F | undefined; readonly bytes: Uint8Array | undefined }>
    ) => {
      const work = Effect.flatMap(next, ({ file, bytes }) =>
        file === undefined || bytes === undefined
          ? Effect.succeed(file)
          : Effect.as(
              make(storeId, file, bytes, () => true),
              file
            )
      )
      return Effect.map(takeTurn(storeId, work), Option.getOrUndefined)
    }

    return { ofUpload, inTurn }
  })
}) {
  static readonly layer = (limits: MediaLimits) => Layer.effect(Thumbnails, Thumbnails.make(limits))
}
