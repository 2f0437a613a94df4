/**
 * The single picture of a category or a brand: whether it is a file of the media library, and what is stored of it.
 * Files are held before anything of the store's taxonomy is locked, so that a file that is being deleted is never
 * referred to afterwards.
 */
import { Effect, Result } from "effect"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import type { LibraryFiles } from "../media/LibraryFiles.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { notInLibrary } from "./LibraryReferences.ts"

/** A single picture and its key, as a category or a brand has them. */
export interface OnePicture {
  readonly picture: string | null
  readonly key: string | null
}

type GivenPicture = { readonly [K in keyof OnePicture]: string | null | undefined }

/**
 * The picture of a category or brand after a body: `given` has what the body says of the two, undefined where it is
 * silent. A key brings its address, an address of the library its key, and null clears both. A key that the library
 * does not have is refused by the name of its field, `keyField`.
 */
export const makeOnePicture =
  ({ hold }: LibraryFiles["Service"]) =>
  (
    store: StoreContext,
    { picture, key }: GivenPicture,
    keyField: string
  ): Effect.Effect<Partial<OnePicture>, FieldRejected> => {
    if (typeof key !== "string" && typeof picture !== "string")
      return Effect.succeed(picture === null || key === null ? { picture: null, key: null } : {})
    return Effect.flatMap(
      hold(store, [key ?? picture ?? ""]),
      (files): Effect.Effect<Partial<OnePicture>, FieldRejected> => {
        const file = files.get(key ?? picture ?? "")
        if (file !== undefined) return Effect.succeed({ picture: file.url, key: file.key })
        return typeof key === "string"
          ? FieldRejected.at(keyField, notInLibrary)
          : Effect.succeed({ ...(picture === undefined ? {} : { picture }), key: null })
      }
    )
  }

/** What was made of a picture; a key that is as it was before may be sent back, whatever it names. */
export const orAsBefore = <A>(
  made: Result.Result<A, FieldRejected>,
  { given, before, unchanged }: { readonly given: unknown; readonly before: unknown; readonly unchanged: A }
): Effect.Effect<A, FieldRejected> =>
  Result.isFailure(made) && given === before ? Effect.succeed(unchanged) : Effect.fromResult(made)
