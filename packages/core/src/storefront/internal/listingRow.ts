/** The listing row of a product: the values that lists filter and sort by, taken from the product's state. */
import type { ProductState } from "../../product/Product.ts"
import { effectivePrices } from "../../product/productViews.ts"
import { isPricedByComponents, type OwnPrices, ownPrices, priceChanges } from "../../product/KitPrice.ts"
import type { ListingRow } from "../ListingRepository.ts"
import { filterKeys } from "./filterKeys.ts"
import { searchVector } from "./searchVector.ts"

const lowest = (prices: ReadonlyArray<bigint>): bigint => prices.reduce((low, price) => (price < low ? price : low))

/** The lowest prices without and with a sale. For a kit priced by its components, the current ones. */
const regularAndSale = (product: ProductState, own: OwnPrices): readonly [regular: bigint, sale: bigint] =>
  isPricedByComponents(product.kitPricingMode)
    ? [own.basePrice, own.salePrice ?? own.basePrice]
    : [
        lowest(effectivePrices(product, { ...own, onSale: false })),
        lowest(effectivePrices(product, { ...own, onSale: true }))
      ]

/** The period around `now` without a price change. */
const unchanged = (changes: ReadonlyArray<number>, now: number) => {
  const past = changes.filter((at) => at <= now)
  const coming = changes.filter((at) => at > now)
  return {
    price_since: past.length === 0 ? "-infinity" : new Date(Math.max(...past)).toISOString(),
    price_until: coming.length === 0 ? "infinity" : new Date(Math.min(...coming)).toISOString()
  }
}

/** The price that a shopper pays at `now`, and the period for which it is valid. */
const pricing = (product: ProductState, now: number) => {
  const own = ownPrices(product, now)
  const isByComponents = isPricedByComponents(product.kitPricingMode)
  const [regular, sale] = regularAndSale(product, own)
  return {
    price: String(own.onSale ? sale : regular),
    ...unchanged(isByComponents || regular !== sale ? priceChanges(product) : [], now),
    regular_price: String(regular),
    sale_price: String(sale),
    sale_starts_at: isByComponents ? null : (product.salePriceStartsAt?.toISOString() ?? null),
    sale_ends_at: isByComponents ? null : (product.salePriceEndsAt?.toISOString() ?? null)
  }
}

/** The row without its search vector. */
const listedFields = (product: ProductState, now: number): Omit<ListingRow, "search"> => ({
  product_id: product.id,
  status: product.status,
  type: product.type,
  name: product.name,
  slug: product.slug,
  sku: product.sku,
  menu_order: product.menuOrder,
  base_price: String(ownPrices(product, now).basePrice),
  ...pricing(product, now),
  filter_keys: filterKeys(product),
  channel_ids: product.salesChannelIds,
  created_at: product.createdAt.toISOString(),
  updated_at: product.updatedAt.toISOString()
})

export const listingRow = (storeId: string, product: ProductState, now: number): ListingRow => {
  const listed = listedFields(product, now)
  return { ...listed, search: searchVector(storeId, product, listed.filter_keys) }
}
