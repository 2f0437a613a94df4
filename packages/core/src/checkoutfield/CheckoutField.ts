/**
 * A field that a store adds to its checkouts: a note, a choice, a tick. Its bodies and views, and what is stored of it.
 * A field or one of its options may bring a surcharge.
 */
import { Schema } from "effect"
import {
  arrayOf,
  boolean,
  clearable,
  described,
  int4,
  integer,
  nullable,
  oneOf,
  optional,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import { formatMoney } from "../kernel/Money.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"
import type { StoreContext } from "../store/StoreContext.ts"

export const checkoutFieldTypes = ["text", "textarea", "select", "checkbox", "date", "number"] as const
export type CheckoutFieldType = (typeof checkoutFieldTypes)[number]

const surchargeTypes = ["FIXED", "PERCENTAGE"] as const

/** A shopper fills them all in on one page, and every checkout shows them. */
export const checkoutFieldBound: StoreBound = { field: "checkoutFields", most: 100, words: "checkout fields" }

/** The most options of one field. */
const mostOptions = 100

const typeWords =
  "How it is filled in. text is a line and textarea a longer text; select is one of `options`, checkbox is true or " +
  "false, date is YYYY-MM-DD, and number is a number."
const surchargeWords =
  "What it adds to the total once it is ticked or filled in. It adds up with the surcharge of the chosen option, and " +
  "is not taxed."
const amountWords =
  "For FIXED an amount in the store's currency; for PERCENTAGE a percentage of the lines after discounts, from 0 to " +
  "100 with at most 2 decimals. A number or a decimal string."
const keyWords = "Its name in `values` and `customFieldValues`: letters, digits, _ and -, unique in the store."
const optionsWords = "What a shopper can choose: needed with the type select, and for no other type."
const requiredWords = "Whether a checkout cannot be completed without it: a checkbox must then be ticked."
const positionWords = "Where it stands among the fields, the lowest first; those of one position stand as created."

const SurchargeInput = Schema.Struct({
  type: oneOf(surchargeTypes, "FIXED is an amount, PERCENTAGE a part of the lines after discounts."),
  amount: described(Schema.Union([Schema.Finite, text(40)]), amountWords, "2.50")
}).annotate({ identifier: "CheckoutSurchargeInput", description: "An amount that is added to the total." })
export type SurchargeInput = typeof SurchargeInput.Type

const OptionInput = Schema.Struct({
  value: described(text(200), "What the checkout stores; unique in the field.", "express"),
  label: described(text(200), "What shoppers read.", "Express wrapping"),
  surcharge: clearable(SurchargeInput, "What this option adds to the total.")
}).annotate({ identifier: "CheckoutFieldOptionInput", description: "A choice of a checkout field." })

const key = text(64)
const name = text(200)
const type = oneOf(checkoutFieldTypes, typeWords)
const others = {
  required: optional(Schema.Boolean, `${requiredWords} False by default.`),
  options: clearable(Schema.Array(OptionInput).pipe(Schema.check(Schema.isMaxLength(mostOptions))), optionsWords),
  surcharge: clearable(SurchargeInput, surchargeWords),
  position: optional(int4, `${positionWords} 0 by default.`)
}

export const CheckoutFieldInput = Schema.Struct({
  key: described(key, keyWords, "gift_wrap"),
  name: described(name, "What shoppers read.", "Gift wrap"),
  type,
  ...others
}).annotate({ identifier: "CreateCheckoutField", description: "A field to add to the checkouts of the store." })
export type CheckoutFieldInput = typeof CheckoutFieldInput.Type

export const CheckoutFieldPatch = Schema.Struct({
  key: optional(key, keyWords, "gift_wrap"),
  name: optional(name, "What shoppers read.", "Gift wrap"),
  type: Schema.optionalKey(type),
  ...others
}).annotate({
  identifier: "UpdateCheckoutField",
  description: "Changes of a checkout field. What is left out stays as it is; null clears."
})
export type CheckoutFieldPatch = typeof CheckoutFieldPatch.Type

/** As stored: minor units of a FIXED surcharge, the percentage of another, as text. */
const StoredSurcharge = Schema.Struct({ type: Schema.Literals(surchargeTypes), amount: Schema.String })
export type StoredSurcharge = typeof StoredSurcharge.Type

const StoredOptions = Schema.Array(
  Schema.Struct({ value: Schema.String, label: Schema.String, surcharge: Schema.NullOr(StoredSurcharge) })
)
export type StoredOptions = typeof StoredOptions.Type

/** The stored fields of a checkout field. */
export const StoredField = Schema.Struct({
  key: Schema.String,
  name: Schema.String,
  type: Schema.Literals(checkoutFieldTypes),
  required: Schema.Boolean,
  options: StoredOptions,
  surcharge: Schema.NullOr(StoredSurcharge),
  position: Schema.Int
})
export type StoredField = typeof StoredField.Type

export interface CheckoutFieldState extends StoredField {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

const SurchargeView = Schema.Struct({
  type: oneOf(surchargeTypes, "FIXED is an amount, PERCENTAGE a part of the lines after discounts."),
  amount: string("An amount in the store's currency, or a percentage, by the type.", "2.50")
}).annotate({ identifier: "CheckoutSurcharge", description: "An amount that is added to the total." })

const OptionView = Schema.Struct({
  value: string("What the checkout stores.", "express"),
  label: string("What shoppers read.", "Express wrapping"),
  surcharge: nullable(SurchargeView, "What this option adds to the total; null for nothing.")
}).annotate({ identifier: "CheckoutFieldOption", description: "A choice of a checkout field." })

const shown = {
  key: string("Its name in `values` and `customFieldValues`.", "gift_wrap"),
  name: string("What shoppers read.", "Gift wrap"),
  type,
  required: boolean(requiredWords),
  options: arrayOf(OptionView, "What a shopper can choose, in this order; empty unless the type is select."),
  surcharge: nullable(SurchargeView, `${surchargeWords} Null for nothing.`)
}

/** A field as shoppers fill it in. */
export const ShownCheckoutField = Schema.Struct(shown).annotate({
  identifier: "ShownCheckoutField",
  description: "A field of the store's own to fill in at checkout."
})

export const CheckoutFieldView = Schema.Struct({
  id: string("Id of the checkout field.", "chkfield_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  accountId: string("The account that owns the store."),
  storeId: string("The store it belongs to."),
  ...shown,
  position: integer(positionWords, 0),
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares.")
}).annotate({ identifier: "CheckoutField", description: "A field that the store adds to its checkouts." })
export type CheckoutFieldView = typeof CheckoutFieldView.Type

const surchargeView = (surcharge: StoredSurcharge | null, currency: string): typeof SurchargeView.Type | null =>
  surcharge === null || surcharge.type === "PERCENTAGE"
    ? surcharge
    : { type: surcharge.type, amount: formatMoney(BigInt(surcharge.amount), currency) }

/** `currency` is the store's. */
export const toShownField = (
  { key, name, type, required, options, surcharge }: Omit<StoredField, "position">,
  currency: string
): typeof ShownCheckoutField.Type => ({
  key,
  name,
  type,
  required,
  options: options.map((option) => ({ ...option, surcharge: surchargeView(option.surcharge, currency) })),
  surcharge: surchargeView(surcharge, currency)
})

export const toCheckoutFieldView = (store: StoreContext, state: CheckoutFieldState): CheckoutFieldView => ({
  id: state.id,
  accountId: store.accountId,
  storeId: store.id,
  ...toShownField(state, store.currency),
  position: state.position,
  createdAt: state.createdAt.toISOString(),
  updatedAt: state.updatedAt.toISOString()
})
