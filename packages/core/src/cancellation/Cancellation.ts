/** The cancellation of an order: its body, and which orders can be cancelled. */
import { Schema } from "effect"
import { oneOf, optional } from "../kernel/Fields.ts"
import type { Actor } from "../store/Actor.ts"
import type { OrderState } from "../order/Order.ts"

const cancelReasons = ["customer", "inventory", "fraud", "declined", "other"] as const
type CancelReason = (typeof cancelReasons)[number]

export const CancelInput = Schema.Struct({
  reason: Schema.optionalKey(oneOf(cancelReasons, "Why it is cancelled; `other` by default.")),
  restock: optional(Schema.Boolean, "Whether its goods go back into stock. True by default.", true),
  refund: optional(
    Schema.Boolean,
    "Whether everything that was paid is refunded. False by default: an order with money that is not refunded cannot " +
      "be cancelled.",
    false
  ),
  notifyCustomer: optional(Schema.Boolean, "Whether the buyer gets a mail about it. True by default.", true)
}).annotate({ identifier: "CancelOrder", description: "How an order is cancelled." })
export type CancelInput = typeof CancelInput.Type

/** As stored. */
export interface CancellationState {
  readonly orderId: string
  readonly reason: CancelReason
  readonly restock: boolean
  readonly actor: Actor
  /** `RequestKey`. */
  readonly requestKey: string | null
  readonly createdAt: Date
}

/** What was paid for the order and is not refunded. */
export const unrefunded = ({ capturedAmount, refundedAmount }: Pick<OrderState, "capturedAmount" | "refundedAmount">) =>
  capturedAmount - refundedAmount
