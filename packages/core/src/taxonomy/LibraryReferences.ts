/**
 * Pictures that a resource names by their address alone: swatches, modifiers, metafields. Whoever stores one asks here
 * first, in the transaction that stores it and before anything else of the catalogue is locked, so that a file of the
 * library that is being deleted is never referred to afterwards. What lies elsewhere is nobody's business here.
 */
import { Effect } from "effect"
import { rejectFields } from "../kernel/FieldRejected.ts"
import type { LibraryFiles } from "../media/LibraryFiles.ts"
import type { StoreContext } from "../store/StoreContext.ts"

/** A field of a body, and the picture that it names. */
export type NamedPicture = readonly [field: string, picture: string | null | undefined]

export const notInLibrary = "is not a file of this store's media library"

/** Refuses every field that names a file of the store which is not there. */
export const makeLibraryCheck = ({ missing }: LibraryFiles["Service"]) =>
  Effect.fnUntraced(function* (store: Pick<StoreContext, "id">, named: ReadonlyArray<NamedPicture>) {
    const pictures = named.flatMap(([, picture]) => picture ?? [])
    const absent = yield* missing(store, pictures)
    const refused = named.filter(([, picture]) => absent.has(picture ?? ""))
    yield* rejectFields(Object.fromEntries(refused.map(([field]) => [field, notInLibrary])))
  })

/** The texts of a value that is one, or a list of them. */
export const textsIn = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string")
