/**
 * Stores and serves images of merchants and shoppers. A row is written first, not ready and with a time for its
 * removal; then the bytes are stored; then the row becomes ready. If a process dies in between, the sweep finds the
 * row, so no orphaned bytes stay.
 */
import { Clock, Context, Effect, Layer, Result } from "effect"
import { sha256Hex } from "../crypto/Hashing.ts"
import { Database } from "../database/Database.ts"
import { refuseInHostTransaction } from "../database/OwnTransaction.ts"
import { makeId } from "../kernel/Ids.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { inspectImage } from "../image/ImageInspection.ts"
import { ImageRejected, ImageTooLarge, MediaUploadFailed, StorageFull } from "./MediaErrors.ts"
import { type FilePurpose, idPrefix, keyOf, type MediaFileState } from "./MediaFile.ts"
import { MediaFileRepository } from "./MediaFileRepository.ts"
import { ObjectStore } from "./ObjectStore.ts"
import { Thumbnails } from "./Thumbnails.ts"

/** Most bytes of a file: 10 MB in the media library, 5 MB for shoppers. */
export const maxFileBytes: Readonly<Record<FilePurpose, number>> = {
  library: 10 * 1_048_576,
  customization: 5 * 1_048_576,
  review_photo: 5 * 1_048_576
}

export interface NewImage {
  readonly purpose: FilePurpose
  readonly bytes: Uint8Array
  /** As the sender declares it; empty if nothing was declared. */
  readonly contentType: string
  /** Name of the file as the sender has it. */
  readonly name: string
  readonly alt: string | null
  /** The customer who sends it, if only something of theirs may refer to it. */
  readonly ownerId: string | null
  /** Milliseconds after which it is removed unless it is kept; null: never. */
  readonly keptFor: number | null
}

/** Milliseconds that storing the bytes of a file may take: far more than it does. */
const storingMillis = 3_600_000
/** Milliseconds after which the worker makes a missing thumbnail; longer than an upload works on it. */
const thumbnailMillis = 15_000

export class MediaFiles extends Context.Service<MediaFiles>()("@effect-commerce/core/media/MediaFiles", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* MediaFileRepository
    const objects = yield* ObjectStore
    const thumbnails = yield* Thumbnails

    const put = (key: string, bytes: Uint8Array, contentType: string) =>
      objects.put({ key, bytes, contentType }).pipe(
        Effect.tapError(({ cause }) => Effect.logError("The media storage has not taken a file", cause)),
        Effect.mapError(() => new MediaUploadFailed())
      )

    const add = Effect.fn("MediaFiles.add")(function* (store: StoreContext, image: NewImage) {
      yield* refuseInHostTransaction("storing a file")
      const maxBytes = maxFileBytes[image.purpose]
      if (image.bytes.length > maxBytes) return yield* new ImageTooLarge({ maxBytes })
      const inspected = inspectImage(image.bytes, image.contentType)
      if (Result.isFailure(inspected)) return yield* new ImageRejected({ reason: inspected.failure })
      const { bytes, mimeType, width, height } = inspected.success
      if (objects.hasRoom !== undefined && !(yield* objects.hasRoom)) return yield* new StorageFull()

      const now = yield* Clock.currentTimeMillis
      const id = makeId(idPrefix, now)
      const contentHash = sha256Hex(bytes)
      const createdAt = new Date(now)
      const state: MediaFileState = {
        id,
        purpose: image.purpose,
        key: keyOf(store.id, id, contentHash, mimeType),
        thumbnailKey: null,
        mimeType,
        size: bytes.length,
        width,
        height,
        name: image.name,
        alt: image.alt,
        createdAt,
        updatedAt: createdAt
      }
      const begun = {
        ...state,
        contentHash,
        ownerId: image.ownerId,
        purgeAt: new Date(now + storingMillis)
      }
      yield* database.write(store.id)(repository.begin(store.id, begun))
      yield* put(state.key, bytes, mimeType)
      const hasThumbnail = image.purpose === "library"
      const isReady = yield* database.write(store.id)(
        repository.finish(store.id, id, {
          purgeAt: image.keptFor === null ? null : new Date(now + image.keptFor),
          thumbnailDue: hasThumbnail ? new Date((yield* Clock.currentTimeMillis) + thumbnailMillis) : null
        })
      )
      if (!isReady) return yield* new MediaUploadFailed()
      return hasThumbnail ? { ...state, thumbnailKey: yield* thumbnails.ofUpload(store.id, state, bytes) } : state
    })

    return { add }
  })
}) {
  static readonly layer = Layer.effect(MediaFiles, MediaFiles.make)
}
