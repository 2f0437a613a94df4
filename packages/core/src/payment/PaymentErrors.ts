import { Schema } from "effect"

/** The provider declined the payment; nothing was charged. */
export class PaymentDeclined extends Schema.TaggedError<PaymentDeclined>()("PaymentDeclined", {
  reason: Schema.String
}) {}

/** The provider reported an error, and that nothing was charged. */
export class PaymentFailed extends Schema.TaggedError<PaymentFailed>()("PaymentFailed", { reason: Schema.String }) {}

/** No answer came: the money may or may not have moved. `lookup` finds out later; nothing is charged again. */
export class PaymentUnanswered extends Schema.TaggedError<PaymentUnanswered>()("PaymentUnanswered", {
  reason: Schema.String
}) {}

/** The notification's signature is invalid, or it cannot be read. */
export class NoticeRejected extends Schema.TaggedError<NoticeRejected>()("NoticeRejected", { reason: Schema.String }) {}

/** The payment method is not set up for this store or channel. */
export class PaymentMethodUnavailable extends Schema.TaggedError<PaymentMethodUnavailable>()(
  "PaymentMethodUnavailable",
  { paymentMethod: Schema.String }
) {}
