/** Checkouts (interface.md, Checkout; completions.md 2.2). Completion needs an Idempotency-Key on both surfaces. */
import { CartNotFound, CartNotWritable, ProductUnavailable } from "@effect-commerce/core/cart/CartErrors"
import {
  AddressUnserved,
  CardDeclined,
  CheckoutEmpty,
  CheckoutIncomplete,
  CheckoutNotEditable,
  CheckoutNotFound,
  CheckoutProcessing,
  LinesAlreadyOrdered,
  CheckoutStockInsufficient,
  GiftCardRejected,
  PaymentOutcomeUnknown,
  PaymentProcessingFailed,
  PickupLocationUnknown,
  PlaceUnknown,
  PriceDrifted,
  ReservationExpired,
  ShippingMethodNotOffered,
  TenderNotFound,
  TotalMismatch
} from "@effect-commerce/core/checkout/CheckoutErrors"
import { maxCartLines } from "@effect-commerce/core/cart/CartBounds"
import { customerFields } from "@effect-commerce/core/customer/Customer"
import { freeForm } from "@effect-commerce/core/kernel/JsonSize"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { optionalText as optionalTextOf, Reference, text as textOf } from "@effect-commerce/core/kernel/Fields"
import { CheckoutView, ShippingMethodView } from "@effect-commerce/core/checkout/CheckoutView"
import { PaymentMethodUnavailable } from "@effect-commerce/core/payment/PaymentErrors"
import { AddressInput, Email } from "@effect-commerce/core/kernel/Address"
import { OrderAlreadyPaid, OrderCouponUnknown } from "@effect-commerce/core/order/OrderErrors"
import { CurrencyChanged } from "@effect-commerce/core/store/StoreErrors"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { CouponCode, couponCap } from "../cart/CartApi.ts"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { fails } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"
import { useCase } from "../middleware/Versioned.ts"
import { Success } from "../store/StoreApi.ts"

const text = Schema.String.pipe(Schema.check(Schema.isMaxLength(2_000)))
const optionalText = Schema.optionalKey(Schema.NullOr(text))
/** A token or a payment intent of a provider's. */
const PaymentReference = Schema.String.pipe(Schema.check(Schema.isMaxLength(500)))

/** `test` and `stripe` name a provider by its kind; `provider` leaves it to `providerId`. */
const PaymentMethod = Schema.Literals(["manual", "provider", "gift_card", "free", "test", "stripe"])

const CompleteInput = Schema.Struct({
  paymentMethod: Schema.optionalKey(PaymentMethod),
  paymentReference: Schema.optionalKey(Schema.NullOr(PaymentReference)),
  providerId: optionalTextOf(200),
  expectedTotal: Schema.optionalKey(Schema.Union([Schema.Finite, textOf(40)])),
  notes: Schema.optionalKey(text)
})

/** `total` is a decimal string on every surface. */
export const CompletedView = Schema.Struct({
  orderId: Schema.String,
  orderNumber: Schema.String,
  status: Schema.String,
  message: Schema.String,
  total: Schema.String
})

/** What a place of an address suggestion is (interface.md, Address details). `inZone`: the store delivers there. */
const PlaceView = Schema.Struct({
  address: Schema.Struct({
    line1: Schema.String,
    city: Schema.String,
    region: Schema.String,
    postalCode: Schema.String,
    country: Schema.String,
    lat: Schema.Finite,
    lng: Schema.Finite,
    formattedAddress: Schema.String
  }),
  inZone: Schema.Boolean
})

const completionErrors = [
  CheckoutNotFound,
  CurrencyChanged,
  ResourceChanged,
  CheckoutNotEditable,
  CheckoutProcessing,
  LinesAlreadyOrdered,
  CheckoutIncomplete,
  AddressUnserved,
  CheckoutStockInsufficient,
  ProductUnavailable,
  PriceDrifted,
  TotalMismatch,
  ReservationExpired,
  PaymentMethodUnavailable,
  CardDeclined,
  PaymentProcessingFailed,
  PaymentOutcomeUnknown,
  FieldRejected
] as const

