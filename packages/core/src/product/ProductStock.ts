/**
 * What the product room asks of whoever counts stock, in the transaction that writes a product: with how much a thing
 * begins, and what a product's body says of stock that is there already. The inventory room, which owns those tables,
 * implements it; without it a product would begin with nothing.
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

/** Absent is unchanged, null clears. `variantId` null: the product itself. */
export interface StockSetting extends InventoryInput {
  readonly variantId: string | null
}

export class ProductStock extends Context.Service<
  ProductStock,
  {
    readonly open: (storeId: string, rows: ReadonlyArray<OpeningStock>, now: Date) => Effect.Effect<void>
    /** Of one product: all of it or nothing, with the movements that explain it, and told once. */
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
