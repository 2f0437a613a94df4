/**
 * Port: the stock that a new product or variant begins with. It decides how a first count becomes a stock row and its movement; it is called in the
 * transaction that creates the product; the inventory room, which owns those tables, implements it. Without it a product would begin with nothing.
 */
import { Context, type Effect } from "effect"

export interface OpeningStock {
  readonly productId: string
  readonly variantId: string | null
  readonly total: number
  readonly trackingMode: "TRACKED" | "UNTRACKED" | "DISABLED"
  readonly backorderMode: "DENY" | "ALLOW" | "LIMITED"
  readonly backorderLimit: number | null
  readonly lowStockThreshold: number | null
}

export class StockOpening extends Context.Service<
  StockOpening,
  { readonly open: (storeId: string, rows: ReadonlyArray<OpeningStock>, now: Date) => Effect.Effect<void> }
>()("@effect-commerce/core/catalog/StockOpening") {}
