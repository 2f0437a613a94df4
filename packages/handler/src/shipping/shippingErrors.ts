import type {
  ShippingClassInUse,
  ShippingClassNotFound,
  ShippingClassTaken,
  ShippingRateNotFound,
  ShippingRateRejected,
  ShippingZoneNotFound,
  ShippingZoneRejected
} from "@effect-commerce/core/shipping/ShippingErrors"
import { type ErrorRow, type ErrorRows, missing } from "../middleware/ErrorRow.ts"
import { fieldErrors } from "../middleware/pipelineErrors.ts"

const rejected: ErrorRow<{ readonly errors: Readonly<Record<string, string>> }> = {
  code: "VALIDATION_FAILED",
  message: (e) => fieldErrors(e.errors).message,
  details: (e) => fieldErrors(e.errors).details
}

export const shippingErrors: ErrorRows<
  | ShippingZoneNotFound
  | ShippingZoneRejected
  | ShippingRateNotFound
  | ShippingRateRejected
  | ShippingClassNotFound
  | ShippingClassTaken
  | ShippingClassInUse
> = {
  ShippingClassNotFound: missing("shipping class"),
  ShippingClassTaken: {
    code: "CONFLICT",
    message: (e) => `Another shipping class has the ${e.field} ${e.value}`,
    details: (e) => ({ [e.field]: e.value })
  },
  ShippingClassInUse: {
    code: "CONFLICT",
    message: (e) => `This shipping class still has ${e.by === "rates" ? "costs in shipping rates" : "products"}`,
    details: (e) => ({ usedBy: e.by })
  },
  ShippingZoneNotFound: missing("shipping zone"),
  ShippingZoneRejected: rejected,
  ShippingRateNotFound: missing("shipping rate"),
  ShippingRateRejected: rejected
}
