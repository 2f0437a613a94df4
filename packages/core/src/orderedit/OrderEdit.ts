/** What a merchant changes of an order by hand: bodies, and notes. */
import { Schema } from "effect"
import { AddressInput } from "../kernel/Address.ts"
import {
  boolean,
  clearable,
  described,
  filledText,
  oneOf,
  optional,
  Reference,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import { freeForm } from "../kernel/JsonSize.ts"
import { orderStatuses } from "../order/Order.ts"
import { maxReason } from "../order/StatusHistory.ts"
import { Actor } from "../store/Actor.ts"

/** Every history of an order returns them all. */
export const maxNotes = 500
/** Entries of a status history beyond which an order does not move between PAID and PROCESSING any more. */
export const maxStatusHistory = 1_000

export const OrderPatch = Schema.Struct({
  notes: clearable(text(2_000), "What is to be known about the order."),
  statusLabelId: clearable(
    Reference,
    "A label of the store's own. The order shows it while it has the label's status."
  ),
  adminFieldValues: optional(freeForm(), "What the merchant keeps about the order, by key; replaced as a whole."),
  shippingAddress: clearable(
    AddressInput,
    "Where it is shipped to. It can be changed until everything is shipped, and cannot be cleared."
  ),
  isRead: optional(Schema.Boolean, "Whether the merchant has opened the order.", true)
}).annotate({
  identifier: "UpdateOrder",
  description: "Changes of an order. What is left out stays as it is; null clears."
})
export type OrderPatch = typeof OrderPatch.Type

export const StatusInput = Schema.Struct({
  status: oneOf(orderStatuses, "The status to move to."),
  reason: clearable(text(maxReason), "Why, for the history of the order.")
}).annotate({ identifier: "ChangeOrderStatus", description: "A move of an order's status." })
export type StatusInput = typeof StatusInput.Type

export const NoteInput = Schema.Struct({
  text: described(filledText(2_000), "What is noted.", "The blue mugs arrive on Monday."),
  notifyCustomer: optional(Schema.Boolean, "Whether the buyer gets it by mail. False by default.", false)
}).annotate({ identifier: "AddOrderNote", description: "A note about an order." })
export type NoteInput = typeof NoteInput.Type

export interface NoteState {
  readonly id: string
  readonly text: string
  /** Whether the buyer was told. */
  readonly notified: boolean
  readonly actor: Actor
  readonly createdAt: Date
}

export const OrderNoteView = Schema.Struct({
  id: string("Id of the note.", "onote_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  orderId: string("The order it is about."),
  text: string("What was noted.", "The blue mugs arrive on Monday."),
  notifyCustomer: boolean("Whether the buyer got it by mail.", false),
  actor: Actor,
  createdAt: timestamp("When it was noted.")
}).annotate({ identifier: "OrderNote", description: "A note about an order." })
export type OrderNoteView = typeof OrderNoteView.Type

export const toNoteView = (orderId: string, { id, text, notified, actor, createdAt }: NoteState): OrderNoteView => ({
  id,
  orderId,
  text,
  notifyCustomer: notified,
  actor,
  createdAt: createdAt.toISOString()
})
