/** Bodies of requests about checkouts. */
import { Schema } from "effect"
import { maxCartLines } from "../cart/CartBounds.ts"
import { customerFields } from "../customer/Customer.ts"
import { AddressInput, Email } from "../kernel/Address.ts"
import { clearable, described, oneOf, optional, Reference, text } from "../kernel/Fields.ts"
import { freeForm } from "../kernel/JsonSize.ts"
import { deliveryTypes } from "./Checkout.ts"

export const CheckoutInput = Schema.Struct({
  cartId: described(Reference, "The cart to buy."),
  selectedItemIds: optional(
    Schema.Array(text(200)).pipe(Schema.check(Schema.isMaxLength(maxCartLines))),
    "Ids of the cart's lines to buy now. All by default; the others stay in the cart."
  ),
  sessionToken: optional(text(200), "Session token of a guest's cart. Where it is given it must be the cart's."),
  regionId: optional(text(200), "The region the shopper buys from. The cart's by default.")
}).annotate({ identifier: "CreateCheckout", description: "A checkout to make from a cart." })
export type CheckoutInput = typeof CheckoutInput.Type

export const BuyerInput = Schema.Struct({
  email: Email,
  firstName: customerFields.firstName,
  lastName: customerFields.lastName,
  phone: customerFields.phone,
  acceptsMarketing: optional(Schema.Boolean, "Whether the buyer agrees to marketing e-mails.")
}).annotate({ identifier: "SetCheckoutCustomer", description: "The buyer of a checkout." })
export type BuyerInput = typeof BuyerInput.Type

export const ShippingInput = Schema.Struct({
  // May be left out where nothing is shipped.
  shippingAddress: Schema.optionalKey(AddressInput),
  billingAddress: Schema.optionalKey(
    described(
      Schema.NullOr(AddressInput),
      "The billing address: required where no shipping address is given. Null, or left out for the first time: the " +
        "shipping address."
    )
  ),
  billingSameAsShipping: optional(Schema.Boolean, "True makes the shipping address the billing address again.")
}).annotate({
  identifier: "SetCheckoutAddresses",
  description:
    "The addresses of a checkout. The shipping address may be left out where nothing is shipped, and the billing " +
    "address is needed then."
})
export type ShippingInput = typeof ShippingInput.Type

export const SetShippingMethod = Schema.Struct({
  shippingRateId: described(Reference, "Id of one of the offered options.")
}).annotate({ identifier: "SetShippingMethod", description: "The shipping option to choose." })

export const DeliveryInput = Schema.Struct({
  deliveryType: oneOf(deliveryTypes, "Whether the order is shipped or picked up."),
  pickupLocationId: clearable(text(200), "Where it is picked up: needed with `pickup`.")
}).annotate({ identifier: "SetDelivery", description: "How the order reaches the buyer." })
export type DeliveryInput = typeof DeliveryInput.Type

export const SetCustomFields = Schema.Struct({
  values: described(
    freeForm(),
    "Values by the key of the checkout field: text, true or false, a number, a day as YYYY-MM-DD, or the value of an " +
      "option, by the type of the field. What is left out stays as it is; null clears."
  )
}).annotate({ identifier: "SetCustomFields", description: "What a shopper has filled in." })

export const BeginPayment = Schema.Struct({
  providerId: described(
    Reference,
    "The payment provider: the id of one of the checkout's `paymentMethods`. `manual` begins nothing.",
    "test"
  ),
  returnUrl: clearable(
    text(2_000).annotate({ format: "uri" }),
    "Where the provider sends the shopper back to: on the domain of the sales channel or, in test mode, on localhost."
  )
}).annotate({ identifier: "BeginPayment", description: "A payment to begin." })

/** `test` and `stripe` name a provider by its kind; `provider` leaves it to `providerId`. */
export const PaymentMethod = Schema.Literals(["manual", "provider", "gift_card", "free", "test", "stripe"])

export const CompletionInput = Schema.Struct({
  paymentMethod: optional(
    PaymentMethod,
    "How it is paid. `manual` (the default) places the order unpaid, `free` is for orders that cost nothing (their " +
      "default), `gift_card` for those that gift cards pay whole, `test` charges the test provider in test mode, and " +
      "`provider` charges the provider `providerId`, which the store or the operator has added. `stripe` charges the " +
      "card of the payment method or confirmation token `paymentReference`, or accepts the payment intent that was " +
      "confirmed in the browser. Where a payment was begun that waits for the shopper, the default asks its provider " +
      "what has become of it, and any other way to pay gives it up.",
    "manual"
  ),
  paymentReference: clearable(
    text(500),
    "The provider's token or payment intent. May be left out where a payment was begun with this provider."
  ),
  providerId: clearable(text(200), "The provider to charge through, with `provider`."),
  expectedTotal: optional(
    Schema.Union([Schema.Finite, text(40)]),
    "The total that the shopper saw: a number or a decimal string. If the order costs something else, the response " +
      "is 409.",
    "48.53"
  ),
  notes: optional(text(2_000), "What the shopper writes about the order.")
}).annotate({ identifier: "CompleteCheckout", description: "How to complete a checkout. Every field may be left out." })
export type CompletionInput = typeof CompletionInput.Type
