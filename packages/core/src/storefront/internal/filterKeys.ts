/**
 * The filter keys of a product: ids of the categories, brands, options and metafield values that lists can be filtered
 * by. These ids are unique over all stores. The key of a metafield value is `<definition id>=<folded value>`; any other
 * key that is not an id begins with the name of its kind and a colon.
 */
import { metafieldFilterKeys } from "../../metafield/MetafieldValue.ts"
import type { ProductState } from "../../product/Product.ts"

/** Without duplicates. A new kind of filter adds its keys here, and its condition to `facetFilters`. */
export const filterKeys = (product: ProductState): ReadonlyArray<string> => [
  ...new Set([
    ...[...product.categories, ...product.brands].map(({ id }) => id),
    ...optionsOf(product),
    ...product.metafields.flatMap((metafield) => metafieldFilterKeys(metafield, metafield.value))
  ])
]

/** The options of active variants; for a product without variants, the options that describe it. */
const optionsOf = ({ type, variants, attributes }: ProductState): ReadonlyArray<string> =>
  type === "VARIABLE"
    ? variants.flatMap(({ status, optionIds }) => (status === "active" ? optionIds : []))
    : attributes.flatMap(({ options }) => options.map(({ id }) => id))
