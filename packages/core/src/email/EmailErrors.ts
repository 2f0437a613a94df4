import { Schema } from "effect"

/** A marketing mail of a store without a postal address. */
export class EmailFooterMissing extends Schema.TaggedError<EmailFooterMissing>()("EmailFooterMissing", {
  eventType: Schema.String
}) {}

/** The store has switched its mail off. */
export class EmailsDisabled extends Schema.TaggedError<EmailsDisabled>()("EmailsDisabled", {}) {}

/** A marketing mail that is not made. */
export class MarketingHeld extends Schema.TaggedError<MarketingHeld>()("MarketingHeld", {
  reason: Schema.Literals(["paused", "unsubscribed", "no_consent", "daily_limit"])
}) {}
