/**
 * What one unit costs at a moment: the sale price, where there is one, while its sale lasts, else the price. Products,
 * variants, components of kits and lines of carts all ask here; the function `price_at` says the same in SQL.
 */
import { type Instant, isWindowActive } from "./TimeWindow.ts"

/** Minor units, also as text. */
type Amount = bigint | string

export interface Prices {
  readonly price: Amount
  readonly salePrice: Amount | null
}

/** Prices with the time of their sale; an open side never ends or never began. */
export interface SalePrices extends Prices {
  readonly saleStartsAt: Instant
  readonly saleEndsAt: Instant
}

/** What one unit costs where it is known whether the sale lasts. */
export const priceOnSale = ({ price, salePrice }: Prices, onSale: boolean): bigint =>
  BigInt(onSale ? (salePrice ?? price) : price)

/** What one unit costs at `at`, in epoch milliseconds; null asks for the price without a sale. */
export const priceAt = (prices: SalePrices, at: number | null): bigint =>
  priceOnSale(prices, at !== null && isWindowActive({ startsAt: prices.saleStartsAt, endsAt: prices.saleEndsAt }, at))
