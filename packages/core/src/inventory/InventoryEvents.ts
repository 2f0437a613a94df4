/** What the room tells subscribers: `inventory.updated`, one per product and transaction (interface.md, Events). */
import { Schema } from "effect"
import type { OutboxEvent } from "../database/Outbox.ts"
import type { TrackingMode } from "../kernel/Availability.ts"

/** A row of stock as it stands after the change that is told. */
export interface StockLevel {
  readonly productId: string
  readonly variantId: string | null
  readonly trackingMode: TrackingMode
  readonly total: number
  readonly reserved: number
  readonly lastInventorySyncAt: Date | null
}

const level = {
  trackingMode: Schema.String,
  total: Schema.Int,
  reserved: Schema.Int,
  available: Schema.Int,
  lastInventorySyncAt: Schema.NullOr(Schema.String)
}

/** Counts of a product sold by its variants are those of all of them together; `variants` then says which has what, else it is empty. */
export const InventoryUpdated = Schema.Struct({
  productId: Schema.String,
  inventory: Schema.Struct({ productId: Schema.String, ...level, variants: Schema.Array(Schema.Struct({ variantId: Schema.String, ...level })) })
})
export type InventoryUpdated = typeof InventoryUpdated.Type

const snapshotOf = ({ trackingMode, total, reserved, lastInventorySyncAt }: StockLevel) => ({
  trackingMode,
  total,
  reserved,
  available: total - reserved,
  lastInventorySyncAt: lastInventorySyncAt?.toISOString() ?? null
})

const together = (levels: ReadonlyArray<StockLevel>) => {
  const sum = (field: "total" | "reserved") => levels.reduce((all, one) => all + one[field], 0)
  const trackingMode = levels.find((one) => one.trackingMode === "TRACKED")?.trackingMode ?? levels[0]?.trackingMode ?? "TRACKED"
  const syncs = levels.flatMap((one) => (one.lastInventorySyncAt === null ? [] : [one.lastInventorySyncAt.toISOString()])).sort()
  const [total, reserved] = [sum("total"), sum("reserved")]
  return { trackingMode, total, reserved, available: total - reserved, lastInventorySyncAt: syncs.at(-1) ?? null }
}

/** One event for each product, in the order of `levels`, which hold every row of the products they name. */
export const inventoryUpdated = (levels: ReadonlyArray<StockLevel>): ReadonlyArray<OutboxEvent> =>
  [...Map.groupBy(levels, (one) => one.productId)].map(([productId, rows]) => {
    const variants = rows.flatMap((row) => (row.variantId === null ? [] : [{ variantId: row.variantId, ...snapshotOf(row) }]))
    const data: InventoryUpdated = { productId, inventory: { productId, ...together(rows), variants } }
    return { type: "inventory.updated", data }
  })
