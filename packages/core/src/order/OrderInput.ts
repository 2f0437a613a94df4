/** Bodies of requests about orders. */
import { Schema } from "effect"
import { AddressInput, Email } from "../kernel/Address.ts"
import { clearable, described, optional, Reference, text } from "../kernel/Fields.ts"
import { freeForm } from "../kernel/JsonSize.ts"
import { modifierChoices } from "../modifier/LineModifiers.ts"
import { maxLineQuantity } from "../pricing/Quote.ts"

/** A number or decimal string; the currency decides how many decimals it may have. */
export const Amount = Schema.Union([Schema.Finite, text(100)])

/** The most items in one order. */
const maxOrderItems = 500

const quantity = described(
  Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: maxLineQuantity }))),
  "How many units.",
  2
)
const variantId = Schema.optionalKey(
  described(Schema.NullOr(Reference), "The variant: needed where the product has variants.")
)
const couponCode = clearable(text(200), "A coupon code to apply.", "WELCOME10")
const buyerNames = {
  name: optional(text(200), "Name of the buyer. By default the first and last name.", "Ada Lovelace"),
  firstName: optional(text(100), "First name of the buyer.", "Ada"),
  lastName: optional(text(100), "Last name of the buyer.", "Lovelace"),
  phone: optional(text(40), "Telephone number of the buyer.", "+14155550100")
}
const itemsOf = <S extends Schema.Top>(item: S, description: string) =>
  described(
    Schema.Array(item).pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maxOrderItems))),
    description
  )

const CreateOrderItem = Schema.Struct({
  productId: optional(Reference, "The product. Without one the item needs a `name` and a `price` and takes no stock."),
  variantId,
  quantity,
  price: optional(Amount, "Price of one unit: a number or a decimal string. The product's by default.", "19.99"),
  name: optional(text(500), "Name of the item. The product's by default.", "Desk lamp"),
  modifiers: modifierChoices(
    "What is added, of the product's modifier groups. None by default, also where a group asks for some. A `price` " +
      "that is given includes them."
  )
}).annotate({ identifier: "CreateOrderItem", description: "An item of an order to create." })

export const OrderInput = Schema.Struct({
  items: itemsOf(CreateOrderItem, "What is sold: 1 to 500 items."),
  customer: Schema.optionalKey(
    Schema.Struct({ email: Schema.optionalKey(Email), ...buyerNames }).annotate({
      identifier: "CreateOrderCustomer",
      description: "The buyer. Give this or `customerId`."
    })
  ),
  customerId: optional(text(200), "The customer of the store who buys. Give this or `customer`."),
  externalId: optional(text(191), "Id in the system it came from, unique in the store.", "erp-9001"),
  status: optional(Schema.Json, "Ignored: an order begins as PENDING."),
  currency: optional(text(200), "ISO 4217 currency of all amounts. The store's by default.", "USD"),
  discountAmount: optional(Amount, "A discount on the whole order: a number or a decimal string.", "0.00"),
  couponCode,
  shippingAmount: optional(Amount, "Price of shipping: a number or a decimal string. 0.00 by default.", "5.00"),
  taxAmount: optional(
    Amount,
    "All tax: a number or a decimal string. Left out, the store's rates decide where an address is given.",
    "3.55"
  ),
  paymentMethod: optional(text(100), "How it is paid, for the merchant to read.", "bank_transfer"),
  notes: optional(text(2_000), "What is to be known about the order."),
  sourceName: optional(text(200), "Where it was placed, for the merchant to read.", "telephone"),
  shippingAddress: Schema.optionalKey(AddressInput),
  billingAddress: Schema.optionalKey(AddressInput)
}).annotate({ identifier: "CreateOrder", description: "An order to create from a server." })
export type OrderInput = typeof OrderInput.Type

const PlaceOrderItem = Schema.Struct({
  productId: described(Reference, "The product.", "prod_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  variantId,
  quantity,
  price: described(
    Amount,
    "The price of one unit that the shopper saw, with its modifiers: a number or a decimal string.",
    "19.99"
  ),
  modifiers: modifierChoices("Modifiers that the shopper adds. By default those that the groups choose."),
  customizations: optional(
    freeForm(8 * 1_024),
    "What the shopper filled in, by key of the product's customization fields. At most 8 KiB as JSON, and 64 KiB " +
      "over all items."
  )
}).annotate({ identifier: "PlaceOrderItem", description: "An item of an order to place." })

export const StorefrontOrderInput = Schema.Struct({
  items: itemsOf(PlaceOrderItem, "What is bought: 1 to 500 items."),
  customer: Schema.Struct({ email: Email, ...buyerNames }).annotate({
    identifier: "PlaceOrderCustomer",
    description: "The buyer."
  }),
  shippingAddress: AddressInput,
  billingAddress: Schema.optionalKey(
    described(Schema.NullOr(AddressInput), "The billing address. The shipping address by default.")
  ),
  couponCode,
  notes: clearable(text(2_000), "What the shopper writes about the order.")
}).annotate({ identifier: "PlaceOrder", description: "An order to place without a cart." })
export type StorefrontOrderInput = typeof StorefrontOrderInput.Type
