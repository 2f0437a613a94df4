import type {
  AddressesUnavailable,
  PlaceUnknown,
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
  | PlaceUnknown
  | AddressesUnavailable
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
  ShippingRateRejected: rejected,
  PlaceUnknown: missing("place"),
  AddressesUnavailable: {
    code: "SERVICE_TEMPORARILY_UNAVAILABLE",
    message: () => "The address cannot be looked up now: the shopper can type it. Retry shortly",
    headers: () => ({ "retry-after": "1" }),
    warning: (e) => `the address provider ${e.provider} has failed: ${e.reason}`
  }
}
