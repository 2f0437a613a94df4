/**
 * The single picture of a category or a brand: whether it is a file of the media library, and what is stored of it.
 * Files are locked before any row of the taxonomy, so that no row refers to a file after its deletion.
 */
import { Effect, Result } from "effect"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import type { LibraryFiles } from "../media/LibraryFiles.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { notInLibrary } from "./LibraryReferences.ts"

type Pictured<Field extends string> = { readonly [F in Field]?: string | null | undefined }

/**
 * The picture's fields after a body, which has a URL field and a key field. A key sets its URL, a URL of the library
 * sets its key, and null clears both. A key that the library does not have is rejected.
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

/** The picture's fields; an unchanged key may be sent back, even if its file no longer exists. */
export const orAsBefore = <A>(
  made: Result.Result<A, FieldRejected>,
  { given, before, unchanged }: { readonly given: unknown; readonly before: unknown; readonly unchanged: A }
): Effect.Effect<A, FieldRejected> =>
  Result.isFailure(made) && given === before ? Effect.succeed(unchanged) : Effect.fromResult(made)
