import { Schema } from "effect"

/** A marketing mail of a store without a postal address. */
export class EmailFooterMissing extends Schema.TaggedError<EmailFooterMissing>()("EmailFooterMissing", {
  eventType: Schema.String
}) {}

/** The store has switched its mail off. */
export class EmailsDisabled extends Schema.TaggedError<EmailsDisabled>()("EmailsDisabled", {}) {}

/** A mail that is not made: a marketing mail, or any above what the store can send in a day. */
export class MailHeld extends Schema.TaggedError<MailHeld>()("MailHeld", {
  reason: Schema.Literals(["paused", "unsubscribed", "no_consent", "daily_limit", "hourly_limit"])
}) {}
