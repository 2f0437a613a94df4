/**
 * The conformance tests of object stores: a list of named checks over the port, for any test runner. Each uses keys of
 * its own and fails with a `StoreNotConforming`, which has the expected and the actual result. A store that passes may
 * be given to `createCommerce({ media: { store } })`.
 *
 * ```ts
 * it.each(objectStoreChecks(store))("$name", ({ run }) => Effect.runPromise(run))
 * ```
 */
import { Effect, Schema, Stream } from "effect"
import { randomBytes } from "node:crypto"
import { uniqueName } from "../crypto/Hashing.ts"
import type { ByteRange, ObjectStoreMethods } from "../media/ObjectStore.ts"

class StoreNotConforming extends Schema.TaggedError<StoreNotConforming>()("StoreNotConforming", {
  what: Schema.String,
  expected: Schema.String,
  found: Schema.String
}) {
  override get message() {
    return `${this.what}: expected ${this.expected}, found ${this.found}`
  }
}

export interface ObjectStoreCheck {
  readonly name: string
  readonly run: Effect.Effect<void, unknown>
}

const same = (what: string, found: unknown, expected: unknown): Effect.Effect<void, StoreNotConforming> => {
  const [left, right] = [JSON.stringify(found) ?? "nothing", JSON.stringify(expected) ?? "nothing"]
  return left === right ? Effect.void : Effect.fail(new StoreNotConforming({ what, expected: right, found: left }))
}

const newKey = (): string => `${uniqueName("store_")}/${uniqueName("file-")}.png`

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

export const objectStoreChecks = (store: ObjectStoreMethods): ReadonlyArray<ObjectStoreCheck> => {
  const read = (key: string, range?: ByteRange) =>
    Effect.flatMap(range === undefined ? store.get(key) : store.get(key, range), (content) =>
      Effect.map(Stream.runCollect(content), (parts) => Buffer.concat([...parts]))
    )
  const put = (key: string, bytes: Uint8Array) => store.put({ key, bytes, contentType: "image/png" })
  const outcome = (key: string) =>
    read(key).pipe(
      Effect.as("found"),
      Effect.catchTag("ObjectMissing", () => Effect.succeed("missing"))
    )

  const whole = (name: string, size: number): ObjectStoreCheck => ({
    name,
    run: Effect.gen(function* () {
      const key = newKey()
      const bytes = randomBytes(size)
      yield* put(key, bytes)
      yield* same("its size", yield* store.head(key), { size })
      yield* same("its bytes", hexOf(yield* read(key)), hexOf(bytes))
    })
  })

  return [
    whole("answers what was put, to the byte", 4_097),
    whole("keeps ten megabytes", 10 * 1_048_576),
    {
      name: "stores a part of a buffer, and not the buffer",
      run: Effect.gen(function* () {
        const key = newKey()
        yield* put(key, Buffer.from("0123456789").subarray(3, 6))
        yield* same("its bytes", (yield* read(key)).toString(), "345")
      })
    },
    {
      name: "answers a range with its first and its last byte",
      run: Effect.gen(function* () {
        const key = newKey()
        yield* put(key, Buffer.from("0123456789"))
        const at = (first: number, last: number) => Effect.map(read(key, { first, last }), String)
        yield* same("the first byte", yield* at(0, 0), "0")
        yield* same("a middle", yield* at(2, 5), "2345")
        yield* same("the last byte", yield* at(9, 9), "9")
        yield* same("all of it", yield* at(0, 9), "0123456789")
      })
    },
    {
      name: "tells a key without an object from a failure",
      run: Effect.gen(function* () {
        const key = newKey()
        yield* same("get", yield* outcome(key), "missing")
        yield* same("head", (yield* store.head(key)) ?? null, null)
      })
    },
    {
      name: "removes an object once and again",
      run: Effect.gen(function* () {
        const [key, other] = [newKey(), newKey()]
        yield* put(key, Buffer.from("gone"))
        yield* put(other, Buffer.from("stays"))
        yield* store.remove(key)
        yield* store.remove(key)
        yield* same("get", yield* outcome(key), "missing")
        yield* same("head", (yield* store.head(key)) ?? null, null)
        yield* same("another object", (yield* read(other)).toString(), "stays")
      })
    },
    {
      name: "takes the same object again",
      run: Effect.gen(function* () {
        const key = newKey()
        yield* put(key, Buffer.from("same"))
        yield* put(key, Buffer.from("same"))
        yield* same("its bytes", (yield* read(key)).toString(), "same")
      })
    },
    {
      name: "keeps stores apart",
      run: Effect.gen(function* () {
        const name = `${uniqueName("file-")}.png`
        const [a, b] = [`${uniqueName("store_")}/${name}`, `${uniqueName("store_")}/${name}`]
        yield* put(a, Buffer.from("a"))
        yield* put(b, Buffer.from("b"))
        yield* same("the first", (yield* read(a)).toString(), "a")
        yield* store.remove(a)
        yield* same("the second", (yield* read(b)).toString(), "b")
      })
    },
    {
      name: "takes many objects at once",
      run: Effect.gen(function* () {
        const keys = Array.from({ length: 32 }, newKey)
        yield* Effect.forEach(keys, (key) => put(key, Buffer.from(key)), { concurrency: 16 })
        const found = yield* Effect.forEach(keys, (key) => Effect.map(read(key), String), { concurrency: 16 })
        yield* same("their bytes", found, keys)
      })
    }
  ]
}
