import type { FulfilmentExceedsOpen } from "@effect-commerce/core/fulfilment/FulfilmentErrors"
import type { ErrorRows } from "../middleware/ErrorRow.ts"

export const fulfilmentErrors: ErrorRows<FulfilmentExceedsOpen> = {
  FulfilmentExceedsOpen: {
    code: "BUSINESS_RULE_VIOLATION",
    message: ({ items }) =>
      items.length === 0 ? "Nothing of this order is left to send" : "More is to be sent than is left to send",
    details: ({ items }) => ({ items })
  }
}
