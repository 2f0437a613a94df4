/** The event of the settlement room: it makes the mail about an order whose money needs the owner. */
import { Schema } from "effect"
import { defineEvent } from "../kernel/EventDefinition.ts"

const AttentionCause = Schema.Literals([
  "refund_failed",
  "payment_failed",
  "dispute_opened",
  "dispute_won",
  "dispute_lost"
])
export type AttentionCause = typeof AttentionCause.Type

/** Appended once for a cause, in the transaction that learns it. A look that finds the same again appends nothing. */
export const orderAttention = defineEvent("internal.order_attention", {
  description: "A refund or a payment of a placed order has failed, or a dispute of it was opened or decided.",
  data: Schema.Struct({
    orderId: Schema.String,
    orderNumber: Schema.String,
    currency: Schema.String,
    cause: AttentionCause,
    /** A decimal string in the order's currency. */
    amount: Schema.String,
    provider: Schema.String,
    /** Why, as the provider says it. */
    reason: Schema.NullOr(Schema.String),
    /** By when the bank waits for evidence. */
    dueAt: Schema.NullOr(Schema.String)
  }),
  internal: true
})
export type OrderAttention = typeof orderAttention.data.Type

/** What needs the owner, before it is told with its order. `amount` in minor units of the order's currency. */
export interface Attention extends Pick<OrderAttention, "cause" | "reason" | "dueAt"> {
  readonly amount: bigint
  readonly paymentId: string
}

export const settlementEvents = [orderAttention]
