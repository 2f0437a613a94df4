/**
 * The single picture of a category or a brand: whether it is a file of the media library, and what is stored of it.
 * Files are locked before anything of the taxonomy, so that a file that is being deleted is never referred to
 * afterwards.
 */
import { Effect, Result } from "effect"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import type { LibraryFiles } from "../media/LibraryFiles.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { notInLibrary } from "./LibraryReferences.ts"

type Pictured<Field extends string> = { readonly [F in Field]?: string | null | undefined }

/**
 * What a body makes of a picture, which has an address in one field and a key in another. A key brings its address, an
 * address of the library its key, and null clears both. A key that the library does not have is refused.
 */
export const makeOnePicture =
  <Address extends string, Key extends string>({ hold }: LibraryFiles["Service"], address: Address, key: Key) =>
  (
    store: StoreContext,
    body: Pictured<Address> & Pictured<Key>
  ): Effect.Effect<{ readonly [F in Address | Key]?: string | null }, FieldRejected> => {
    type Made = { readonly [F in Address | Key]?: string | null }
    const both = (at: string | null, by: string | null) => ({ [address]: at, [key]: by }) as Made
    const [givenAddress, givenKey] = [body[address], body[key]]
    const named = givenKey ?? givenAddress
    if (typeof named !== "string")
      return Effect.succeed(givenAddress === null || givenKey === null ? both(null, null) : ({} as Made))
    return Effect.flatMap(hold(store, [named]), (files): Effect.Effect<Made, FieldRejected> => {
      const file = files.get(named)
      if (file !== undefined) return Effect.succeed(both(file.url, file.key))
      return typeof givenKey === "string" ? FieldRejected.at(key, notInLibrary) : Effect.succeed(both(named, null))
    })
  }

/** What was made of a picture; a key that is as it was before may be sent back, whatever it names. */
export const orAsBefore = <A>(
  made: Result.Result<A, FieldRejected>,
  { given, before, unchanged }: { readonly given: unknown; readonly before: unknown; readonly unchanged: A }
): Effect.Effect<A, FieldRejected> =>
  Result.isFailure(made) && given === before ? Effect.succeed(unchanged) : Effect.fromResult(made)
