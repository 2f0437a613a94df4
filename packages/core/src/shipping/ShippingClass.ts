/** A shipping class: goods that cost the same extra to send, on top of the rate (`classCosts`). */
import { Schema } from "effect"
import { clearable, described, string, text, timestamp } from "../kernel/Fields.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

export const shippingClassBound: StoreBound = { field: "shippingClasses", most: 1_000, words: "shipping classes" }

export interface ShippingClassState {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** On the wire. */
export const ShippingClass = Schema.Struct({
  id: string("Id of the shipping class."),
  accountId: string("The account that owns the store."),
  storeId: string("The store that the class belongs to."),
  name: string("Name of the class.", "Bulky goods"),
  slug: string("Short name; unique in the store.", "bulky-goods"),
  createdAt: timestamp("When the class was created."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names.")
}).annotate({ identifier: "ShippingClass", description: "Goods that cost the same extra to send." })
export type ShippingClass = typeof ShippingClass.Type

export const toShippingClass = (
  store: StoreContext,
  { createdAt, updatedAt, ...state }: ShippingClassState
): ShippingClass => ({
  ...state,
  accountId: store.accountId,
  storeId: store.id,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})

const slug = clearable(
  text(190),
  "Short name; unique in the store. Made from the name where it is absent.",
  "bulky-goods"
)
const name = described(text(200), "Name of the class.", "Bulky goods")

export const NewShippingClass = Schema.Struct({ name, slug }).annotate({
  identifier: "NewShippingClass",
  description: "A shipping class to create."
})
export type NewShippingClass = typeof NewShippingClass.Type

export const ShippingClassChanges = Schema.Struct({ name: Schema.optionalKey(name), slug }).annotate({
  identifier: "ChangeShippingClass",
  description: "What to change. An absent field stays as it is."
})
export type ShippingClassChanges = typeof ShippingClassChanges.Type
