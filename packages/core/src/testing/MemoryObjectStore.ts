/** Objects in memory, for tests: nothing is left behind, and `objects` shows what is stored. */
import { Effect, Stream } from "effect"
import { ObjectMissing, type ObjectStoreMethods } from "../media/ObjectStore.ts"

export interface MemoryObjectStore extends ObjectStoreMethods {
  readonly objects: ReadonlyMap<string, Uint8Array>
}

export const memoryObjectStore = (): MemoryObjectStore => {
  const objects = new Map<string, Uint8Array>()
  return {
    objects,
    put: ({ key, bytes }) => Effect.sync(() => void objects.set(key, bytes.slice())),
    get: (key, range) =>
      Effect.suspend(() => {
        const bytes = objects.get(key)
        if (bytes === undefined) return Effect.fail(new ObjectMissing({ key }))
        return Effect.succeed(Stream.make(range === undefined ? bytes : bytes.subarray(range.first, range.last + 1)))
      }),
    head: (key) =>
      Effect.sync(() => {
        const bytes = objects.get(key)
        return bytes === undefined ? undefined : { size: bytes.length }
      }),
    remove: (key) => Effect.sync(() => void objects.delete(key))
  }
}
