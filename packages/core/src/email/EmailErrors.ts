import { Schema } from "effect"

export class EmailTemplateNotFound extends Schema.TaggedError<EmailTemplateNotFound>()("EmailTemplateNotFound", {
  id: Schema.String
}) {}

/** Settings, a template or a message that cannot be taken; `errors` maps each field of the body to a sentence. */
export class EmailRejected extends Schema.TaggedError<EmailRejected>()("EmailRejected", {
  errors: Schema.Record(Schema.String, Schema.String)
}) {}

/** Another template of this kind and language is active already. */
export class EmailTemplateActive extends Schema.TaggedError<EmailTemplateActive>()("EmailTemplateActive", {
  eventType: Schema.String,
  language: Schema.String
}) {}

/** A marketing mail of a store that has given no postal address. */
export class EmailFooterMissing extends Schema.TaggedError<EmailFooterMissing>()("EmailFooterMissing", {
  eventType: Schema.String
}) {}

/** The store has switched its mail off. */
export class EmailsDisabled extends Schema.TaggedError<EmailsDisabled>()("EmailsDisabled", {}) {}
