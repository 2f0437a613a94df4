/**
 * The event of stock (interface.md, Events): every change of a total or of what is reserved, one event per product and
 * transaction. The statements that change stock write its row themselves (internal/stockEvents.ts).
 */
import { Schema } from "effect"
import { TrackingMode } from "../kernel/Availability.ts"
import { defineEvent } from "../kernel/EventDefinition.ts"

const level = {
  trackingMode: TrackingMode,
  total: Schema.Int,
  reserved: Schema.Int,
  available: Schema.Int,
  lastInventorySyncAt: Schema.NullOr(Schema.String)
}

/**
 * The counts of a product that is sold by its variants are those of all its variants together, and `variants` lists the
 * counts of each; otherwise `variants` is empty.
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

export const inventoryUpdated = defineEvent("inventory.updated", {
  description: "Stock changes.",
  data: InventoryUpdated
})

export const inventoryEvents = [inventoryUpdated]
