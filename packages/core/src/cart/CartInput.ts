/** Bodies of requests about carts. */
import { Schema } from "effect"
import { clearable, described, languageTag, optional, Reference, text } from "../kernel/Fields.ts"
import { modifierChoices } from "../modifier/LineModifiers.ts"
import { maxLineQuantity } from "../pricing/Quote.ts"

const locale = clearable(
  languageTag,
  "Language of the names of its lines, of its orders and their mails. Null: the store's own.",
  "de"
)
const notes = clearable(text(2_000), "What the shopper writes about the order, or about this line.")
const object = Schema.Record(Schema.String, Schema.Unknown)
const quantity = (minimum: number) =>
  Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum, maximum: maxLineQuantity })))

const extras = {
  notes,
  // The cart checks the total size, because that depends on what it has already.
  metadata: optional(
    object,
    "Data of your own about the line. Together with `customizations` at most 8 KiB as JSON, and 64 KiB over all lines."
  ),
  customizations: optional(object, "What the shopper filled in, by key of the product's customization fields."),
  modifiers: modifierChoices(
    "What the shopper adds, of the product's modifier groups. Their order does not matter. A list is the whole " +
      "choice; where it is left out, a new line gets the modifiers that the groups choose by default."
  )
}

export const LineInput = Schema.Struct({
  productId: described(Reference, "The product to add.", "prod_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  variantId: Schema.optionalKey(
    described(Schema.NullOr(Reference), "The variant to add: needed where the product has variants.")
  ),
  quantity: described(quantity(1), "How many units to add.", 2),
  ...extras
}).annotate({ identifier: "AddCartItem", description: "A line to add to a cart." })
export type LineInput = typeof LineInput.Type

export const LineChange = Schema.Struct({
  quantity: optional(quantity(0), "How many units the line shall have. 0 takes the line out.", 3),
  ...extras
}).annotate({ identifier: "UpdateCartItem", description: "Changes of a line. What is left out stays as it is." })
export type LineChange = typeof LineChange.Type

export const CartChange = Schema.Struct({
  locale,
  notes,
  currency: optional(text(200), "Only the cart's own currency is accepted.", "USD"),
  regionId: clearable(
    text(200),
    "The region the shopper buys from; it decides which shipping zones apply. It does not change the currency."
  ),
  analyticsClientId: clearable(text(2_000), "Id of the visitor in your analytics."),
  analyticsSessionId: clearable(text(2_000), "Id of the visit in your analytics.")
}).annotate({
  identifier: "UpdateCart",
  description: "Changes of a cart. What is left out stays as it is; null clears."
})
export type CartChange = typeof CartChange.Type

export const CartInput = Schema.Struct({
  locale,
  salesChannelId: clearable(text(200), "The sales channel that the cart is for."),
  customerId: clearable(text(200), "The customer whose cart it is.")
}).annotate({ identifier: "CreateCart", description: "A cart to create from a server. Every field may be left out." })

export const CouponCode = Schema.Struct({
  code: described(Reference, "The code, as the shopper typed it.", "WELCOME10")
}).annotate({ identifier: "CouponCode", description: "A coupon code to apply." })

export const MergeCart = Schema.Struct({
  sessionToken: described(Reference, "Session token of the guest's cart.")
}).annotate({ identifier: "MergeCart", description: "The guest's cart to merge." })
