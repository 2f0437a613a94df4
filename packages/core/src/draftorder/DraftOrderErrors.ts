/** What can be wrong with a draft order. */
import { Schema } from "effect"

export class DraftOrderNotFound extends Schema.TaggedError<DraftOrderNotFound>()("DraftOrderNotFound", {
  id: Schema.String
}) {}

/** It has become an order: it is not changed, sent or deleted any more. */
export class DraftOrderCompleted extends Schema.TaggedError<DraftOrderCompleted>()("DraftOrderCompleted", {
  id: Schema.String,
  orderId: Schema.String
}) {}

/** Its buyer is paying the invoice at this moment. */
export class DraftOrderBeingPaid extends Schema.TaggedError<DraftOrderBeingPaid>()("DraftOrderBeingPaid", {
  id: Schema.String
}) {}

/** Why its invoice cannot be sent. */
export class DraftInvoiceNotPossible extends Schema.TaggedError<DraftInvoiceNotPossible>()("DraftInvoiceNotPossible", {
  reason: Schema.Literals(["no_email", "no_channel", "other_currency", "too_many_checkouts"])
}) {}

/**
 * No invoice that stands has this token: unknown, past its time, replaced by a newer one, used up, or of another
 * channel.
 */
export class DraftInvoiceUnknown extends Schema.TaggedError<DraftInvoiceUnknown>()("DraftInvoiceUnknown", {}) {}
