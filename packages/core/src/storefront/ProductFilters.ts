/** The filters of product lists that name attributes and metafields of the store, as a request gives them. */
export type { AttributeFilter, MetafieldFilter } from "./internal/facetFilters.ts"
export { foldedValue } from "../metafield/MetafieldValue.ts"
