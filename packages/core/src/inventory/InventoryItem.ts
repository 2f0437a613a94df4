/** A counted item as merchants see it, and what they may change. Counts are units and may be below zero. */
import { Schema } from "effect"
import { BackorderMode, TrackingMode } from "../kernel/Availability.ts"
import {
  arrayOf,
  described,
  integer,
  nullableInteger,
  nullableString,
  nullableTimestamp,
  optional,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"

const count = Schema.Finite
const clearable = (description: string, example: number) =>
  Schema.optionalKey(described(Schema.NullOr(count), description, example))
const variantId = Schema.optionalKey(
  described(Schema.NullOr(Schema.NonEmptyString), "The variant, where the product is sold by its variants.")
)
const productId = described(Schema.NonEmptyString, "The product.", "prod_01m80xf4kfwqepj0qfgc4xj8ge")
const trackingMode = described(
  TrackingMode,
  "TRACKED: units are counted and a sale takes them. UNTRACKED: always available, nothing is counted. DISABLED: " +
    "cannot be bought."
)
const backorderMode = described(
  BackorderMode,
  "Whether more can be sold than there is. DENY: no. ALLOW: without a limit. LIMITED: up to backorderLimit units."
)

/** For a whole VARIABLE product: the sums of its variants, and `variantId` null. */
export const InventoryItem = Schema.Struct({
  id: string("Id of the inventory item."),
  productId: string("The product.", "prod_01m80xf4kfwqepj0qfgc4xj8ge"),
  variantId: nullableString("The variant; null where the item is of the product itself or the sum of its variants."),
  trackingMode,
  backorderMode,
  backorderLimit: nullableInteger("Units that may be owed over all orders while LIMITED; null is none."),
  total: integer("Units that there are. Below zero where backorders are owed.", 94),
  reserved: integer("Units that checkouts in progress hold, and carts where the store reserves on cart.", 2),
  available: integer("Units that can still be sold: total less reserved. Below zero where backorders are owed.", 92),
  lowStockThreshold: nullableInteger("Stock counts as low at or below this many units; null: never.", 5),
  lastInventorySyncAt: nullableTimestamp("When another platform last wrote the stock; null if none ever did."),
  updatedAt: timestamp("When the item last changed. It is the version that If-Match names.")
}).annotate({ identifier: "InventoryItem", description: "The stock of a product or a variant, as merchants see it." })
export type InventoryItem = typeof InventoryItem.Type

/** The response for a product that is unknown or was never counted: these three fields, and nothing else. */
export const NoInventory = Schema.Struct({
  available: described(Schema.Literal(0), "Nothing can be sold."),
  reserved: described(Schema.Literal(0), "Nothing is held."),
  total: described(Schema.Literal(0), "Nothing is there.")
}).annotate({
  identifier: "NoInventory",
  description: "The response for a product that is unknown or has no stock record."
})
export const noInventory: typeof NoInventory.Type = { available: 0, reserved: 0, total: 0 }

const expectedTotal = optional(
  count,
  "The total that the caller believes there is. If there is another, nothing is written: 409 CONFLICT with " +
    "details.currentTotal.",
  94
)

/**
 * Counts are checked by the use case: a wrong one is INVALID_STOCK_VALUE, not a malformed body. Absent is unchanged,
 * null clears.
 */
export const InventoryChange = Schema.Struct({
  variantId,
  total: optional(count, "Units that there are now: a whole number from 0.", 120),
  trackingMode: Schema.optionalKey(trackingMode),
  backorderMode: Schema.optionalKey(backorderMode),
  backorderLimit: clearable("Units that may be owed over all orders while LIMITED; null clears it.", 10),
  lowStockThreshold: clearable("Stock counts as low at or below this many units; null clears it.", 5),
  expectedTotal
}).annotate({ identifier: "SetInventory", description: "What to set. An absent field stays as it is." })
export type InventoryChange = typeof InventoryChange.Type

const AdjustReason = Schema.Literals(["received", "damage", "correction", "return", "sale", "other"])
export const Adjustment = Schema.Struct({
  variantId,
  delta: described(count, "Units to add, or to remove if negative: a whole number other than 0.", -2),
  reason: described(AdjustReason, "Why the stock changes; kept in the history."),
  reference: optional(
    Schema.NullOr(text(500)),
    "A note or an id of your own, such as a delivery note; kept in the history.",
    "DN-4711"
  )
}).annotate({ identifier: "AdjustInventory", description: "A change of stock by a difference." })
export type Adjustment = typeof Adjustment.Type

export const Adjusted = Schema.Struct({
  ...InventoryItem.fields,
  adjustmentId: string("Id of the entry that the adjustment made in the history.")
}).annotate({ identifier: "AdjustedInventoryItem", description: "The stock after an adjustment." })

/** One entry of the history; the deltas of an item sum to its total. */
export const StockMovement = Schema.Struct({
  id: string("Id of the entry."),
  delta: integer("Units added, or removed if negative. All entries of a product or variant add up to its total.", -2),
  reason: described(AdjustReason, "Why the stock changed. Setting a total is a correction."),
  reference: nullableString(
    "What the change belongs to: an order, a note of the caller, or initial; null without one."
  ),
  variantId: nullableString("The variant; null where the stock is of the product itself."),
  createdAt: timestamp("When the stock changed.")
}).annotate({ identifier: "StockMovement", description: "One change of stock." })
export type StockMovement = typeof StockMovement.Type

/** The most items in one bulk call. */
const maxBulk = 100
const many = <S extends Schema.Top>(item: S) => Schema.Array(item).pipe(Schema.check(Schema.isMaxLength(maxBulk)))

/** Either `productIds` or `skus`. */
export const BulkLookup = Schema.Struct({
  productIds: optional(many(productId), "Products, at most 100. Give either productIds or skus."),
  skus: optional(many(Schema.NonEmptyString), "SKUs of products or variants, at most 100.", ["TAB-0020"])
}).annotate({ identifier: "InventoryLookup", description: "Whose stock to return: either products or SKUs." })
export type BulkLookup = typeof BulkLookup.Type

const BulkRow = Schema.Struct({
  productId,
  variantId,
  total: described(count, "Units that there are now: a whole number from 0.", 120),
  expectedTotal
}).annotate({ identifier: "SetInventoryRow", description: "The new total of one product or variant." })
export const BulkChange = Schema.Struct({
  items: described(many(BulkRow), "At most 100 rows. Each one is written or fails by itself.")
}).annotate({ identifier: "SetInventoryBulk", description: "New totals of several products and variants." })
export type BulkChange = typeof BulkChange.Type

export const ReconcileInput = Schema.Struct({
  productIds: optional(many(productId), "Products to check, at most 100. All products by default."),
  dryRun: optional(Schema.Boolean, "true (the default) only reports; false also corrects.", true)
}).annotate({ identifier: "ReconcileInventory", description: "Which products to check, and whether to correct them." })
export type ReconcileInput = typeof ReconcileInput.Type

const Drift = Schema.Struct({
  productId: string("The product."),
  variantId: nullableString("The variant; null where the stock is of the product itself."),
  reserved: integer("Units that the stock says are held.", 3),
  expected: integer("Units that live reservations hold.", 2)
}).annotate({ identifier: "InventoryDrift", description: "Stock whose count of held units is wrong." })
/** `expected` is the sum of live reservations. */
export const Reconciled = Schema.Struct({
  checked: integer("How many stock rows were checked.", 208),
  drifted: arrayOf(Drift, "Those whose count of held units differs from the live reservations."),
  fixed: integer("How many were corrected; 0 in a dry run.", 0)
}).annotate({ identifier: "InventoryReconciliation", description: "What a reconciliation found and corrected." })
export type Reconciled = typeof Reconciled.Type
