/**
 * What can be bought of a thing that is counted. Views, carts, checkouts and kits ask here. In SQL lists ask
 * `stock_sells` and `stock_sells_at`, which a property test compares with this; a sale asks `StockLedger`, with the
 * rows locked, and the triggers of `stock` that mark a product when it sells out or comes back spell the condition.
 */
import { Schema } from "effect"

export const TrackingMode = Schema.Literals(["TRACKED", "UNTRACKED", "DISABLED"])
export type TrackingMode = typeof TrackingMode.Type
export const BackorderMode = Schema.Literals(["DENY", "ALLOW", "LIMITED"])
export type BackorderMode = typeof BackorderMode.Type

/**
 * A row of stock, in units. Where there is none (`null`), nothing has ever been counted: TRACKED, and nothing there.
 */
export interface StockFacts {
  readonly trackingMode: TrackingMode
  readonly backorderMode: BackorderMode
  /** Units that may be owed over all orders together while LIMITED; null is none. */
  readonly backorderLimit: number | null
  readonly total: number
  readonly reserved: number
}

/** The row of stock that a thing draws on: its variant's, else its product's. */
export const stockKeyOf = (thing: { readonly productId: string; readonly variantId: string | null }): string =>
  thing.variantId ?? thing.productId

/**
 * Units that can be sold now, counting `held` units that are the asker's own; Infinity where stock is not counted or
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

/** Units that shoppers are shown as available: never negative, without those that others hold. */
export const unitsFree = (stock: StockFacts | null): number =>
  stock === null ? 0 : Math.max(0, stock.total - stock.reserved)

/** At least one unit is free. True for what is not counted, false for what is switched off. */
export const isInStock = (stock: StockFacts | null): boolean => {
  if (stock === null || stock.trackingMode === "DISABLED") return false
  return stock.trackingMode === "UNTRACKED" || unitsFree(stock) > 0
}

/** Few enough are left to say so: the threshold or fewer, of something that is counted. */
export const isLowStock = (stock: StockFacts | null, threshold: number | null): boolean =>
  stock !== null && threshold !== null && stock.trackingMode === "TRACKED" && unitsFree(stock) <= threshold

/** What a part of a product has: a variant, active or not. */
export interface StockPart {
  readonly trackingMode: TrackingMode
  readonly total: number
  readonly reserved: number
  readonly available: number
  readonly isActive: boolean
}

/**
 * What a product that is sold by its variants has as a whole: their counts together, and one tracking mode. It is that
 * of what shoppers can see: TRACKED where any active variant is counted, else UNTRACKED where any is never refused,
 * else DISABLED; TRACKED where there is none. Events follow the same rule in SQL (inventory/internal/stockEvents.ts).
 */
export const stockTogether = (parts: ReadonlyArray<StockPart>): Omit<StockPart, "isActive"> => {
  const sum = (field: "total" | "reserved" | "available") => parts.reduce((all, part) => all + part[field], 0)
  const modes = new Set(parts.filter((part) => part.isActive).map((part) => part.trackingMode))
  const trackingMode = TrackingMode.literals.find((mode) => modes.has(mode)) ?? "TRACKED"
  return { trackingMode, total: sum("total"), reserved: sum("reserved"), available: sum("available") }
}
