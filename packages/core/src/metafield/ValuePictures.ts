/** The pictures that the value of a metafield shows, and the value without one of them. */
import { textsIn } from "../taxonomy/LibraryReferences.ts"
import type { MetafieldType } from "./MetafieldFields.ts"

/** The pictures of a metafield's value: none where its type has none. */
export const picturesIn = (type: MetafieldType | undefined, value: unknown): ReadonlyArray<string> =>
  type === "IMAGE" || type === "GALLERY" ? textsIn(value) : []

/** A picture or a list of them without the file of `mark`; null where nothing is left. */
export const withoutReference = (value: unknown, mark: string): unknown => {
  const left = (Array.isArray(value) ? value : [value]).filter((one) => !String(one).includes(mark))
  if (left.length === 0) return null
  return Array.isArray(value) ? left : value
}
