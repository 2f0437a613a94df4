/** Bodies of requests about checkouts, and responses that are not a checkout. */
import { maxCartLines } from "@effect-commerce/core/cart/CartBounds"
import { deliveryTypes } from "@effect-commerce/core/checkout/Checkout"
import { ShippingMethodView } from "@effect-commerce/core/checkout/CheckoutView"
import { customerFields } from "@effect-commerce/core/customer/Customer"
import { AddressInput, Email } from "@effect-commerce/core/kernel/Address"
import {
  arrayOf,
  boolean,
  clearable,
  described,
  listedText,
  money,
  nullableString,
  number,
  oneOf,
  optional,
  Reference,
  string,
  text,
  nullableUrl
} from "@effect-commerce/core/kernel/Fields"
import { freeForm } from "@effect-commerce/core/kernel/JsonSize"
import { financialStatuses, orderStatuses } from "@effect-commerce/core/order/Order"
import { Schema } from "effect"

export const CreateCheckout = Schema.Struct({
  cartId: described(Reference, "The cart to buy."),
  selectedItemIds: optional(
    Schema.Array(text(200)).pipe(Schema.check(Schema.isMaxLength(maxCartLines))),
    "Ids of the cart's lines to buy now. All by default; the others stay in the cart."
  ),
  sessionToken: optional(text(200), "Session token of a guest's cart. Where it is given it must be the cart's."),
  regionId: optional(text(200), "The region the shopper buys from. The cart's by default.")
}).annotate({ identifier: "CreateCheckout", description: "A checkout to make from a cart." })

export const SetCustomer = Schema.Struct({
  email: Email,
  firstName: customerFields.firstName,
  lastName: customerFields.lastName,
  phone: customerFields.phone,
  acceptsMarketing: optional(Schema.Boolean, "Whether the buyer agrees to marketing e-mails.")
}).annotate({ identifier: "SetCheckoutCustomer", description: "The buyer of a checkout." })

export const SetShipping = Schema.Struct({
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

export const ShippingOptions = Schema.Struct({
  rates: arrayOf(
    ShippingMethodView,
    "The shipping methods for the address, in the order in which they were created; empty until an address is set."
  )
}).annotate({ identifier: "ShippingOptions", description: "The shipping options of a checkout." })

export const SetShippingMethod = Schema.Struct({
  shippingRateId: described(Reference, "Id of one of the offered options.")
}).annotate({ identifier: "SetShippingMethod", description: "The shipping option to choose." })

export const SetDelivery = Schema.Struct({
  deliveryType: oneOf(deliveryTypes, "Whether the order is shipped or picked up."),
  pickupLocationId: clearable(text(200), "Where it is picked up: needed with `pickup`.")
}).annotate({ identifier: "SetDelivery", description: "How the order reaches the buyer." })

export const SetCustomFields = Schema.Struct({
  values: described(
    freeForm(),
    "Values by key of the checkout field. Checkout fields are not built yet: send an empty object."
  )
}).annotate({ identifier: "SetCustomFields", description: "Values of checkout fields, which are not built yet." })

export const GiftCardCode = Schema.Struct({
  code: described(Reference, "The code of the gift card, as the shopper typed it.")
}).annotate({ identifier: "GiftCardCode", description: "A gift card to pay with." })

export const BeginPayment = Schema.Struct({
  providerId: described(Reference, "The payment provider.", "test"),
  returnUrl: clearable(
    text(2_000).annotate({ format: "uri" }),
    "Where the provider sends the shopper back to: on the domain of the sales channel or, in test mode, on localhost."
  )
}).annotate({ identifier: "BeginPayment", description: "A payment to begin." })

export const PaymentSessionView = Schema.Struct({
  providerType: string("Kind of the provider.", "test"),
  clientSecret: nullableString("Secret for the provider's own form; null where it needs none."),
  redirectUrl: nullableUrl("Page of the provider to send the shopper to; null where there is none."),
  amount: money("What is to be paid.", "48.53"),
  currency: string("ISO 4217 currency of the amount.", "USD")
}).annotate({ identifier: "PaymentSession", description: "How a shopper pays through a provider." })

/** If there is no order yet, the state of the checkout. */
const paymentStatuses = [...financialStatuses, "processing", "expired", "cancelled"] as const

export const PaymentStatusView = Schema.Struct({
  status: listedText(
    paymentStatuses,
    "The order's financial status where there is an order; else `pending`, `processing`, `expired` or `cancelled`."
  ),
  orderId: nullableString("The order; null while there is none."),
  orderNumber: nullableString("Number of the order; null while there is none.", "#1001")
}).annotate({ identifier: "PaymentStatus", description: "Outcome of the payment of a checkout." })

export const AddressSuggestions = Schema.Struct({
  suggestions: arrayOf(
    Schema.Struct({
      placeId: string("Id of the place: ask for its address with it."),
      description: string("The address in one line.")
    }).annotate({ identifier: "AddressSuggestion", description: "An address that may be meant." }),
    "The suggestions, best first."
  )
}).annotate({ identifier: "AddressSuggestions", description: "Addresses that may be meant." })

/** What a place of an address suggestion is. */
export const PlaceView = Schema.Struct({
  address: Schema.Struct({
    line1: string("Street and house number.", "12 Market Street"),
    city: string("City or town.", "San Francisco"),
    region: string("Subdivision code without the country.", "CA"),
    postalCode: string("Postal code.", "94105"),
    country: string("ISO 3166-1 alpha-2 country code.", "US"),
    lat: number("Latitude in degrees."),
    lng: number("Longitude in degrees."),
    formattedAddress: string("The address in one line.")
  }).annotate({ identifier: "PlaceAddress", description: "The address of a place." }),
  inZone: boolean("Whether the store delivers there.")
}).annotate({ identifier: "Place", description: "A suggested address, in full." })

/** `test` and `stripe` name a provider by its kind; `provider` leaves it to `providerId`. */
export const PaymentMethod = Schema.Literals(["manual", "provider", "gift_card", "free", "test", "stripe"])

export const CompleteInput = Schema.Struct({
  paymentMethod: optional(
    PaymentMethod,
    "How it is paid. `manual` (the default) places the order unpaid, `free` is for orders that cost nothing (their " +
      "default), `test` charges the test provider in test mode, and `provider` charges the provider `providerId`, " +
      "which the operator has added. `stripe` and `gift_card` are not built yet.",
    "manual"
  ),
  paymentReference: clearable(text(500), "The provider's token or payment intent."),
  providerId: clearable(text(200), "The provider to charge through, with `provider`."),
  expectedTotal: optional(
    Schema.Union([Schema.Finite, text(40)]),
    "The total that the shopper saw: a number or a decimal string. If the order costs something else, the response " +
      "is 409.",
    "48.53"
  ),
  notes: optional(text(2_000), "What the shopper writes about the order.")
}).annotate({ identifier: "CompleteCheckout", description: "How to complete a checkout. Every field may be left out." })

/** `total` is a decimal string on every surface. */
export const CompletedView = Schema.Struct({
  orderId: string("Id of the order.", "ord_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  orderNumber: string("Number of the order.", "#1001"),
  status: listedText(orderStatuses, "Status of the order: PAID where the payment was captured, else PENDING."),
  message: string("What happened, for people. The wording may change."),
  total: money("What the order costs.", "48.53")
}).annotate({ identifier: "CompletedCheckout", description: "The order that a checkout became." })
