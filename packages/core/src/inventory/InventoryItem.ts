/**
 * A counted thing as merchants see it, and what they may change (interface.md, Inventory; completions.md 2.15). Counts
 * are units and may be below zero.
 */
import { Schema } from "effect"
import { BackorderMode, TrackingMode } from "../kernel/Availability.ts"

const nullableText = Schema.NullOr(Schema.String)
const count = Schema.Finite
const clearable = Schema.optionalKey(Schema.NullOr(count))
const variantId = Schema.optionalKey(Schema.NullOr(Schema.NonEmptyString))
const productId = Schema.NonEmptyString

/** A VARIABLE product asked for as a whole has the sums of its variants, and `variantId` null. */
export const InventoryItem = Schema.Struct({
  id: Schema.String,
  productId: Schema.String,
  variantId: nullableText,
  trackingMode: TrackingMode,
  backorderMode: BackorderMode,
  backorderLimit: Schema.NullOr(Schema.Int),
  total: Schema.Int,
  reserved: Schema.Int,
  available: Schema.Int,
  lowStockThreshold: Schema.NullOr(Schema.Int),
  lastInventorySyncAt: nullableText,
  updatedAt: Schema.String
})
export type InventoryItem = typeof InventoryItem.Type

/** What is said of a product that is unknown or was never counted: these three, and nothing else. */
export const NoInventory = Schema.Struct({
  available: Schema.Literal(0),
  reserved: Schema.Literal(0),
  total: Schema.Literal(0)
})
export const noInventory: typeof NoInventory.Type = { available: 0, reserved: 0, total: 0 }

/**
 * Counts are checked by the use case: a wrong one is INVALID_STOCK_VALUE, not a malformed body. Absent is unchanged,
 * null clears.
 */
export const InventoryChange = Schema.Struct({
  variantId,
  total: Schema.optionalKey(count),
  trackingMode: Schema.optionalKey(TrackingMode),
  backorderMode: Schema.optionalKey(BackorderMode),
  backorderLimit: clearable,
  lowStockThreshold: clearable,
  /** The total the caller believes there is. */
  expectedTotal: Schema.optionalKey(count)
})
export type InventoryChange = typeof InventoryChange.Type

export const AdjustReason = Schema.Literals(["received", "damage", "correction", "return", "sale", "other"])
export const Adjustment = Schema.Struct({
  variantId,
  delta: count,
  reason: AdjustReason,
  reference: Schema.optionalKey(Schema.NullOr(Schema.String.pipe(Schema.check(Schema.isMaxLength(500)))))
})
export type Adjustment = typeof Adjustment.Type

export const Adjusted = Schema.Struct({ ...InventoryItem.fields, adjustmentId: Schema.String })

/** One entry of the history; the deltas of a thing sum to its total. */
export const StockMovement = Schema.Struct({
  id: Schema.String,
  delta: Schema.Int,
  reason: Schema.String,
  reference: nullableText,
  variantId: nullableText,
  createdAt: Schema.String
})
export type StockMovement = typeof StockMovement.Type

/** How many things one bulk call may name. */
export const maxBulk = 100
const many = <S extends Schema.Top>(item: S) => Schema.Array(item).pipe(Schema.check(Schema.isMaxLength(maxBulk)))

/** One of the two. */
export const BulkLookup = Schema.Struct({
  productIds: Schema.optionalKey(many(productId)),
  skus: Schema.optionalKey(many(Schema.NonEmptyString))
})
export type BulkLookup = typeof BulkLookup.Type

export const BulkChange = Schema.Struct({
  items: many(Schema.Struct({ productId, variantId, total: count, expectedTotal: Schema.optionalKey(count) }))
})
export type BulkChange = typeof BulkChange.Type

export const ReconcileInput = Schema.Struct({
  productIds: Schema.optionalKey(many(productId)),
  dryRun: Schema.optionalKey(Schema.Boolean)
})
/** `expected` is the sum of live reservations. */
export const Reconciled = Schema.Struct({
  checked: Schema.Int,
  drifted: Schema.Array(
    Schema.Struct({ productId: Schema.String, variantId: nullableText, reserved: Schema.Int, expected: Schema.Int })
  ),
  fixed: Schema.Int
})
export type Reconciled = typeof Reconciled.Type
