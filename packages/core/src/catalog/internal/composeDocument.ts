/** The document of a product: what a storefront is answered. */
import type { ProductState } from "../Product.ts"
import { toProductView } from "../ProductView.ts"

export interface ComposedDocument {
  readonly product_id: string
  readonly document: string
  /** Rows of stock that the answer shows. */
  readonly stock_keys: ReadonlyArray<string>
}

export const composeDocument = (product: ProductState, currency: string, now: number): ComposedDocument => ({
  product_id: product.id,
  document: JSON.stringify(toProductView(product, { currency, audience: "storefront", now })),
  stock_keys: product.type === "VARIABLE" ? product.variants.map(({ id }) => id) : [product.id]
})
