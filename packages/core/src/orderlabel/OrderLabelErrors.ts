/** The errors of order status labels. */
import { Schema } from "effect"

export class OrderLabelNotFound extends Schema.TaggedError<OrderLabelNotFound>()("OrderLabelNotFound", {
  id: Schema.String
}) {}

/** Another label of the store has the name. */
export class OrderLabelNameTaken extends Schema.TaggedError<OrderLabelNameTaken>()("OrderLabelNameTaken", {
  name: Schema.String
}) {}
