/** Bodies of requests and responses about stock that belong to its routes alone. */
import { ReservationView } from "@effect-commerce/core/cart/CartView"
import { InventoryItem, NoInventory } from "@effect-commerce/core/inventory/InventoryItem"
import {
  StorefrontStockEntry,
  AvailabilityRequest,
  AvailabilityAnswer
} from "@effect-commerce/core/inventory/StorefrontStockEntry"
import {
  arrayOf,
  boolean,
  clearable,
  described,
  integer,
  json,
  Reference,
  string,
  text
} from "@effect-commerce/core/kernel/Fields"
import { Schema } from "effect"
import { ErrorCode } from "../middleware/ErrorCode.ts"

export const ProductInventory = Schema.Union([InventoryItem, NoInventory]).annotate({
  identifier: "ProductInventory",
  description: "The stock of a product, or three zeros where there is none."
})
export const LookupResult = Schema.Struct({
  inventory: arrayOf(InventoryItem, "The stock that was found."),
  notFound: arrayOf(Schema.String, "The ids or SKUs that name nothing in this store.")
}).annotate({ identifier: "InventoryLookupResult", description: "The stock of the requested products." })
const BulkError = Schema.Struct({
  code: ErrorCode,
  message: string("The reason, for people. The wording may change."),
  details: Schema.optionalKey(json("Facts about the error, by code."))
}).annotate({ identifier: "BulkRowError", description: "Why one row of a bulk request failed." })
const BulkResult = Schema.Struct({
  index: integer("Position of the row in the request, from 0.", 0),
  item: Schema.optionalKey(InventoryItem),
  error: Schema.optionalKey(BulkError)
}).annotate({
  identifier: "SetInventoryRowResult",
  description: "Outcome of one row: item if it was written, else error."
})
export const BulkResults = Schema.Struct({
  results: arrayOf(BulkResult, "One result for each row, in the order of the request.")
}).annotate({ identifier: "SetInventoryBulkResult", description: "Outcome of each row." })

/** How many products or requests one call may name. */
const maxAsked = 50
const few = <S extends Schema.Top>(item: S) => Schema.Array(item).pipe(Schema.check(Schema.isMaxLength(maxAsked)))
export const Holder = Schema.Struct({
  cartId: clearable(text(200), "The cart with the reservation. Give either cartId or checkoutId."),
  checkoutId: clearable(text(200), "The checkout whose reservation is meant.")
}).annotate({ identifier: "ReservationHolder", description: "The cart or the checkout with the reservation." })
export const StockList = Schema.Struct({
  inventory: arrayOf(StorefrontStockEntry, "One entry for each product that shoppers can see.")
}).annotate({ identifier: "StorefrontStockList", description: "Stock of several products." })
export const CheckAvailability = Schema.Struct({
  items: described(few(AvailabilityRequest), "At most 50 items. Items for the same thing draw on the same stock.")
}).annotate({ identifier: "CheckAvailability", description: "What a shopper wants to buy." })
export const AvailabilityCheck = Schema.Struct({
  allAvailable: boolean("Whether every item can be bought in the requested quantity."),
  results: arrayOf(AvailabilityAnswer, "One result for each item, in the order of the request.")
}).annotate({ identifier: "AvailabilityCheck", description: "Whether the items can be bought." })
export const AvailabilityQuery = Schema.Struct({
  productIds: described(few(Reference), "At most 50 products.", ["prod_01m80xf4kfwqepj0qfgc4xj8ge"])
}).annotate({ identifier: "AvailabilityQuery", description: "The products whose stock to return." })
export const Asked = Schema.Struct({
  ok: described(Schema.Literal(true), "Always true, whether the product and the address are known or not.")
}).annotate({ identifier: "StockAlertAsked", description: "The response to a request for a stock alert." })
export const Extended = Schema.Struct({
  success: boolean("Whether the reservation was extended."),
  reservation: ReservationView
}).annotate({ identifier: "ExtendedReservation", description: "The reservation after it was extended." })
