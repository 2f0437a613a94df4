/** The body of an order that an admin key enters. */
import { Schema } from "effect"
import { AddressInput, Email } from "../kernel/Address.ts"
import { Amount } from "../kernel/Amount.ts"
import { optional, Reference, text } from "../kernel/Fields.ts"
import { modifierChoices } from "../modifier/LineModifiers.ts"
import { buyerNames, couponCode, itemFields, itemsOf } from "../order/OrderFields.ts"

const CreateOrderItem = Schema.Struct({
  productId: optional(Reference, "The product. Without one the item needs a `name` and a `price` and takes no stock."),
  ...itemFields,
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
