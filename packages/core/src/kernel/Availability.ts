/**
 * How many units of a product or variant can be bought. Views, carts, checkouts and kits use this module. In SQL, lists
 * use `stock_sells` and `stock_sells_at`, which a property test compares with this; a sale uses `StockLedger`, with the
 * rows locked; and the triggers of `stock` that mark a product when it sells out or comes back repeat the condition.
 */
import { Schema } from "effect"

export const TrackingMode = Schema.Literals(["TRACKED", "UNTRACKED", "DISABLED"])
export type TrackingMode = typeof TrackingMode.Type
export const BackorderMode = Schema.Literals(["DENY", "ALLOW", "LIMITED"])
export type BackorderMode = typeof BackorderMode.Type

/**
 * A row of stock, in units. Without a row (`null`) stock was never set: TRACKED with 0 units.
 */
export interface StockFacts {
  readonly trackingMode: TrackingMode
  readonly backorderMode: BackorderMode
  /** Units that all orders together may backorder while LIMITED; null is none. */
  readonly backorderLimit: number | null
  readonly total: number
  readonly reserved: number
}

/** The key of the stock row that a line draws on: the variant's, else the product's. */
export const stockKeyOf = (thing: { readonly productId: string; readonly variantId: string | null }): string =>
  thing.variantId ?? thing.productId

/**
 * Units that can be sold now, including `held` units that the buyer has reserved; Infinity if stock is not tracked or
 * may go below zero.
 */
export const unitsAvailable = (stock: StockFacts | null, held = 0): number => {
  if (stock === null) return held
  if (stock.trackingMode === "DISABLED") return 0
  if (stock.trackingMode === "UNTRACKED" || stock.backorderMode === "ALLOW") return Number.POSITIVE_INFINITY
  const below = stock.backorderMode === "LIMITED" ? (stock.backorderLimit ?? 0) : 0
  return Math.max(0, stock.total - stock.reserved + held + below)
}

/** At least one unit can be bought, from stock or on backorder. */
export const canPurchase = (stock: StockFacts | null): boolean => unitsAvailable(stock) > 0

/** Units that shoppers see as available: never negative, without those that others have reserved. */
export const unitsFree = (stock: StockFacts | null): number =>
  stock === null ? 0 : Math.max(0, stock.total - stock.reserved)

/** At least one unit is free. True for UNTRACKED stock, false for DISABLED. */
export const isInStock = (stock: StockFacts | null): boolean => {
  if (stock === null || stock.trackingMode === "DISABLED") return false
  return stock.trackingMode === "UNTRACKED" || unitsFree(stock) > 0
}

/** At most `threshold` units are left; false for stock that is not tracked. */
export const isLowStock = (stock: StockFacts | null, threshold: number | null): boolean =>
  stock !== null && threshold !== null && stock.trackingMode === "TRACKED" && unitsFree(stock) <= threshold

/** The stock of a part of a product: a variant, active or not. */
export interface StockPart {
  readonly trackingMode: TrackingMode
  readonly total: number
  readonly reserved: number
  readonly available: number
  readonly isActive: boolean
}

/**
 * The stock of a VARIABLE product as a whole: the sums of its variants, and one tracking mode, that of the active
 * variants: TRACKED if any is tracked, else UNTRACKED if any is untracked, else DISABLED; TRACKED if there is none.
 * Events follow the same rule in SQL (inventory/internal/stockEvents.ts).
 */
export const stockTogether = (parts: ReadonlyArray<StockPart>): Omit<StockPart, "isActive"> => {
  const sum = (field: "total" | "reserved" | "available") => parts.reduce((all, part) => all + part[field], 0)
  const modes = new Set(parts.filter((part) => part.isActive).map((part) => part.trackingMode))
  const trackingMode = TrackingMode.literals.find((mode) => modes.has(mode)) ?? "TRACKED"
  return { trackingMode, total: sum("total"), reserved: sum("reserved"), available: sum("available") }
}
