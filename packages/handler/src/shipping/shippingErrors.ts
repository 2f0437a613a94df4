import type { ShippingRateNotFound, ShippingRateRejected, ShippingZoneNotFound, ShippingZoneRejected } from "@effect-commerce/core/shipping/ShippingErrors"
import { type ErrorRow, type ErrorRows, missing } from "../middleware/ErrorRow.ts"
import { fieldErrors } from "../middleware/pipelineErrors.ts"

const rejected: ErrorRow<{ readonly errors: Readonly<Record<string, string>> }> = {
  code: "VALIDATION_FAILED",
  message: (e) => fieldErrors(e.errors).message,
  details: (e) => fieldErrors(e.errors).details
}

export const shippingErrors: ErrorRows<ShippingZoneNotFound | ShippingZoneRejected | ShippingRateNotFound | ShippingRateRejected> = {
  ShippingZoneNotFound: missing("shipping zone"),
  ShippingZoneRejected: rejected,
  ShippingRateNotFound: missing("shipping rate"),
  ShippingRateRejected: rejected
}
