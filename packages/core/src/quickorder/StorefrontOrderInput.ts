/** The body of an order that a storefront places in one call, and how it is read: amounts become minor units. */
import { Effect, Schema } from "effect"
import { AddressInput, Email } from "../kernel/Address.ts"
import { Amount, amounts } from "../kernel/Amount.ts"
import { checkEach } from "../kernel/FieldRejected.ts"
import { clearable, described, optional, Reference, text } from "../kernel/Fields.ts"
import { freeForm } from "../kernel/JsonSize.ts"
import { modifierChoices } from "../modifier/LineModifiers.ts"
import { buyerNames, couponCode, itemFields, itemsOf, nameOf } from "../order/OrderFields.ts"
import type { StoreContext } from "../store/StoreContext.ts"

const PlaceOrderItem = Schema.Struct({
  productId: described(Reference, "The product.", "prod_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  ...itemFields,
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

/** A storefront's order, in the store's currency. */
export const readStorefrontOrder = (store: StoreContext, { customer, items, ...body }: StorefrontOrderInput) => {
  const amount = amounts(store.currency)
  const lines = checkEach(items, ({ price, variantId, ...item }, i) =>
    Effect.map(amount(`items.${i}.price`, price), (minor = 0n) => ({
      ...item,
      variantId: variantId ?? null,
      price: minor
    }))
  )
  const { email, phone } = customer
  const buyer = { email, name: nameOf(customer) ?? null, phone: phone ?? null }
  return Effect.map(lines, (read) => ({ ...body, items: read, customer: buyer }))
}
export type ReadStorefrontOrder = Effect.Success<ReturnType<typeof readStorefrontOrder>>
