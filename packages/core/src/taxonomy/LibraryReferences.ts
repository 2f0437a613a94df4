/**
 * Pictures that a resource names by their URL alone: swatches, modifiers, metafields. Call this check in the
 * transaction that stores the picture, before locking anything else of the catalogue, so that no resource refers to a
 * library file after its deletion. URLs outside the library are not checked.
 */
import { Effect } from "effect"
import { rejectFields } from "../kernel/FieldRejected.ts"
import type { LibraryFiles } from "../media/LibraryFiles.ts"
import type { StoreContext } from "../store/StoreContext.ts"

/** A field of a body, and the picture that it names. */
export type NamedPicture = readonly [field: string, picture: string | null | undefined]

export const notInLibrary = "is not a file of this store's media library"

/** Rejects every field that names a library file of the store that does not exist. */
export const makeLibraryCheck = ({ missing }: LibraryFiles["Service"]) =>
  Effect.fnUntraced(function* (store: Pick<StoreContext, "id">, named: ReadonlyArray<NamedPicture>) {
    const pictures = named.flatMap(([, picture]) => picture ?? [])
    const absent = yield* missing(store, pictures)
    const refused = named.filter(([, picture]) => absent.has(picture ?? ""))
    yield* rejectFields(Object.fromEntries(refused.map(([field]) => [field, notInLibrary])))
  })

/** The texts of a value that is a text or a list of texts. */
export const textsIn = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string")
