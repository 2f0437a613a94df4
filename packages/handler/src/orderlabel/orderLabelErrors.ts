import type { OrderLabelNameTaken, OrderLabelNotFound } from "@effect-commerce/core/orderlabel/OrderLabelErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const orderLabelErrors: ErrorRows<OrderLabelNotFound | OrderLabelNameTaken> = {
  OrderLabelNotFound: missing("order status label"),
  OrderLabelNameTaken: {
    code: "CONFLICT",
    message: (e) => `Another order status label has the name ${e.name}`,
    details: (e) => ({ name: e.name })
  }
}
