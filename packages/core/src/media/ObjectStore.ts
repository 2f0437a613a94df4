/**
 * Port. Stores the bytes of files: in a folder, a bucket, or the host's own storage. Called when a file is uploaded,
 * served or removed, always outside of transactions. It knows only keys and bytes; the table of files records which
 * files exist, their owners and types. Default: a folder (FileObjectStore) or a bucket (S3ObjectStore), as `media.url`
 * says; without it nothing can be stored. `testing/ObjectStoreConformance` tests the rules for every implementation.
 *
 * Keys are made by this project: ASCII letters, digits, `_`, `-`, `.`, and one `/`. A key is written once, and never
 * with other bytes.
 */
import { Context, Effect, Schema, type Stream } from "effect"
import { outOfTurn } from "../kernel/RequestTurn.ts"

/** The storage failed: it is unreachable, full, or denies access. The cause is logged, never returned to callers. */
export class ObjectStoreFailed extends Schema.TaggedError<ObjectStoreFailed>()("ObjectStoreFailed", {
  operation: Schema.Literals(["put", "get", "head", "remove"]),
  cause: Schema.Defect()
}) {}

/** There is no object under the key. */
export class ObjectMissing extends Schema.TaggedError<ObjectMissing>()("ObjectMissing", { key: Schema.String }) {}

export interface NewObject {
  readonly key: string
  readonly bytes: Uint8Array
  /** The Content-Type of responses from a public bucket. */
  readonly contentType: string
}

/** Positions of the first and the last byte, both included, both inside of the object. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

export interface ObjectStoreMethods {
  /** Once it succeeds, the object is complete and survives a crash; before that no part of it is visible. */
  readonly put: (object: NewObject) => Effect.Effect<void, ObjectStoreFailed>
  /** Streams the bytes, or those of the range. */
  readonly get: (
    key: string,
    range?: ByteRange
  ) => Effect.Effect<Stream.Stream<Uint8Array, ObjectStoreFailed>, ObjectMissing | ObjectStoreFailed>
  /** The size in bytes; undefined if there is no object under the key. */
  readonly head: (key: string) => Effect.Effect<{ readonly size: number } | undefined, ObjectStoreFailed>
  /** Whether there is room for more: if not, only uploads are rejected. If absent, there always is. */
  readonly hasRoom?: Effect.Effect<boolean>
  /** Succeeds also if there is no object. */
  readonly remove: (key: string) => Effect.Effect<void, ObjectStoreFailed>
}

export class ObjectStore extends Context.Service<ObjectStore, ObjectStoreMethods>()(
  "@effect-commerce/core/media/ObjectStore"
) {}

/** Runs a promise of a storage library; a rejection becomes ObjectStoreFailed. */
export const attempt = <A>(
  operation: ObjectStoreFailed["operation"],
  work: () => Promise<A>
): Effect.Effect<A, ObjectStoreFailed> =>
  outOfTurn(Effect.tryPromise({ try: work, catch: (cause) => new ObjectStoreFailed({ operation, cause }) }))

/** The storage of an installation without one. */
export const noObjectStore: ObjectStoreMethods = {
  put: () => Effect.fail(new ObjectStoreFailed({ operation: "put", cause: new Error("no media storage is set up") })),
  get: (key) => Effect.fail(new ObjectMissing({ key })),
  head: () => Effect.undefined,
  remove: () => Effect.void
}
