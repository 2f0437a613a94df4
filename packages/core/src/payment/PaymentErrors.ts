import { Schema } from "effect"
import { DeclineCode } from "./DeclineCode.ts"

/** The provider declined the payment; nothing was charged. `reason` is the provider's text, for the merchant alone. */
export class PaymentDeclined extends Schema.TaggedError<PaymentDeclined>()("PaymentDeclined", {
  code: DeclineCode,
  reason: Schema.String
}) {}

/** The provider reported an error, and that nothing was done. */
export class PaymentFailed extends Schema.TaggedError<PaymentFailed>()("PaymentFailed", { reason: Schema.String }) {}

/** No answer came: the money may or may not have moved. `lookup` finds out later; nothing is charged again. */
export class PaymentUnanswered extends Schema.TaggedError<PaymentUnanswered>()("PaymentUnanswered", {
  reason: Schema.String
}) {}

/** The notification's signature is invalid, or it is not one of this provider. */
export class NoticeRejected extends Schema.TaggedError<NoticeRejected>()("NoticeRejected", { reason: Schema.String }) {}

/**
 * A stored notice cannot be interpreted. `isNewer`: it is of a later release of this software, so it waits for one that
 * can; otherwise it is set aside.
 */
export class NoticeUnreadable extends Schema.TaggedError<NoticeUnreadable>()("NoticeUnreadable", {
  reason: Schema.String,
  isNewer: Schema.optionalKey(Schema.Boolean)
}) {}

/**
 * The provider does not accept these credentials. `field` names the one at fault, where that is known; of those that
 * the host has set up, null says that there are none.
 */
export class CredentialsRejected extends Schema.TaggedError<CredentialsRejected>()("CredentialsRejected", {
  field: Schema.NullOr(Schema.String),
  reason: Schema.String
}) {}

/** The payment method is not set up for this store or channel. */
export class PaymentMethodUnavailable extends Schema.TaggedError<PaymentMethodUnavailable>()(
  "PaymentMethodUnavailable",
  { paymentMethod: Schema.String }
) {}

/** The payment method is set up, and its provider cannot be reached or rejects its credentials. */
export class PaymentProviderNotReady extends Schema.TaggedError<PaymentProviderNotReady>()("PaymentProviderNotReady", {
  paymentMethod: Schema.String
}) {}

/** A capture or refund of more than the charge has left, counting what is under way. Minor units. */
export class ChangeExceedsCharge extends Schema.TaggedError<ChangeExceedsCharge>()("ChangeExceedsCharge", {
  available: Schema.BigInt,
  currency: Schema.String
}) {}
