/**
 * Port. Decides where the bytes of files lie: a folder, a bucket, a store of the host's own. Called when a file is
 * uploaded, when it is served, and when it is swept, each time outside of any transaction. It differs from the table of
 * files, which says which files there are, whose they are and what they hold: an object store knows keys and bytes
 * alone. Default: a folder (FileObjectStore) or a bucket (S3ObjectStore), as `media.url` says; without one, nothing can
 * be stored. `testing/ObjectStoreConformance` says what every implementation must hold to.
 *
 * Keys are made by this project: ASCII letters, digits, `_`, `-`, `.`, and one `/`. A key is written once, and never
 * with other bytes.
 */
import { Context, Effect, Schema, type Stream } from "effect"
import { outOfTurn } from "../kernel/RequestTurn.ts"

/** The storage did not do what it was asked for: it is away, full, or refuses. The cause is logged, never answered. */
export class ObjectStoreFailed extends Schema.TaggedError<ObjectStoreFailed>()("ObjectStoreFailed", {
  operation: Schema.Literals(["put", "get", "head", "remove"]),
  cause: Schema.Defect()
}) {}

/** There is nothing under the key. */
export class ObjectMissing extends Schema.TaggedError<ObjectMissing>()("ObjectMissing", { key: Schema.String }) {}

export interface NewObject {
  readonly key: string
  readonly bytes: Uint8Array
  /** What a bucket that is read directly answers as Content-Type. */
  readonly contentType: string
}

/** Positions of the first and the last byte, both included, both inside of the object. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

export interface ObjectStoreMethods {
  /** When it succeeds, the object is there whole, and survives a crash; before, nobody sees a part of it. */
  readonly put: (object: NewObject) => Effect.Effect<void, ObjectStoreFailed>
  /** The bytes, or those of the range, read as they are taken. */
  readonly get: (
    key: string,
    range?: ByteRange
  ) => Effect.Effect<Stream.Stream<Uint8Array, ObjectStoreFailed>, ObjectMissing | ObjectStoreFailed>
  /** How many bytes there are; undefined where nothing is under the key. */
  readonly head: (key: string) => Effect.Effect<{ readonly size: number } | undefined, ObjectStoreFailed>
  /** Whether there is room for more: without, uploads are refused and all else goes on. Absent, there always is. */
  readonly hasRoom?: Effect.Effect<boolean>
  /** Succeeds also where there is nothing. */
  readonly remove: (key: string) => Effect.Effect<void, ObjectStoreFailed>
}

export class ObjectStore extends Context.Service<ObjectStore, ObjectStoreMethods>()(
  "@effect-commerce/core/media/ObjectStore"
) {}

/** An operation of a library that answers promises, whose failures are the storage's. */
export const attempt = <A>(
  operation: ObjectStoreFailed["operation"],
  work: () => Promise<A>
): Effect.Effect<A, ObjectStoreFailed> =>
  outOfTurn(Effect.tryPromise({ try: work, catch: (cause) => new ObjectStoreFailed({ operation, cause }) }))

/** The storage of an installation that has named none. */
export const noObjectStore: ObjectStoreMethods = {
  put: () => Effect.fail(new ObjectStoreFailed({ operation: "put", cause: new Error("no media storage is set up") })),
  get: (key) => Effect.fail(new ObjectMissing({ key })),
  head: () => Effect.undefined,
  remove: () => Effect.void
}
