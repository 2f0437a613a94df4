/** A stored file as a whole: pictures are small, and a line is made of each part. */
import { Effect, Stream } from "effect"
import type { ObjectStoreMethods } from "../../media/ObjectStore.ts"

/** Undefined where there is none: it was deleted since its row was read. */
export const readWhole = (objects: ObjectStoreMethods, key: string) =>
  objects.get(key).pipe(
    Effect.flatMap((stream) => Stream.runCollect(stream)),
    Effect.map((chunks) => Buffer.concat(chunks)),
    Effect.catchTag("ObjectMissing", () => Effect.undefined)
  )
