/**
 * Shows a product from its document: what changes without a write of the product is put in by one function each (stock,
 * shared labels, links to other products), and `toProductView` picks the price of the moment and the language, as it
 * does for every other answer.
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
  /** By key; a thing that was never counted has none. */
  readonly stock: ReadonlyMap<string, StockFacts>
  /** Of the products that it and its modifiers name by id, those that the channel shows. */
  readonly links: ReadonlySet<string>
  /** Null is the public. */
  readonly channelId: string | null
  readonly reading: Reading | undefined
}

type Counted = Pick<ProductState, "kitComponents" | "stock"> & {
  readonly variants: ReadonlyArray<ProductDocument["variants"][number] & { readonly stock: StockState | null }>
}

/** The stock of the product, of its variants, and of what a kit is made of. */
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

/** The shared things under their names of now, and variants under those of their options. */
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

/** Without the ids of products that this shopper cannot see. */
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

/** The product as the storefront's JSON has it. */
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
