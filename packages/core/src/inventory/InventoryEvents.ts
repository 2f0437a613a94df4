/**
 * The event of stock: every change of a total or of what is reserved, one event per product and transaction. The
 * statements that change stock write its row themselves (internal/stockEvents.ts).
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
 * The counts of a product with variants are those of all its variants together, and `variants` lists the counts of
 * each; otherwise `variants` is empty.
 */
const InventoryUpdated = Schema.Struct({
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

/** An item is available again and has stayed so; `email` asked for a mail. */
export const backInStock = defineEvent("internal.back_in_stock", {
  description: "Something can be bought again, and a shopper has asked for a mail about it.",
  data: Schema.Struct({
    email: Schema.String,
    locale: Schema.NullOr(Schema.String),
    salesChannelId: Schema.String,
    productId: Schema.String,
    variantId: Schema.NullOr(Schema.String),
    productName: Schema.String,
    variantName: Schema.NullOr(Schema.String),
    slug: Schema.String
  }),
  internal: true
})

/** Written by the trigger `stock_fell_low`, once each time that stock falls to its threshold. */
export const lowStock = defineEvent("internal.low_stock", {
  description: "Stock falls to the threshold at which its merchant wants a mail.",
  data: Schema.Struct({
    productId: Schema.String,
    variantId: Schema.NullOr(Schema.String),
    productName: Schema.String,
    variantName: Schema.NullOr(Schema.String),
    sku: Schema.NullOr(Schema.String),
    available: Schema.Int,
    threshold: Schema.Int
  }),
  internal: true
})

export const inventoryEvents = [inventoryUpdated, backInStock, lowStock]
