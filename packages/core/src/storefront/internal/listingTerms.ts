/**
 * What a product is filtered by: ids of the things it is filed under or has. They are compared as they are, so ids that
 * are unique over all stores serve, and what is no id begins with a word of its own and a colon. A value of a metafield
 * is `<definition id>=<folded value>` (MetafieldValue).
 */
import { metafieldTerms } from "../../metafield/MetafieldValue.ts"
import type { ProductState } from "../../product/Product.ts"

/** Each once. A new kind of filter adds its ids here; `listingConditions` asks for them. */
export const listingTerms = (product: ProductState): ReadonlyArray<string> => [
  ...new Set([
    ...[...product.categories, ...product.brands].map(({ id }) => id),
    ...optionsOf(product),
    ...product.metafields.flatMap((metafield) => metafieldTerms(metafield, metafield.value))
  ])
]

/** Options that can be chosen: those of active variants, or where there are none those that describe the product. */
const optionsOf = ({ type, variants, attributes }: ProductState): ReadonlyArray<string> =>
  type === "VARIABLE"
    ? variants.flatMap(({ status, optionIds }) => (status === "active" ? optionIds : []))
    : attributes.flatMap(({ options }) => options.map(({ id }) => id))
