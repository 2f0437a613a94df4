/**
 * Renders a product from its document: one function each adds what changes without a write of the product (stock,
 * shared labels, links to other products), and `toProductView` picks the current price and the language, as it does for
 * every other response.
 */
import { type StockFacts, stockKeyOf } from "../../kernel/Availability.ts"
import type { Reading } from "../../kernel/Locale.ts"
import { linkFields, type ProductState, type StockState } from "../../product/Product.ts"
import type { ProductView } from "../../product/ProductView.ts"
import { toProductView } from "../../product/productViews.ts"
import { optionNamesOf, withOptionNames } from "../../product/VariantNames.ts"
import type { ProductDocument } from "./productDocument.ts"
import type { Labelled, SharedLabels } from "./sharedLabels.ts"

export interface ShownWith {
  /** Epoch milliseconds. */
  readonly now: number
  readonly labels: SharedLabels
  /** By key; a product or variant that was never counted has no entry. */
  readonly stock: ReadonlyMap<string, StockFacts>
  /** The ids of products that it and its modifiers link to and that the channel shows. */
  readonly links: ReadonlySet<string>
  /** Null is the public. */
  readonly channelId: string | null
  readonly reading: Reading | undefined
}

type Counted = Pick<ProductState, "kitComponents" | "stock"> & {
  readonly variants: ReadonlyArray<ProductDocument["variants"][number] & { readonly stock: StockState | null }>
}

/** Adds the stock of the product, its variants, and its components if it is a kit. */
const withStock = <Document extends ProductDocument>(
  document: Document,
  stock: ReadonlyMap<string, StockFacts>
): Omit<Document, keyof Counted> & Counted => {
  const of = (key: string): StockState | null => {
    const facts = stock.get(key)
    return facts === undefined ? null : { ...facts, lowStockThreshold: null }
  }
  return {
    ...document,
    stock: of(document.id),
    variants: document.variants.map((variant) => ({ ...variant, stock: of(variant.id) })),
    kitComponents: document.kitComponents.map((part) => ({ ...part, stock: of(stockKeyOf(part)) }))
  }
}

/** Adds the shared labels under their current names, and names variants after their options. */
const withLabels = (counted: ReturnType<typeof withStock<ProductDocument>>, labels: Labelled): ProductState => {
  const names = optionNamesOf(labels.attributes)
  return {
    ...counted,
    ...labels,
    costPrice: null,
    publishedChannels: null,
    variants: counted.variants.map((variant) => ({ costPrice: null, ...withOptionNames(variant, names) }))
  }
}

/** Removes the ids of products that this shopper cannot see. */
const withLinks = (view: ProductView, links: ReadonlySet<string>): ProductView => ({
  ...view,
  ...Object.fromEntries(linkFields.map((field) => [field, view[field].filter((id) => links.has(id))])),
  kitComponents: view.kitComponents.filter(({ productId }) => links.has(productId)),
  modifierGroups: view.modifierGroups.map((group) => ({
    ...group,
    modifiers: group.modifiers.map((modifier) => {
      const { referencedProductId: id } = modifier
      return id === null || links.has(id) ? modifier : { ...modifier, referencedProductId: null }
    })
  }))
})

/** The product as storefronts get it in JSON. */
export const shownProduct = (document: ProductDocument, { now, labels, stock, links, channelId, reading }: ShownWith) =>
  withLinks(
    toProductView(withLabels(withStock(document, stock), labels.of(document, channelId)), {
      currency: document.currency,
      audience: "storefront",
      channelId,
      now,
      reading
    }),
    links
  )
