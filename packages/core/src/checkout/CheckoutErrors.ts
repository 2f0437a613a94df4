/** The errors of a checkout, its edits and its completion. */
import { Schema } from "effect"
import { ProductUnavailable } from "../cart/CartErrors.ts"
import { ResourceChanged } from "../database/Precondition.ts"
import { ReservationExpired } from "../inventory/InventoryErrors.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { DeclineCode } from "../payment/DeclineCode.ts"
import { PaymentMethodUnavailable, PaymentProviderNotReady } from "../payment/PaymentErrors.ts"
import { ModifiersInvalid } from "../modifier/LineModifiers.ts"
import { OrderQuotaReached } from "../quota/QuotaErrors.ts"
import { CurrencyChanged } from "../store/StoreErrors.ts"
import { claimErrors } from "../claim/ClaimErrors.ts"
import { acceptedCodeErrors } from "../pricing/CodeErrors.ts"

export { ReservationExpired } from "../inventory/InventoryErrors.ts"

export class CheckoutNotFound extends Schema.TaggedError<CheckoutNotFound>()("CheckoutNotFound", {
  id: Schema.String
}) {}

/** A change to a checkout that is no longer PENDING. */
export class CheckoutNotEditable extends Schema.TaggedError<CheckoutNotEditable>()("CheckoutNotEditable", {
  id: Schema.String,
  status: Schema.String
}) {}

/** Another completion of this checkout is under way. */
export class CheckoutProcessing extends Schema.TaggedError<CheckoutProcessing>()("CheckoutProcessing", {
  id: Schema.String
}) {}

/** Another checkout of the same cart has bought lines of this one: a line is bought once. */
export class LinesAlreadyOrdered extends Schema.TaggedError<LinesAlreadyOrdered>()("LinesAlreadyOrdered", {
  id: Schema.String,
  by: Schema.String
}) {}

/** Nothing to buy: an empty cart, or no line selected. */
export class CheckoutEmpty extends Schema.TaggedError<CheckoutEmpty>()("CheckoutEmpty", {}) {}

/** What is still missing for a completion: email, shippingAddress, shippingRateId, keys of checkout fields. */
export class CheckoutIncomplete extends Schema.TaggedError<CheckoutIncomplete>()("CheckoutIncomplete", {
  fields: Schema.Array(Schema.String)
}) {}

/** No shipping zone serves the address. */
export class AddressUnserved extends Schema.TaggedError<AddressUnserved>()("AddressUnserved", {
  country: Schema.String
}) {}

/** The method is not among those offered for this address. */
export class ShippingMethodNotOffered extends Schema.TaggedError<ShippingMethodNotOffered>()(
  "ShippingMethodNotOffered",
  { shippingRateId: Schema.String }
) {}

/** The channel offers no pickup at this location. */
export class PickupLocationUnknown extends Schema.TaggedError<PickupLocationUnknown>()("PickupLocationUnknown", {
  pickupLocationId: Schema.String
}) {}

/** A gift card cannot pay for this checkout; the error is the same for every reason. */
export class GiftCardRejected extends Schema.TaggedError<GiftCardRejected>()("GiftCardRejected", {}) {}

/** The checkout has no tender with this id. */
export class TenderNotFound extends Schema.TaggedError<TenderNotFound>()("TenderNotFound", { id: Schema.String }) {}

export class CheckoutStockInsufficient extends Schema.TaggedError<CheckoutStockInsufficient>()(
  "CheckoutStockInsufficient",
  {
    items: Schema.Array(
      Schema.Struct({
        productId: Schema.String,
        variantId: Schema.NullOr(Schema.String),
        available: Schema.Int,
        requested: Schema.Int
      })
    )
  }
) {}

/** Prices changed since they were shown. Money as decimal strings; `direction` is up or down. */
export class PriceDrifted extends Schema.TaggedError<PriceDrifted>()("PriceDrifted", {
  items: Schema.Array(
    Schema.Struct({
      itemId: Schema.String,
      oldUnitPrice: Schema.String,
      newUnitPrice: Schema.String,
      delta: Schema.String,
      direction: Schema.Literals(["up", "down"])
    })
  )
}) {}

/** The total is not the one the shopper agreed to. */
export class TotalMismatch extends Schema.TaggedError<TotalMismatch>()("TotalMismatch", {
  expectedTotal: Schema.String,
  actualTotal: Schema.String
}) {}

/** The provider declined the payment; nothing was charged, and the checkout can be completed another way. */
export class CardDeclined extends Schema.TaggedError<CardDeclined>()("CardDeclined", { code: DeclineCode }) {}

/**
 * The provider failed and charged nothing; the checkout can be completed again. `reason` is the provider's text, for
 * the log alone.
 */
export class PaymentProcessingFailed extends Schema.TaggedError<PaymentProcessingFailed>()("PaymentProcessingFailed", {
  code: DeclineCode,
  reason: Schema.String
}) {}

/** The shopper has to act at the provider first, and then complete the checkout again. */
export class PaymentAwaitsShopper extends Schema.TaggedError<PaymentAwaitsShopper>()("PaymentAwaitsShopper", {
  checkoutId: Schema.String,
  redirectUrl: Schema.NullOr(Schema.String),
  clientSecret: Schema.NullOr(Schema.String)
}) {}

/**
 * The provider has not said whether it charged. The checkout stays PROCESSING until it does; no second charge is made
 * meanwhile.
 */
export class PaymentOutcomeUnknown extends Schema.TaggedError<PaymentOutcomeUnknown>()("PaymentOutcomeUnknown", {
  checkoutId: Schema.String
}) {}

/** Every error that a completion can return. */
export const completionErrors = [
  CheckoutNotFound,
  CurrencyChanged,
  ResourceChanged,
  CheckoutNotEditable,
  CheckoutProcessing,
  LinesAlreadyOrdered,
  CheckoutIncomplete,
  AddressUnserved,
  CheckoutStockInsufficient,
  ...claimErrors,
  OrderQuotaReached,
  ...acceptedCodeErrors,
  ModifiersInvalid,
  ProductUnavailable,
  PriceDrifted,
  TotalMismatch,
  ReservationExpired,
  PaymentMethodUnavailable,
  PaymentProviderNotReady,
  PaymentAwaitsShopper,
  CardDeclined,
  PaymentProcessingFailed,
  PaymentOutcomeUnknown,
  FieldRejected
] as const
