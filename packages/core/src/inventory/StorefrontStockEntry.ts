/** Stock as shoppers are shown it: the shapes, and how they are made. `available` is never below zero. */
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
import {
  arrayOf,
  boolean,
  clearable,
  described,
  integer,
  nullableString,
  optional,
  Reference,
  string,
  text
} from "../kernel/Fields.ts"
import { isKitLow } from "../kernel/Kit.ts"
import type { ShownRow } from "./InventoryRepository.ts"

const trackingMode = described(
  TrackingMode,
  "TRACKED: units are counted. UNTRACKED: always available. DISABLED: cannot be bought."
)
const counts = {
  total: integer("Units that there are.", 94),
  reserved: integer("Units that are held for shoppers.", 2),
  available: integer("Units that can be bought now; never below zero.", 92),
  trackingMode
}
const StorefrontInventory = Schema.Struct({
  ...counts,
  inStock: boolean("Whether there are units on hand, or none are counted."),
  canPurchase: boolean("Whether one can be bought now, also as a backorder.")
}).annotate({ identifier: "StorefrontInventory", description: "Stock as shoppers are shown it." })
type StorefrontInventory = typeof StorefrontInventory.Type

const StorefrontVariantStock = Schema.Struct({
  variantId: string("The variant."),
  sku: nullableString("Stock-keeping unit of the variant; null without one."),
  name: string("Name of the variant."),
  inventory: StorefrontInventory
}).annotate({ identifier: "StorefrontVariantStock", description: "Stock of one variant." })

/** A product with its variants; for a VARIABLE one, `inventory` is that of its variants together. */
export const StorefrontStockEntry = Schema.Struct({
  productId: string("The product.", "prod_01m80xf4kfwqepj0qfgc4xj8ge"),
  sku: nullableString("Stock-keeping unit of the product; null without one.", "TAB-0020"),
  name: string("Name of the product.", "Marlow mug"),
  type: described(
    Schema.Literals(["SIMPLE", "VARIABLE", "KIT"]),
    "SIMPLE: sold as it is. VARIABLE: sold by its variants. KIT: made of other products."
  ),
  inventory: StorefrontInventory,
  variants: arrayOf(StorefrontVariantStock, "Its variants; empty where the product has none.")
}).annotate({
  identifier: "StorefrontStock",
  description: "Stock of one product. For a VARIABLE product, inventory sums up its variants."
})
export type StorefrontStockEntry = typeof StorefrontStockEntry.Type

export const StockList = Schema.Struct({
  inventory: arrayOf(StorefrontStockEntry, "One entry for each product that shoppers can see.")
}).annotate({ identifier: "StorefrontStockList", description: "Stock of several products." })

/** One entry for each item that can be put into a cart. */
export const AvailabilityEntry = Schema.Struct({
  productId: string("The product."),
  variantId: nullableString("The variant; null where the product itself is sold."),
  ...counts,
  canPurchase: boolean("Whether one can be bought now, also as a backorder."),
  lowStock: boolean("Whether the stock is at or below the low-stock threshold.")
}).annotate({ identifier: "Availability", description: "Stock of one product or variant that can be put into a cart." })
export type AvailabilityEntry = typeof AvailabilityEntry.Type

export const AvailabilityRequest = Schema.Struct({
  productId: described(Reference, "The product.", "prod_01m80xf4kfwqepj0qfgc4xj8ge"),
  variantId: optional(Schema.NullOr(Reference), "The variant, where the product is sold by its variants."),
  quantity: described(
    Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 999_999 }))),
    "How many units the shopper wants.",
    2
  )
}).annotate({ identifier: "AvailabilityRequest", description: "A product and a quantity to check." })
export type AvailabilityRequest = typeof AvailabilityRequest.Type

/** The most products or requests in one call. */
const maxAsked = 50
const few = <S extends Schema.Top>(item: S) => Schema.Array(item).pipe(Schema.check(Schema.isMaxLength(maxAsked)))

export const CheckAvailability = Schema.Struct({
  items: described(few(AvailabilityRequest), "At most 50 items. Items for the same thing draw on the same stock.")
}).annotate({ identifier: "CheckAvailability", description: "What a shopper wants to buy." })

export const AvailabilityQuery = Schema.Struct({
  productIds: described(few(Reference), "At most 50 products.", ["prod_01m80xf4kfwqepj0qfgc4xj8ge"])
}).annotate({ identifier: "AvailabilityQuery", description: "The products whose stock to return." })

export const ReservationHolder = Schema.Struct({
  cartId: clearable(text(200), "The cart with the reservation. Give either cartId or checkoutId."),
  checkoutId: clearable(text(200), "The checkout whose reservation is meant.")
}).annotate({ identifier: "ReservationHolder", description: "The cart or the checkout with the reservation." })

/** `available` is what earlier requests for the same units have left; `shortfall` the units that are missing. */
export const AvailabilityAnswer = Schema.Struct({
  productId: string("The requested product."),
  variantId: nullableString("The requested variant; null where none was given."),
  isAvailable: boolean("Whether all requested units can be bought."),
  available: integer("Units on hand after earlier items of the same request.", 1),
  requested: integer("Requested units.", 2),
  shortfall: integer("Units that cannot be bought; 0 where all can.", 1),
  trackingMode
}).annotate({ identifier: "AvailabilityResult", description: "Whether one requested item can be bought." })
export type AvailabilityAnswer = typeof AvailabilityAnswer.Type

export const AvailabilityCheck = Schema.Struct({
  allAvailable: boolean("Whether every item can be bought in the requested quantity."),
  results: arrayOf(AvailabilityAnswer, "One result for each item, in the order of the request.")
}).annotate({ identifier: "AvailabilityCheck", description: "Whether the items can be bought." })

const inventoryOf = (row: ShownRow): StorefrontInventory => ({
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
export const toStorefrontStockEntry = (first: ShownRow, rows: ReadonlyArray<ShownRow>): StorefrontStockEntry => {
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

export const toAvailability = (row: ShownRow): AvailabilityEntry => ({
  productId: row.productId,
  variantId: row.variantId,
  trackingMode: row.trackingMode,
  total: row.total,
  reserved: row.reserved,
  available: unitsFree(row),
  canPurchase: canPurchase(row),
  lowStock: row.parts === null ? isLowStock(row, row.lowStockThreshold) : isKitLow(row.parts)
})

/** Something that does not exist, or must not be seen, has no stock. `row` is what earlier requests have left. */
export const answerRequest = (
  { productId, variantId, quantity }: AvailabilityRequest,
  row: ShownRow | undefined
): AvailabilityAnswer => {
  const named = { productId, variantId: variantId ?? null, requested: quantity }
  if (row === undefined)
    return { ...named, isAvailable: false, available: 0, shortfall: quantity, trackingMode: "TRACKED" }
  const left = unitsAvailable(row)
  const isAvailable = quantity <= left
  return {
    ...named,
    isAvailable,
    available: unitsFree(row),
    shortfall: isAvailable ? 0 : quantity - left,
    trackingMode: row.trackingMode
  }
}
