/** Checkouts. Completion needs an Idempotency-Key on both surfaces. */
import { CartNotFound, CartNotWritable, ProductUnavailable } from "@effect-commerce/core/cart/CartErrors"
import { CouponCode } from "@effect-commerce/core/cart/CartInput"
import { codeErrors } from "@effect-commerce/core/pricing/CodeErrors"
import { ModifiersInvalid } from "@effect-commerce/core/modifier/LineModifiers"
import {
  completionErrors,
  CheckoutEmpty,
  CheckoutNotEditable,
  CheckoutNotFound,
  CheckoutStockInsufficient,
  GiftCardRejected,
  PickupLocationUnknown,
  ShippingMethodNotOffered,
  TenderNotFound
} from "@effect-commerce/core/checkout/CheckoutErrors"
import { AddressesUnavailable, PlaceUnknown } from "@effect-commerce/core/shipping/ShippingErrors"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { GiftCardCode } from "@effect-commerce/core/giftcard/GiftCard"
import { string } from "@effect-commerce/core/kernel/Fields"
import {
  BeginPayment,
  BuyerInput,
  CheckoutInput,
  CompletionInput,
  DeliveryInput,
  SetCustomFields,
  SetShippingMethod,
  ShippingInput
} from "@effect-commerce/core/checkout/CheckoutInput"
import { CheckoutView, ShippingOptions } from "@effect-commerce/core/checkout/CheckoutView"
import { Completed } from "@effect-commerce/core/completion/Completed"
import { PaymentSessionView, PaymentStatusView } from "@effect-commerce/core/completion/PaymentView"
import { OrderAlreadyPaid } from "@effect-commerce/core/order/OrderErrors"
import { CurrencyChanged } from "@effect-commerce/core/store/StoreErrors"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { applyCouponFacts } from "../cart/CartApi.ts"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { channelRoute } from "../middleware/Policy.ts"
import { useCase } from "../middleware/Versioned.ts"
import { checkoutFails as fails } from "./checkoutFails.ts"
import { Success } from "../middleware/Responses.ts"
import { AddressSuggestions, addressSearch, PlaceView, placeQuery } from "./AddressLookup.ts"

const channel = { salesChannelId: string("Id of the sales channel.", "vc_01k9f3m2q7x4b8n6c5d1e0h2jk") }
const checkout = { ...channel, checkoutId: string("Id of the checkout.") }
const cancel = [CheckoutNotFound, CheckoutNotEditable, ResourceChanged] as const
const edit = [...cancel, CurrencyChanged] as const
const unavailable = [ModifiersInvalid, ProductUnavailable, CheckoutStockInsufficient] as const

/** A shopper and a merchant's server complete a checkout alike. */
export const completionWords =
  "Checks prices, stock and addresses again, charges the payment provider if there is one, and places the order. The " +
  "cart becomes CONVERTED: create a new one for the next purchase. The Idempotency-Key header is required; a second " +
  "completion returns the first order, whatever its key. With `expectedTotal` the response is 409 if the total is " +
  "not what the shopper saw. A declined payment charges nothing and the checkout stays open; where the outcome is " +
  "unknown, read the payment status and do not pay again."

