/** Responses about stock that belong to its routes alone. */
import { ReservationView } from "@effect-commerce/core/inventory/ReservationView"
import { InventoryItem, NoInventory } from "@effect-commerce/core/inventory/InventoryItem"
import { arrayOf, boolean, described, integer, json, string } from "@effect-commerce/core/kernel/Fields"
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

export const Asked = Schema.Struct({
  ok: described(Schema.Literal(true), "Always true, whether the product and the address are known or not.")
}).annotate({ identifier: "StockAlertAsked", description: "The response to a request for a stock alert." })
export const Extended = Schema.Struct({
  success: boolean("Whether the reservation was extended."),
  reservation: ReservationView
}).annotate({ identifier: "ExtendedReservation", description: "The reservation after it was extended." })
