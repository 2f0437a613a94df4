/** The listing row of a product: what lists filter and sort by, made of the product as it is kept. */
import { type Instant, windowState } from "../../kernel/TimeWindow.ts"
import type { ProductState } from "../Product.ts"
import { effectivePrices } from "../ProductView.ts"
import { listingTerms } from "./listingTerms.ts"
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
  readonly terms: ReadonlyArray<string>
  readonly created_at: string
  readonly updated_at: string
  /** A text search vector. */
  readonly search: string
}

const textOf = (instant: Instant, open: string): string =>
  instant === null ? open : new Date(Number(instant)).toISOString()

const lowest = (prices: ReadonlyArray<bigint>): bigint => prices.reduce((low, price) => (price < low ? price : low))

/** What a shopper pays at `now`, and from when until when that stays so. */
const pricing = (product: ProductState, now: number) => {
  const window = { startsAt: product.salePriceStartsAt, endsAt: product.salePriceEndsAt }
  const regular = lowest(effectivePrices(product, false))
  const sale = lowest(effectivePrices(product, true))
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

export const listingRow = (storeId: string, product: ProductState, now: number): ListingRow => {
  const terms = listingTerms(product)
  return {
    product_id: product.id,
    status: product.status,
    type: product.type,
    name: product.name,
    slug: product.slug,
    sku: product.sku,
    menu_order: product.menuOrder,
    base_price: String(product.basePrice),
    ...pricing(product, now),
    terms,
    created_at: product.createdAt.toISOString(),
    updated_at: product.updatedAt.toISOString(),
    search: searchVector(storeId, product, terms)
  }
}
