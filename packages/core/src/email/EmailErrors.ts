import { Schema } from "effect"

/** A marketing mail of a store without a postal address. */
export class EmailFooterMissing extends Schema.TaggedError<EmailFooterMissing>()("EmailFooterMissing", {
  eventType: Schema.String
}) {}

/** The store has switched its mail off. */
export class EmailsDisabled extends Schema.TaggedError<EmailsDisabled>()("EmailsDisabled", {}) {}
