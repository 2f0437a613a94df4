/** The errors of cancellations. */
import { Schema } from "effect"

/** Units of the order were sent. */
export class OrderPartlySent extends Schema.TaggedError<OrderPartlySent>()("OrderPartlySent", {
  id: Schema.String,
  status: Schema.String
}) {}

/** Money of the order is not refunded. A decimal string. */
export class OrderMoneyKept extends Schema.TaggedError<OrderMoneyKept>()("OrderMoneyKept", {
  id: Schema.String,
  status: Schema.String,
  amount: Schema.String
}) {}

/** A payment of the order can only be refunded elsewhere. */
export class RefundNotPossible extends Schema.TaggedError<RefundNotPossible>()("RefundNotPossible", {
  manualRefundUrl: Schema.NullOr(Schema.String)
}) {}
