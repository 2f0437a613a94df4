/**
 * The price of one unit at a time: the sale price, if there is one and its sale is running, else the price. Products,
 * variants, components of kits and cart lines all use it; the function `price_at` is the same in SQL.
 */
import { type Instant, isWindowActive } from "./TimeWindow.ts"

/** Minor units, also as text. */
type Amount = bigint | string

export interface Prices {
  readonly price: Amount
  readonly salePrice: Amount | null
}

/** Prices with the period of the sale; a null side is open. */
export interface SalePrices extends Prices {
  readonly saleStartsAt: Instant
  readonly saleEndsAt: Instant
}

/** The price of one unit if it is known whether the sale is running. */
export const priceOnSale = ({ price, salePrice }: Prices, onSale: boolean): bigint =>
  BigInt(onSale ? (salePrice ?? price) : price)

/** The price of one unit at `at`, in epoch milliseconds; null: the price without a sale. */
export const priceAt = (prices: SalePrices, at: number | null): bigint =>
  priceOnSale(prices, at !== null && isWindowActive({ startsAt: prices.saleStartsAt, endsAt: prices.saleEndsAt }, at))
