/**
 * Stock as shoppers are shown it (interface.md, Inventory): the shapes, and how they are made. `available` is never
 * below zero.
 */
import { Schema } from "effect"
import {
  canPurchase,
  isInStock,
  isLowStock,
  stockTogether,
  TrackingMode,
  unitsAvailable,
  unitsFree
} from "../kernel/Availability.ts"
import { Reference } from "../kernel/Fields.ts"
import type { CountedRow } from "./InventoryRepository.ts"

const text = Schema.NullOr(Schema.String)
const counts = { total: Schema.Int, reserved: Schema.Int, available: Schema.Int, trackingMode: TrackingMode }
const StorefrontInventory = Schema.Struct({ ...counts, inStock: Schema.Boolean, canPurchase: Schema.Boolean })
type StorefrontInventory = typeof StorefrontInventory.Type

/** A product with its variants; of a VARIABLE one `inventory` is what its variants have together. */
export const StorefrontStockEntry = Schema.Struct({
  productId: Schema.String,
  sku: text,
  name: Schema.String,
  type: Schema.String,
  inventory: StorefrontInventory,
  variants: Schema.Array(
    Schema.Struct({ variantId: Schema.String, sku: text, name: Schema.String, inventory: StorefrontInventory })
  )
})
export type StorefrontStockEntry = typeof StorefrontStockEntry.Type

/** One for each thing that can be put into a cart. */
export const AvailabilityEntry = Schema.Struct({
  productId: Schema.String,
  variantId: text,
  ...counts,
  canPurchase: Schema.Boolean,
  lowStock: Schema.Boolean
})
export type AvailabilityEntry = typeof AvailabilityEntry.Type

export const AvailabilityRequest = Schema.Struct({
  productId: Reference,
  variantId: Schema.optionalKey(Schema.NullOr(Reference)),
  quantity: Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 999_999 })))
})
export type AvailabilityRequest = typeof AvailabilityRequest.Type

/** `available` is what earlier requests for the same thing have left; `shortfall` the units that cannot be had. */
export const AvailabilityAnswer = Schema.Struct({
  productId: Schema.String,
  variantId: text,
  isAvailable: Schema.Boolean,
  available: Schema.Int,
  requested: Schema.Int,
  shortfall: Schema.Int,
  trackingMode: TrackingMode
})
export type AvailabilityAnswer = typeof AvailabilityAnswer.Type

const inventoryOf = (row: CountedRow): StorefrontInventory => ({
  total: row.total,
  reserved: row.reserved,
  available: unitsFree(row),
  trackingMode: row.trackingMode,
  inStock: isInStock(row),
  canPurchase: canPurchase(row)
})

const together = (parts: ReadonlyArray<StorefrontInventory>): StorefrontInventory => ({
  ...stockTogether(parts.map((part) => ({ ...part, isActive: true }))),
  inStock: parts.some((part) => part.inStock),
  canPurchase: parts.some((part) => part.canPurchase)
})

/** `rows` are those of one product. */
export const toStorefrontStockEntry = (first: CountedRow, rows: ReadonlyArray<CountedRow>): StorefrontStockEntry => {
  const variants = rows.flatMap((row) =>
    row.variantId === null
      ? []
      : [{ variantId: row.variantId, sku: row.variantSku, name: row.variantName ?? "", inventory: inventoryOf(row) }]
  )
  return {
    productId: first.productId,
    sku: first.productSku,
    name: first.productName,
    type: first.type,
    inventory: first.type === "VARIABLE" ? together(variants.map((variant) => variant.inventory)) : inventoryOf(first),
    variants
  }
}

export const toAvailability = (row: CountedRow): AvailabilityEntry => ({
  productId: row.productId,
  variantId: row.variantId,
  trackingMode: row.trackingMode,
  total: row.total,
  reserved: row.reserved,
  available: unitsFree(row),
  canPurchase: canPurchase(row),
  lowStock: isLowStock(row, row.lowStockThreshold)
})

/** Of something that is not there, or not to be seen, nothing can be had. `before` units are requested for already. */
export const answerRequest = (
  { productId, variantId, quantity }: AvailabilityRequest,
  row: CountedRow | undefined,
  before: number
): AvailabilityAnswer => {
  const named = { productId, variantId: variantId ?? null, requested: quantity }
  if (row === undefined)
    return { ...named, isAvailable: false, available: 0, shortfall: quantity, trackingMode: "TRACKED" }
  const left = Math.max(0, unitsAvailable(row) - before)
  const isAvailable = quantity <= left
  return {
    ...named,
    isAvailable,
    available: Math.max(0, unitsFree(row) - before),
    shortfall: isAvailable ? 0 : quantity - left,
    trackingMode: row.trackingMode
  }
}
