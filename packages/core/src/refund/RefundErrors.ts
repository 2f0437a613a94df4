/** The errors of refunds. Amounts are decimal strings in the order's currency. */
import { Schema } from "effect"

/** More than is left of what was captured, with what is under way. */
export class RefundExceedsLeft extends Schema.TaggedError<RefundExceedsLeft>()("RefundExceedsLeft", {
  amount: Schema.String,
  maxRefundable: Schema.String,
  /** The payment, where it is one that has not enough left. */
  tenderId: Schema.optionalKey(Schema.String)
}) {}

/** More units of an item than were bought and not refunded yet. */
export class RefundUnitsExceeded extends Schema.TaggedError<RefundUnitsExceeded>()("RefundUnitsExceeded", {
  itemId: Schema.String,
  quantity: Schema.Int,
  refundable: Schema.Int
}) {}

/** More shipping than was paid and not refunded yet. */
export class RefundShippingExceeded extends Schema.TaggedError<RefundShippingExceeded>()("RefundShippingExceeded", {
  shippingAmount: Schema.String,
  refundable: Schema.String
}) {}

/** What was asked for comes to nothing: units that cost nothing, or less than the provider's smallest unit. */
export class RefundOfNothing extends Schema.TaggedError<RefundOfNothing>()("RefundOfNothing", {}) {}

/** The payment cannot be refunded through this service. `manualRefundUrl`: where it can, if there is such a page. */
export class RefundByHandOnly extends Schema.TaggedError<RefundByHandOnly>()("RefundByHandOnly", {
  tenderId: Schema.String,
  manualRefundUrl: Schema.NullOr(Schema.String)
}) {}

/** The provider could not do it: nothing was given back, and the refund stays as failed. */
export class RefundFailed extends Schema.TaggedError<RefundFailed>()("RefundFailed", {
  refundId: Schema.String,
  reason: Schema.String
}) {}

/** How the refund stands could not be read. It is under way and will be found out; nothing is refunded twice. */
export class RefundOutcomeUnknown extends Schema.TaggedError<RefundOutcomeUnknown>()("RefundOutcomeUnknown", {
  refundId: Schema.NullOr(Schema.String)
}) {}

/** Every error of a refund that is not begun. */
export const refundErrors = [
  RefundExceedsLeft,
  RefundUnitsExceeded,
  RefundShippingExceeded,
  RefundOfNothing,
  RefundByHandOnly
] as const
export type RefundRefused = InstanceType<(typeof refundErrors)[number]>
