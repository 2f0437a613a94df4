/**
 * What the room tells subscribers: every change of a total or of what is reserved, one event per product and
 * transaction (interface.md, Events). The statements that change stock write its outbox row themselves
 * (internal/toldStock.ts).
 */
import { Schema } from "effect"
import { TrackingMode } from "../kernel/Availability.ts"

export const inventoryUpdated = "inventory.updated"

const level = {
  trackingMode: TrackingMode,
  total: Schema.Int,
  reserved: Schema.Int,
  available: Schema.Int,
  lastInventorySyncAt: Schema.NullOr(Schema.String)
}

/**
 * Counts of a product sold by its variants are those of all of them together; `variants` then says which has what, else
 * it is empty.
 */
export const InventoryUpdated = Schema.Struct({
  productId: Schema.String,
  inventory: Schema.Struct({
    productId: Schema.String,
    ...level,
    variants: Schema.Array(Schema.Struct({ variantId: Schema.String, ...level }))
  })
})
export type InventoryUpdated = typeof InventoryUpdated.Type
