/** Filters of product lists by names of the store's own, as whoever asks for a list gives them. */
export type { AttributeFilter, MetafieldFilter } from "./internal/facetFilters.ts"

/** Characters of a value of a metafield that filters compare. */
const comparedLength = 200

/** A value of a metafield as filters compare it. */
export const foldedValue = (value: string): string =>
  value.normalize("NFKC").toLowerCase().trim().slice(0, comparedLength)
