/** A label of the merchant's own: what an order's status is called, and in which colour. Bodies, state and view. */
import { Schema } from "effect"
import {
  clearable,
  described,
  filledText,
  nullableString,
  oneOf,
  optional,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"
import { orderStatuses } from "../order/Order.ts"
import type { StoreContext } from "../store/StoreContext.ts"

/** Whoever chooses one is shown them all. */
export const orderLabelBound: StoreBound = {
  field: "orderStatusLabels",
  most: 200,
  words: "order status labels"
}

const nameWords = "What the status is called, unique in the store."
const colorWords = "Colour to show it in, as #rrggbb."
const statusWords =
  "The status that it stands for. An order that has the label shows it while it has this status, and otherwise the " +
  "label of the system."
const name = filledText(100)
const colorPattern = /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i
const color = text(9).pipe(
  Schema.check(Schema.makeFilter((value: string) => colorPattern.test(value) || "must be a colour such as #cc0000"))
)
const canonicalStatus = oneOf(orderStatuses, statusWords)

export const OrderLabelInput = Schema.Struct({
  name: described(name, nameWords, "Waiting for parts"),
  color: clearable(color, colorWords, "#cc0000"),
  canonicalStatus
}).annotate({ identifier: "CreateOrderStatusLabel", description: "A label for orders of a status." })
export type OrderLabelInput = typeof OrderLabelInput.Type

export const OrderLabelPatch = Schema.Struct({
  name: optional(name, nameWords, "Waiting for parts"),
  color: clearable(color, colorWords, "#cc0000"),
  canonicalStatus: Schema.optionalKey(canonicalStatus)
}).annotate({
  identifier: "UpdateOrderStatusLabel",
  description: "Changes of a label. What is left out stays as it is; null clears."
})
export type OrderLabelPatch = typeof OrderLabelPatch.Type

export interface OrderLabelFields {
  readonly name: string
  readonly color: string | null
  readonly canonicalStatus: (typeof orderStatuses)[number]
}

export interface OrderLabelState extends OrderLabelFields {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const OrderLabelView = Schema.Struct({
  id: string("Id of the label.", "olabel_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  accountId: string("The account that owns the store."),
  storeId: string("The store it belongs to."),
  name: string(nameWords, "Waiting for parts"),
  color: nullableString(`${colorWords} Null for none.`, "#cc0000"),
  canonicalStatus,
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares.")
}).annotate({ identifier: "StatusLabel", description: "A label of the merchant's own for orders of a status." })
export type OrderLabelView = typeof OrderLabelView.Type

export const toOrderLabelView = (store: StoreContext, state: OrderLabelState): OrderLabelView => ({
  id: state.id,
  accountId: store.accountId,
  storeId: store.id,
  name: state.name,
  color: state.color,
  canonicalStatus: state.canonicalStatus,
  createdAt: state.createdAt.toISOString(),
  updatedAt: state.updatedAt.toISOString()
})