export class CheckoutGroup extends apiGroup("checkout", {
  part: "Storefront",
  title: "Checkout",
  description: "From a cart to an order: customer, address, delivery, payment, completion."
}).add(
  HttpApiEndpoint.post("create", "/vc/:salesChannelId/checkout", {
    params: channel,
    payload: CheckoutInput,
    success: CheckoutView.pipe(HttpApiSchema.status(201)),
    error: fails(CartNotFound, CartNotWritable, CurrencyChanged, CheckoutEmpty, FieldRejected, ...unavailable)
  }).pipe(
    channelRoute("cart", {
      summary: "Create a checkout",
      description:
        "Copies the lines of a cart, or the selected ones, into a checkout. Lines that are added to the cart or " +
        "changed later do not change it; one that is removed from the cart is removed from its `PENDING` checkouts " +
        "too, and a checkout without another line is cancelled. With a customer's token it is linked to that " +
        "customer, and begins with the account's e-mail address and name. An empty cart, a line that cannot be " +
        "bought and a line without enough stock are errors."
    })
  ),
  HttpApiEndpoint.get("get", "/vc/:salesChannelId/checkout/:checkoutId", {
    params: checkout,
    success: CheckoutView,
    error: fails(CheckoutNotFound)
  }).pipe(
    channelRoute("cart", {
      summary: "Get a checkout",
      description:
        "Returns the checkout with current prices: totals, taxes and the shipping methods for its address. After " +
        "`expiresAt` the status is EXPIRED."
    })
  ),
  HttpApiEndpoint.delete("cancel", "/vc/:salesChannelId/checkout/:checkoutId", {
    params: checkout,
    success: Success,
    error: fails(...cancel)
  }).pipe(
    channelRoute("cart", {
      summary: "Cancel a checkout",
      description: "Cancels a PENDING checkout. The cart stays, and another checkout can be created from it.",
      version: useCase
    })
  ),
  HttpApiEndpoint.patch("setCustomer", "/vc/:salesChannelId/checkout/:checkoutId/customer", {
    params: checkout,
    payload: BuyerInput,
    success: CheckoutView,
    error: fails(...edit)
  }).pipe(
    channelRoute("cart", {
      summary: "Set the customer",
      description: "Sets the buyer's e-mail address, name and telephone number. Completion needs the e-mail address.",
      version: useCase
    })
  ),
  HttpApiEndpoint.patch("setShipping", "/vc/:salesChannelId/checkout/:checkoutId/shipping", {
    params: checkout,
    payload: ShippingInput,
    success: CheckoutView,
    error: fails(...edit, FieldRejected)
  }).pipe(
    channelRoute("cart", {
      summary: "Set the addresses",
      description:
        "Sets the shipping and billing address, and returns the shipping methods and taxes for them. A chosen method " +
        "that no longer applies is removed: choose again.",
      version: useCase
    })
  ),
  HttpApiEndpoint.get("shippingRates", "/vc/:salesChannelId/checkout/:checkoutId/shipping-rates", {
    params: checkout,
    success: ShippingOptions,
    error: fails(CheckoutNotFound)
  }).pipe(
    channelRoute("cart", {
      summary: "List shipping options",
      description:
        "Returns the shipping methods for the checkout's address, the same as its `availableShippingRates`: the " +
        "cheapest first, of equal prices the one that takes the fewest days (an unknown number comes last), and " +
        "otherwise as the merchant created them. None is chosen by default."
    })
  ),
  HttpApiEndpoint.patch("setShippingMethod", "/vc/:salesChannelId/checkout/:checkoutId/shipping-method", {
    params: checkout,
    payload: SetShippingMethod,
    success: CheckoutView,
    error: fails(...edit, ShippingMethodNotOffered)
  }).pipe(
    channelRoute("cart", {
      summary: "Choose a shipping option",
      description: "Chooses one of the methods in `availableShippingRates`; any other is an error.",
      version: useCase
    })
  ),
  HttpApiEndpoint.patch("setDelivery", "/vc/:salesChannelId/checkout/:checkoutId/delivery", {
    params: checkout,
    payload: DeliveryInput,
    success: CheckoutView,
    error: fails(...edit, PickupLocationUnknown, FieldRejected)
  }).pipe(
    channelRoute("cart", {
      summary: "Choose shipping or pickup",
      description:
        "Sets whether the order is shipped or picked up, and where. Pickup needs no address, but the name of who " +
        "comes: `firstName` or `lastName` of the customer. Taxes are those of the pickup location.",
      version: useCase
    })
  ),
  HttpApiEndpoint.patch("setCustomFields", "/vc/:salesChannelId/checkout/:checkoutId/custom-fields", {
    params: checkout,
    payload: SetCustomFields,
    success: CheckoutView,
    error: fails(...edit, FieldRejected)
  }).pipe(
    channelRoute("cart", {
      summary: "Set custom fields",
      description:
        "Fills in the store's `customFields`, and returns the checkout with the surcharges they bring. Fields that " +
        "are left out stay as they are, and null clears one. An unknown key and a value of the wrong type are 400 " +
        "VALIDATION_FAILED.",
      exampleRequest: { values: { gift_wrap: "silk", note: "For Grace" } },
      version: useCase
    })
  ),
  HttpApiEndpoint.post("applyCoupon", "/vc/:salesChannelId/checkout/:checkoutId/coupon", {
    params: checkout,
    payload: CouponCode,
    success: CheckoutView,
    error: fails(...edit, ...codeErrors)
  }).pipe(channelRoute("cart", applyCouponFacts)),
  HttpApiEndpoint.delete("removeCoupon", "/vc/:salesChannelId/checkout/:checkoutId/coupon", {
    params: checkout,
    success: CheckoutView,
    error: fails(...edit)
  }).pipe(
    channelRoute("cart", {
      summary: "Remove the coupon",
      description: "Removes the coupon. A checkout without one stays as it is.",
      version: useCase
    })
  ),
  HttpApiEndpoint.post("addGiftCard", "/vc/:salesChannelId/checkout/:checkoutId/gift-card", {
    params: checkout,
    payload: GiftCardCode,
    success: CheckoutView,
    error: fails(...edit, GiftCardRejected)
  }).pipe(
    channelRoute("cart", {
      summary: "Apply a gift card",
      description:
        "Pays the checkout, or a part of it, with what is left on a gift card; several cards may pay together. Every " +
        "rejected code gets the same error, whether it is unknown, disabled, expired, spent or of another currency. " +
        "Where a card has less left than was shown when the checkout is completed, that is 409 CONFLICT and nothing " +
        "is charged: enter the card again, or remove it. At most 5 attempts a minute from one IP address.",
      cap: { limit: 5, ms: 60_000 },
      version: useCase
    })
  ),
  HttpApiEndpoint.delete("removeGiftCard", "/vc/:salesChannelId/checkout/:checkoutId/gift-card/:tenderId", {
    params: { ...checkout, tenderId: string("Id of the tender.") },
    success: CheckoutView,
    error: fails(...edit, TenderNotFound)
  }).pipe(
    channelRoute("cart", {
      summary: "Remove a gift card",
      description: "Removes a gift card from the checkout. One that is not on it is 404.",
      version: useCase
    })
  ),
  HttpApiEndpoint.post("beginPayment", "/vc/:salesChannelId/checkout/:checkoutId/payment", {
    params: checkout,
    payload: BeginPayment,
    success: PaymentSessionView,
    error: fails(...completionErrors, OrderAlreadyPaid)
  }).pipe(
    channelRoute("ordersWrite", {
      summary: "Begin a payment",
      description:
        "Makes a charge that waits for the shopper, and returns the page to go to or the secret for the provider's " +
        "form. Everything is checked and the stock held, as at completion. The order is placed once the provider has " +
        "the money. The same call again returns the same charge; an edit of the checkout gives it up.",
      idempotency: "optional",
      secretAnswer: true,
      version: useCase
    })
  ),
  HttpApiEndpoint.get("paymentStatus", "/vc/:salesChannelId/checkout/:checkoutId/payment-status", {
    params: checkout,
    success: PaymentStatusView,
    error: fails(CheckoutNotFound)
  }).pipe(
    channelRoute("cart", {
      summary: "Get the payment status",
      description:
        "Returns the status of the payment, and the order once there is one. Read it after the shopper comes back " +
        "from a provider, or when the outcome of a completion is unknown."
    })
  ),
  HttpApiEndpoint.get("addressSuggestions", "/vc/:salesChannelId/checkout/address-suggestions", {
    params: channel,
    query: addressSearch,
    success: AddressSuggestions,
    error: fails(FieldRejected)
  }).pipe(
    channelRoute("cart", {
      summary: "Suggest addresses",
      description:
        "Suggests addresses for what the shopper has typed so far, at most ten, in the language of Accept-Language " +
        "where the provider has it. Without an address provider, or while it fails, the list is empty."
    })
  ),
  HttpApiEndpoint.get("addressDetails", "/vc/:salesChannelId/checkout/address-details", {
    params: channel,
    query: placeQuery,
    success: PlaceView,
    error: fails(PlaceUnknown, AddressesUnavailable, FieldRejected)
  }).pipe(
    channelRoute("cart", {
      summary: "Get a suggested address",
      description:
        "Returns the address of a suggestion, and whether a shipping zone of the channel (and region) serves it. " +
        "Without an address provider every place is 404; while it fails the response is 503, and the shopper types " +
        "the address."
    })
  ),
  HttpApiEndpoint.post("complete", "/vc/:salesChannelId/checkout/:checkoutId/complete", {
    params: checkout,
    payload: CompletionInput,
    success: Completed,
    error: fails(...completionErrors)
  }).pipe(
    channelRoute("ordersWrite", {
      summary: "Complete a checkout",
      description: completionWords,
      idempotency: "required",
      optionalBody: true,
      version: useCase
    })
  )
) {}
