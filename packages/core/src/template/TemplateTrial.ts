/** The body and the response of a trial rendering, and the templates as the dashboard lists them. */
import { Schema } from "effect"
import { arrayOf, described, optional, string } from "../kernel/Fields.ts"
import { freeForm } from "../kernel/JsonSize.ts"
import { EmailTemplate } from "./EmailTemplate.ts"

export const PreviewTemplate = Schema.Struct({
  variables: optional(freeForm(), "Values of the variables, by name. What is not given is left empty and listed.", {
    orderNumber: "#1001"
  }),
  language: optional(
    Schema.String,
    "Previews the active template of the same kind in this language, where there is one.",
    "en"
  )
}).annotate({ identifier: "PreviewEmailTemplate", description: "What to fill the template with." })
export type PreviewTemplate = typeof PreviewTemplate.Type

export const SendTemplate = Schema.Struct({
  to: described(Schema.String.annotate({ format: "email" }), "Address to send the mail to.", "ada@example.com"),
  variables: optional(freeForm(), "Values of the variables, by name.", { orderNumber: "#1001" })
}).annotate({
  identifier: "SendEmailTemplate",
  description: "The recipient of the mail and the values to fill it with."
})
export type SendTemplate = typeof SendTemplate.Type

export const EmailPreview = Schema.Struct({
  subject: string("The subject, filled.", "Order #1001"),
  html: string("The mail as HTML, filled."),
  text: string("The mail as plain text, filled."),
  missingVariables: arrayOf(Schema.String, "Variables that have no value; they are left empty.")
}).annotate({ identifier: "EmailPreview", description: "A template filled with values; nothing is sent." })

/** The store's own templates, the requested language or else its default, and the languages a template may be in. */
export const EmailTemplateOverview = Schema.Struct({
  templates: arrayOf(EmailTemplate, "The store's own templates."),
  language: string("The requested language, else the store's default.", "en"),
  supportedLanguages: arrayOf(Schema.String, "Languages that a template may be in.")
}).annotate({ identifier: "EmailTemplateOverview", description: "The templates of a store, and its languages." })
