/** The listing row of a product: what lists filter and sort by, made of the product's state. */
import { type Instant, windowState } from "../../kernel/TimeWindow.ts"
import type { ProductState } from "../../product/Product.ts"
import { effectivePrices } from "../../product/productViews.ts"
import { isPricedByComponents, kitPriceChanges, type OwnPrices, ownPrices } from "../../product/KitPrice.ts"
import { filterKeys } from "./filterKeys.ts"
import { searchVector } from "./searchVector.ts"

/** Minor units as text and times in ISO 8601, or "infinity", as PostgreSQL reads them from JSON. */
export interface ListingRow {
  readonly product_id: string
  readonly status: string
  readonly type: string
  readonly name: string
  readonly slug: string
  readonly sku: string | null
  readonly menu_order: number
  readonly base_price: string
  readonly price: string
  readonly price_since: string
  readonly price_until: string
  readonly regular_price: string
  readonly sale_price: string
  readonly sale_starts_at: string | null
  readonly sale_ends_at: string | null
  readonly filter_keys: ReadonlyArray<string>
  readonly channel_ids: ReadonlyArray<string> | null
  readonly created_at: string
  readonly updated_at: string
  /** A text search vector. */
  readonly search: string
}

const textOf = (instant: Instant, open: string): string =>
  instant === null ? open : new Date(Number(instant)).toISOString()

const lowest = (prices: ReadonlyArray<bigint>): bigint => prices.reduce((low, price) => (price < low ? price : low))

/** The price of a kit that its components price: it changes whenever one of their sales begins or ends. */
const kitPricing = ({ kitComponents }: ProductState, own: OwnPrices, now: number) => {
  const changes = kitPriceChanges(kitComponents)
  const past = changes.filter((at) => at <= now)
  const coming = changes.filter((at) => at > now)
  return {
    price: String(own.salePrice ?? own.basePrice),
    price_since: textOf(past.length === 0 ? null : Math.max(...past), "-infinity"),
    price_until: textOf(coming.length === 0 ? null : Math.min(...coming), "infinity"),
    regular_price: String(own.basePrice),
    sale_price: String(own.salePrice ?? own.basePrice),
    sale_starts_at: null,
    sale_ends_at: null
  }
}

/** What a shopper pays at `now`, and the time for which that holds. */
const pricing = (product: ProductState, now: number) => {
  const window = { startsAt: product.salePriceStartsAt, endsAt: product.salePriceEndsAt }
  const own = ownPrices(product, now)
  if (isPricedByComponents(product.kitPricingMode)) return kitPricing(product, own, now)
  const regular = lowest(effectivePrices(product, { ...own, onSale: false }))
  const sale = lowest(effectivePrices(product, { ...own, onSale: true }))
  const state = windowState(window, now)
  const changes = regular !== sale
  return {
    price: String(state === "active" ? sale : regular),
    price_since: textOf(
      !changes || state === "scheduled" ? null : state === "active" ? window.startsAt : window.endsAt,
      "-infinity"
    ),
    price_until: textOf(
      !changes || state === "expired" ? null : state === "active" ? window.endsAt : window.startsAt,
      "infinity"
    ),
    regular_price: String(regular),
    sale_price: String(sale),
    sale_starts_at: window.startsAt?.toISOString() ?? null,
    sale_ends_at: window.endsAt?.toISOString() ?? null
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
