/** Stores the files of a store as their parts arrive, and remembers which, so that a refused import leaves none. */
import { Effect } from "effect"
import type { ObjectStoreFailed, ObjectStoreMethods } from "../../media/ObjectStore.ts"
import { ImportRefused } from "../TransferErrors.ts"
import { type FilePart, largestFile } from "../TransferFormat.ts"

export const makeStoredFiles = (objects: ObjectStoreMethods) => {
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
      stored.push(file)
      return objects.put({ key: file, bytes: whole, contentType: type })
    })

  return {
    take,
    /** Takes away what was stored; a file that cannot be removed stays, and the next try writes it again. */
    remove: Effect.suspend(() =>
      Effect.forEach(stored, (key) => Effect.ignore(objects.remove(key)), { concurrency: 4, discard: true })
    )
  }
}

export type StoredFiles = ReturnType<typeof makeStoredFiles>
