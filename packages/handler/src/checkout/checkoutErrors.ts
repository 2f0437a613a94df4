import type {
  AddressUnserved,
  CardDeclined,
  CheckoutEmpty,
  CheckoutIncomplete,
  CheckoutNotEditable,
  CheckoutNotFound,
  CheckoutProcessing,
  CheckoutStockInsufficient,
  GiftCardRejected,
  LinesAlreadyOrdered,
  PaymentAwaitsShopper,
  PaymentOutcomeUnknown,
  PaymentProcessingFailed,
  PickupLocationUnknown,
  PriceDrifted,
  ReservationExpired,
  ShippingMethodNotOffered,
  TenderNotFound,
  TotalMismatch
} from "@effect-commerce/core/checkout/CheckoutErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"
import { fieldErrors } from "../middleware/pipelineErrors.ts"

const notOffered = fieldErrors({ shippingRateId: "is not offered for this address" })
const noSuchPlace = fieldErrors({ pickupLocationId: "is not a pickup location of this sales channel" })
const empty = fieldErrors({ cartId: "this cart has no items to check out" })

export const checkoutErrors: ErrorRows<
  | CheckoutNotFound
  | CheckoutNotEditable
  | CheckoutProcessing
  | LinesAlreadyOrdered
  | CheckoutEmpty
  | CheckoutIncomplete
  | AddressUnserved
  | ShippingMethodNotOffered
  | CheckoutStockInsufficient
  | PriceDrifted
  | TotalMismatch
  | ReservationExpired
  | CardDeclined
  | PaymentProcessingFailed
  | PaymentOutcomeUnknown
  | PaymentAwaitsShopper
  | PickupLocationUnknown
  | GiftCardRejected
  | TenderNotFound
> = {
  CheckoutNotFound: missing("checkout", "CHECKOUT_NOT_FOUND"),
  CheckoutNotEditable: {
    code: "CONFLICT",
    message: (e) => `This checkout is ${e.status} and cannot be changed`,
    details: (e) => ({ status: e.status })
  },
  CheckoutProcessing: {
    code: "CONFLICT",
    message: () => "This checkout is being completed",
    headers: () => ({ "retry-after": "1" })
  },
  LinesAlreadyOrdered: {
    code: "CONFLICT",
    message: () => "These lines of the cart were ordered by another checkout",
    details: (e) => ({ reason: "ordered", checkoutId: e.by })
  },
  CheckoutEmpty: { code: "VALIDATION_FAILED", message: () => empty.message, details: () => empty.details },
  CheckoutIncomplete: {
    code: "MISSING_REQUIRED_FIELDS",
    message: (e) => `Before completing, give: ${e.fields.join(", ")}`,
    details: (e) => ({ fields: e.fields })
  },
  AddressUnserved: {
    code: "VALIDATION_FAILED",
    message: (e) => `This store does not ship to this address in ${e.country}`,
    details: (e) => ({
      reason: "unserved",
      errors: { shippingAddress: "no shipping zone serves it" },
      country: e.country
    })
  },
  ShippingMethodNotOffered: {
    code: "VALIDATION_FAILED",
    message: () => notOffered.message,
    details: () => notOffered.details
  },
  PickupLocationUnknown: {
    code: "VALIDATION_FAILED",
    message: () => noSuchPlace.message,
    details: () => noSuchPlace.details
  },
  GiftCardRejected: { code: "BAD_REQUEST", message: () => "This gift card cannot be used" },
  TenderNotFound: missing("gift card on this checkout"),
  CheckoutStockInsufficient: {
    code: "INSUFFICIENT_STOCK",
    message: () => "Not enough stock",
    details: (e) => ({ items: e.items })
  },
  PriceDrifted: {
    code: "PRICE_DRIFT",
    message: () => "Prices have changed since they were shown: refresh the cart's snapshots or remove the lines",
    details: (e) => ({ items: e.items })
  },
  TotalMismatch: {
    code: "CONFLICT",
    message: (e) => `The total is ${e.actualTotal}, not ${e.expectedTotal}`,
    details: ({ expectedTotal, actualTotal }) => ({ expectedTotal, actualTotal })
  },
  ReservationExpired: {
    code: "RESERVATION_EXPIRED",
    message: () => "The time of this checkout, or of what was held for it, has passed"
  },
  CardDeclined: {
    code: "CARD_DECLINED",
    message: () => "The payment was declined; nothing was charged",
    details: (e) => ({ reason: e.code })
  },
  PaymentProcessingFailed: {
    code: "PAYMENT_PROCESSING_ERROR",
    message: () => "The payment provider failed; nothing was charged. Try again",
    details: (e) => ({ reason: e.code }),
    warning: (e) => e.reason
  },
  PaymentAwaitsShopper: {
    code: "CONFLICT",
    message: () => "The shopper has to act at the payment provider first; then complete the checkout again",
    details: ({ redirectUrl, clientSecret }) => ({ reason: "awaiting_shopper", redirectUrl, clientSecret }),
    // It passes: under an Idempotency-Key it is not stored, so the same request finds the order later.
    headers: () => ({ "retry-after": "2" })
  },
  PaymentOutcomeUnknown: {
    code: "PAYMENT_PROCESSING_ERROR",
    message: () =>
      "The payment provider has not answered. The outcome will be found out; nothing is charged twice. Ask again " +
      "shortly",
    headers: () => ({ "retry-after": "5" })
  }
}
