/** Stock as shoppers are shown it (interface.md, Inventory): the shapes, and how they are made. `available` is never below zero. */
import { Schema } from "effect"
import { canPurchase, isInStock, isLowStock, stockTogether, TrackingMode, unitsAvailable, unitsOnShelf } from "../kernel/Availability.ts"
import { Reference } from "../kernel/Text.ts"
import type { CountedRow } from "./InventoryRepository.ts"

const text = Schema.NullOr(Schema.String)
const counts = { total: Schema.Int, reserved: Schema.Int, available: Schema.Int, trackingMode: TrackingMode }
const ShelfInventory = Schema.Struct({ ...counts, inStock: Schema.Boolean, canPurchase: Schema.Boolean })
type ShelfInventory = typeof ShelfInventory.Type

/** A product with its variants; of a VARIABLE one `inventory` is what its variants have together. */
export const ShelfEntry = Schema.Struct({
  productId: Schema.String,
  sku: text,
  name: Schema.String,
  type: Schema.String,
  inventory: ShelfInventory,
  variants: Schema.Array(Schema.Struct({ variantId: Schema.String, sku: text, name: Schema.String, inventory: ShelfInventory }))
})
export type ShelfEntry = typeof ShelfEntry.Type

/** One for each thing that can be put into a cart. */
export const AvailabilityEntry = Schema.Struct({
  productId: Schema.String,
  variantId: text,
  ...counts,
  canPurchase: Schema.Boolean,
  lowStock: Schema.Boolean
})
export type AvailabilityEntry = typeof AvailabilityEntry.Type

export const Wish = Schema.Struct({
  productId: Reference,
  variantId: Schema.optionalKey(Schema.NullOr(Reference)),
  quantity: Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 999_999 })))
})
export type Wish = typeof Wish.Type

/** `available` is what earlier wishes for the same thing have left; `shortfall` the units that cannot be had. */
export const WishAnswer = Schema.Struct({
  productId: Schema.String,
  variantId: text,
  isAvailable: Schema.Boolean,
  available: Schema.Int,
  requested: Schema.Int,
  shortfall: Schema.Int,
  trackingMode: TrackingMode
})
export type WishAnswer = typeof WishAnswer.Type

const inventoryOf = (row: CountedRow): ShelfInventory => ({
  total: row.total,
  reserved: row.reserved,
  available: unitsOnShelf(row),
  trackingMode: row.trackingMode,
  inStock: isInStock(row),
  canPurchase: canPurchase(row)
})

const together = (parts: ReadonlyArray<ShelfInventory>): ShelfInventory => ({
  ...stockTogether(parts.map((part) => ({ ...part, isActive: true }))),
  inStock: parts.some((part) => part.inStock),
  canPurchase: parts.some((part) => part.canPurchase)
})

/** `rows` are those of one product. */
export const toShelfEntry = (first: CountedRow, rows: ReadonlyArray<CountedRow>): ShelfEntry => {
  const variants = rows.flatMap((row) =>
    row.variantId === null ? [] : [{ variantId: row.variantId, sku: row.variantSku, name: row.variantName ?? "", inventory: inventoryOf(row) }]
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
  available: unitsOnShelf(row),
  canPurchase: canPurchase(row),
  lowStock: isLowStock(row, row.lowStockThreshold)
})

/** Of something that is not there, or not to be seen, nothing can be had. `before` units are wished for already. */
export const answerWish = ({ productId, variantId, quantity }: Wish, row: CountedRow | undefined, before: number): WishAnswer => {
  const named = { productId, variantId: variantId ?? null, requested: quantity }
  if (row === undefined) return { ...named, isAvailable: false, available: 0, shortfall: quantity, trackingMode: "TRACKED" }
  const left = Math.max(0, unitsAvailable(row) - before)
  const isAvailable = quantity <= left
  return {
    ...named,
    isAvailable,
    available: Math.max(0, unitsOnShelf(row) - before),
    shortfall: isAvailable ? 0 : quantity - left,
    trackingMode: row.trackingMode
  }
}
