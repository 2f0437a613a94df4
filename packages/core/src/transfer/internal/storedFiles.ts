/**
 * Stores the files of a store as their parts arrive. What the storage has already is left as it is: it may be that of
 * the store's old place. What was not there is remembered, so that a refused import leaves none of it.
 */
import { Effect } from "effect"
import type { ObjectStoreFailed, ObjectStoreMethods } from "../../media/ObjectStore.ts"
import { ImportRefused } from "../TransferErrors.ts"
import { type FilePart, largestFile } from "../TransferFormat.ts"

export const makeStoredFiles = (objects: ObjectStoreMethods) => {
  /** That were not there before. */
  const stored: Array<string> = []
  let parts: Array<Buffer> = []
  let open: string | undefined
  let size = 0

  /** Parts of one file follow each other, from 0. */
  const take = (line: number, { file, type, part, last, bytes }: FilePart) =>
    Effect.suspend((): Effect.Effect<void, ImportRefused | ObjectStoreFailed> => {
      if (part !== parts.length || (part > 0 && file !== open))
        return Effect.fail(new ImportRefused({ reason: `line ${line}: the parts of ${file} are not in order` }))
      const read = Buffer.from(bytes, "base64")
      size += read.length
      if (size > largestFile)
        return Effect.fail(new ImportRefused({ reason: `line ${line}: the file ${file} is too large` }))
      parts.push(read)
      open = file
      if (!last) return Effect.void
      const whole = Buffer.concat(parts)
      parts = []
      size = 0
      return Effect.flatMap(objects.head(file), (there) => {
        if (there !== undefined) return Effect.void
        stored.push(file)
        return objects.put({ key: file, bytes: whole, contentType: type })
      })
    })

  return {
    take,
    /** The store whose files were stored; undefined where none were. */
    owner: () => stored[0]?.split("/")[0],
    /** Takes away what was stored; a file that cannot be removed stays. */
    remove: Effect.suspend(() =>
      Effect.forEach(stored, (key) => Effect.ignore(objects.remove(key)), { concurrency: 4, discard: true })
    )
  }
}

export type StoredFiles = ReturnType<typeof makeStoredFiles>
