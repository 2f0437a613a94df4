/** Filters of product lists by names of the store's own, as whoever asks for a list gives them. */
export type { AttributeFilter, MetafieldFilter } from "./internal/facetFilters.ts"
export { foldedValue } from "../metafield/MetafieldValue.ts"
