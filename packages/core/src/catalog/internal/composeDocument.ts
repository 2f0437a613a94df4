/** The document of a product: what a storefront is answered. */
import { stockKeyOf } from "../../kernel/Availability.ts"
import type { ProductState } from "../Product.ts"
import { toProductView } from "../ProductView.ts"

export interface ComposedDocument {
  readonly product_id: string
  readonly document: string
  /** Rows of stock that the answer shows. */
  readonly stock_keys: ReadonlyArray<string>
}

/** Its own, those of its variants, or those of the components of a kit. */
const stockKeysOf = ({ id, type, variants, kitComponents }: ProductState): ReadonlyArray<string> => {
  if (type === "KIT") return kitComponents.map(stockKeyOf)
  return type === "VARIABLE" ? variants.map((variant) => variant.id) : [id]
}

export const composeDocument = (product: ProductState, currency: string, now: number): ComposedDocument => ({
  product_id: product.id,
  document: JSON.stringify(toProductView(product, { currency, audience: "storefront", now })),
  stock_keys: stockKeysOf(product)
})
