/** Fields that bodies of orders share, whether an admin key or a storefront sends them. */
import { Schema } from "effect"
import { wholeName } from "../kernel/Address.ts"
import { clearable, described, optional, Reference, text } from "../kernel/Fields.ts"
import { maxLineQuantity } from "../pricing/Quote.ts"

/** The most items in one order. */
const maxOrderItems = 500

/** How many units an item is, and of which variant. */
export const itemFields = {
  variantId: Schema.optionalKey(
    described(Schema.NullOr(Reference), "The variant: needed where the product has variants.")
  ),
  quantity: described(
    Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: maxLineQuantity }))),
    "How many units.",
    2
  )
}

export const couponCode = clearable(text(200), "A coupon code to apply.", "WELCOME10")

export const buyerNames = {
  name: optional(text(200), "Name of the buyer. By default the first and last name.", "Ada Lovelace"),
  firstName: optional(text(100), "First name of the buyer.", "Ada"),
  lastName: optional(text(100), "Last name of the buyer.", "Lovelace"),
  phone: optional(text(40), "Telephone number of the buyer.", "+14155550100")
}

/** The name of a buyer who is described by `buyerNames`. */
export const nameOf = (
  customer: Readonly<Partial<Record<"name" | "firstName" | "lastName", string>>>
): string | undefined => customer.name ?? wholeName(customer) ?? undefined

export const itemsOf = <S extends Schema.Top>(item: S, description: string) =>
  described(
    Schema.Array(item).pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maxOrderItems))),
    description
  )