const optionalQuery = Schema.optionalKey(textOf(200))

const nullableText = Schema.NullOr(Schema.String)
const PaymentStatusView = Schema.Struct({ status: Schema.String, orderId: nullableText, orderNumber: nullableText })
const PaymentSessionView = Schema.Struct({
  providerType: Schema.String,
  clientSecret: nullableText,
  redirectUrl: nullableText,
  amount: Schema.String,
  currency: Schema.String
})

const channel = { salesChannelId: Schema.String }
const checkout = { ...channel, checkoutId: Schema.String }
const cancel = [CheckoutNotFound, CheckoutNotEditable, ResourceChanged] as const
const edit = [...cancel, CurrencyChanged] as const

export class CheckoutGroup extends apiGroup("checkout", {
  part: "Storefront",
  title: "Checkout",
  description: "From a cart to an order: customer, address, delivery, payment, completion."
}).add(
  HttpApiEndpoint.post("create", "/vc/:salesChannelId/checkout", {
    params: channel,
    payload: Schema.Struct({
      cartId: Reference,
      selectedItemIds: Schema.optionalKey(
        Schema.Array(textOf(200)).pipe(Schema.check(Schema.isMaxLength(maxCartLines)))
      ),
      sessionToken: Schema.optionalKey(textOf(200)),
      regionId: Schema.optionalKey(textOf(200))
    }),
    success: CheckoutView.pipe(HttpApiSchema.status(201)),
    error: fails(
      CartNotFound,
      CartNotWritable,
      CurrencyChanged,
      CheckoutEmpty,
      FieldRejected,
      ProductUnavailable,
      CheckoutStockInsufficient
    )
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.get("get", "/vc/:salesChannelId/checkout/:checkoutId", {
    params: checkout,
    success: CheckoutView,
    error: fails(CheckoutNotFound)
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.delete("cancel", "/vc/:salesChannelId/checkout/:checkoutId", {
    params: checkout,
    success: Success,
    error: fails(...cancel)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.patch("setCustomer", "/vc/:salesChannelId/checkout/:checkoutId/customer", {
    params: checkout,
    payload: Schema.Struct({
      email: Email,
      firstName: customerFields.firstName,
      lastName: customerFields.lastName,
      phone: customerFields.phone,
      acceptsMarketing: Schema.optionalKey(Schema.Boolean)
    }),
    success: CheckoutView,
    error: fails(...edit)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.patch("setShipping", "/vc/:salesChannelId/checkout/:checkoutId/shipping", {
    params: checkout,
    payload: Schema.Struct({
      shippingAddress: AddressInput,
      billingAddress: Schema.optionalKey(Schema.NullOr(AddressInput)),
      billingSameAsShipping: Schema.optionalKey(Schema.Boolean)
    }),
    success: CheckoutView,
    error: fails(...edit)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.get("shippingRates", "/vc/:salesChannelId/checkout/:checkoutId/shipping-rates", {
    params: checkout,
    success: Schema.Struct({ rates: Schema.Array(ShippingMethodView) }),
    error: fails(CheckoutNotFound)
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.patch("setShippingMethod", "/vc/:salesChannelId/checkout/:checkoutId/shipping-method", {
    params: checkout,
    payload: Schema.Struct({ shippingRateId: Reference }),
    success: CheckoutView,
    error: fails(...edit, ShippingMethodNotOffered)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.patch("setDelivery", "/vc/:salesChannelId/checkout/:checkoutId/delivery", {
    params: checkout,
    payload: Schema.Struct({
      deliveryType: Schema.Literals(["shipping", "pickup"]),
      pickupLocationId: optionalTextOf(200)
    }),
    success: CheckoutView,
    error: fails(...edit, PickupLocationUnknown, FieldRejected)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.patch("setCustomFields", "/vc/:salesChannelId/checkout/:checkoutId/custom-fields", {
    params: checkout,
    payload: Schema.Struct({ values: freeForm() }),
    success: CheckoutView,
    error: fails(...edit, FieldRejected)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.post("applyCoupon", "/vc/:salesChannelId/checkout/:checkoutId/coupon", {
    params: checkout,
    payload: CouponCode,
    success: CheckoutView,
    error: fails(...edit, OrderCouponUnknown)
  }).pipe(channelRoute("cart", { ...couponCap, version: useCase })),
  HttpApiEndpoint.delete("removeCoupon", "/vc/:salesChannelId/checkout/:checkoutId/coupon", {
    params: checkout,
    success: CheckoutView,
    error: fails(...edit)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.post("addGiftCard", "/vc/:salesChannelId/checkout/:checkoutId/gift-card", {
    params: checkout,
    payload: CouponCode,
    success: CheckoutView,
    error: fails(...edit, GiftCardRejected)
  }).pipe(channelRoute("cart", { cap: { limit: 5, ms: 60_000 }, version: useCase })),
  HttpApiEndpoint.delete("removeGiftCard", "/vc/:salesChannelId/checkout/:checkoutId/gift-card/:tenderId", {
    params: { ...checkout, tenderId: Schema.String },
    success: CheckoutView,
    error: fails(...edit, TenderNotFound)
  }).pipe(channelRoute("cart", { version: useCase })),
  HttpApiEndpoint.post("beginPayment", "/vc/:salesChannelId/checkout/:checkoutId/payment", {
    params: checkout,
    payload: Schema.Struct({ providerId: Reference, returnUrl: optionalText }),
    success: PaymentSessionView,
    error: fails(...edit, OrderAlreadyPaid, PaymentMethodUnavailable)
  }).pipe(channelRoute("ordersWrite", { idempotency: "optional" })),
  HttpApiEndpoint.get("paymentStatus", "/vc/:salesChannelId/checkout/:checkoutId/payment-status", {
    params: checkout,
    success: PaymentStatusView,
    error: fails(CheckoutNotFound)
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.get("addressSuggestions", "/vc/:salesChannelId/checkout/address-suggestions", {
    params: channel,
    query: {
      q: Schema.optionalKey(textOf(2_000)),
      sessionToken: optionalQuery,
      lat: optionalQuery,
      lng: optionalQuery
    },
    success: Schema.Struct({
      suggestions: Schema.Array(Schema.Struct({ placeId: Schema.String, description: Schema.String }))
    })
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.get("addressDetails", "/vc/:salesChannelId/checkout/address-details", {
    params: channel,
    query: { placeId: Reference, sessionToken: optionalQuery, regionId: optionalQuery },
    success: PlaceView,
    error: fails(PlaceUnknown)
  }).pipe(channelRoute("cart")),
  HttpApiEndpoint.post("complete", "/vc/:salesChannelId/checkout/:checkoutId/complete", {
    params: checkout,
    payload: CompleteInput,
    success: CompletedView,
    error: fails(...completionErrors)
  }).pipe(channelRoute("ordersWrite", { idempotency: "required", optionalBody: true, version: useCase }))
) {}

export class AdminCheckoutGroup extends apiGroup("adminCheckout", {
  part: "Admin",
  title: "Checkouts",
  description: "Completes a checkout from a server."
}).add(
  HttpApiEndpoint.post("complete", "/v1/checkout/:checkoutId/complete", {
    params: { checkoutId: Schema.String },
    payload: CompleteInput,
    success: CompletedView,
    error: fails(...completionErrors)
  }).pipe(adminRoute({ idempotency: "required", optionalBody: true, version: useCase }))
) {}

export const checkoutGroups = [CheckoutGroup, AdminCheckoutGroup] as const
