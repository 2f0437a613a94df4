import { Schema } from "effect"

export class EmailTemplateNotFound extends Schema.TaggedError<EmailTemplateNotFound>()("EmailTemplateNotFound", {
  id: Schema.String
}) {}

/** Another template of this kind and language is active already. */
export class EmailTemplateActive extends Schema.TaggedError<EmailTemplateActive>()("EmailTemplateActive", {
  eventType: Schema.String,
  language: Schema.String
}) {}
