/** The filters of a list of products. */
import type { FacetFilters } from "./internal/facetFilters.ts"
import type { Searched } from "./internal/searchConditions.ts"

export type { AttributeFilter, MetafieldFilter } from "./internal/facetFilters.ts"

/** Undefined fields do not filter. */
export interface ProductFilter extends FacetFilters, Searched {
  readonly types?: ReadonlyArray<string> | undefined
  /** Products that go with these. */
  readonly beside?: ReadonlyArray<string> | undefined
}
