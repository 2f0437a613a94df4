/**
 * Serves files: metadata from the row, content streamed from the object storage. The content of a name never changes; a
 * deletion takes effect within seconds.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { absenceDelay, crossProcessDelay, TimedCache } from "../cache/TimedCache.ts"
import { idOfName } from "./MediaFile.ts"
import { MediaFileRepository, type ServedFile } from "./MediaFileRepository.ts"
import { type ByteRange, ObjectStore } from "./ObjectStore.ts"

export interface FileToServe {
  readonly key: string
  readonly mimeType: string
  readonly size: number
  /** SHA-256 of the content in hex. */
  readonly hash: string
  /** The merchant's name for it. */
  readonly name: string
}

const mostRemembered = 10_000

export class ServedFiles extends Context.Service<ServedFiles>()("@effect-commerce/core/media/ServedFiles", {
  make: Effect.gen(function* () {
    const repository = yield* MediaFileRepository
    const objects = yield* ObjectStore
    const known = new TimedCache<FileToServe>(crossProcessDelay, mostRemembered)
    const unknown = new TimedCache<true>(absenceDelay, mostRemembered)

    /** `name` is the part of the key after the store's id. */
    const find = Effect.fnUntraced(function* (storeId: string, name: string) {
      const id = idOfName(name)
      if (id === undefined) return undefined
      const now = yield* Clock.currentTimeMillis
      const key = `${storeId}/${name}`
      const remembered = known.get(key, now)
      if (remembered !== undefined || unknown.get(key, now) === true) return remembered
      const row = yield* repository.served(storeId, id)
      const file = row === undefined ? undefined : fileOf(row, key)
      if (file === undefined) unknown.set(key, true, now)
      else known.set(key, file, now)
      return file
    })

    return { find, open: ({ key }: FileToServe, range?: ByteRange) => objects.get(key, range) }
  })
}) {
  static readonly layer = Layer.effect(ServedFiles, ServedFiles.make)
}

/** The file or its thumbnail, whichever has the key. */
const fileOf = (row: ServedFile, key: string): FileToServe | undefined => {
  const { name, mimeType, size, contentHash } = row
  if (row.key === key) return { key, mimeType, size, hash: contentHash, name }
  return row.thumbnailKey === key && row.thumbnailHash !== null && row.thumbnailSize !== null
    ? { key, mimeType: "image/webp", size: row.thumbnailSize, hash: row.thumbnailHash, name }
    : undefined
}
