/**
 * The port by which the product room sets stock, in the transaction that writes a product: the opening stock of
 * something new, and changes that a product's body makes to existing stock. The inventory room, which owns those
 * tables, implements it; without it a product would start without stock.
 */
import { Context, type Effect } from "effect"
import type { StoreContext } from "../store/StoreContext.ts"
import type { StockBelowReserved } from "./ProductErrors.ts"
import type { InventoryInput } from "./VariantInput.ts"

export interface OpeningStock {
  readonly productId: string
  readonly variantId: string | null
  readonly total: number
  readonly trackingMode: "TRACKED" | "UNTRACKED" | "DISABLED"
  readonly backorderMode: "DENY" | "ALLOW" | "LIMITED"
  readonly backorderLimit: number | null
  readonly lowStockThreshold: number | null
}

/** Absent leaves a field unchanged, null clears it. `variantId` null: the product itself. */
export interface StockSetting extends InventoryInput {
  readonly variantId: string | null
}

export class ProductStock extends Context.Service<
  ProductStock,
  {
    readonly open: (storeId: string, rows: ReadonlyArray<OpeningStock>, now: Date) => Effect.Effect<void>
    /** Sets the stock of one product, all of it or nothing, with its stock movements and a single event. */
    readonly set: (
      store: StoreContext,
      productId: string,
      settings: ReadonlyArray<StockSetting>
    ) => Effect.Effect<void, StockBelowReserved>
    /**
     * Writes the stock of a product whose set of variants has changed. Its event is emitted once, with the other
     * changes of the transaction.
     */
    readonly tell: (storeId: string, productId: string, now: Date) => Effect.Effect<void>
  }
>()("@effect-commerce/core/product/ProductStock") {}
