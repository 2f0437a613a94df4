/**
 * The templates that every store has until it writes its own: one for each kind of mail, in English. A store's active
 * template replaces the default.
 */
import { Schema } from "effect"
import { described, json, nullableString, string } from "../kernel/Fields.ts"
import { EmailType, emailTypes } from "./EmailType.ts"
import { merchantMails } from "./internal/merchantMails.ts"
import { sampleStore, sampleViews } from "./internal/sampleViews.ts"
import { shopperMails } from "./internal/shopperMails.ts"
import type { TemplateParts, View } from "./TemplateRenderer.ts"

/** On the wire. `variables` holds example values. */
export const DefaultTemplate = Schema.Struct({
  eventType: described(EmailType, "The kind of mail that the template is for."),
  subject: string("Subject, with {{variables}}."),
  htmlContent: string("The mail as HTML, with {{variables}}."),
  textContent: nullableString("The mail as plain text, with {{variables}}; null: made from the HTML."),
  variables: json("Example values of the variables."),
  isDefault: described(Schema.Literal(true), "Always true.")
}).annotate({
  identifier: "DefaultEmailTemplate",
  description: "The template of a kind of mail until a store has its own."
})
export type DefaultTemplate = typeof DefaultTemplate.Type

export const defaultTemplates: Readonly<Record<EmailType, TemplateParts>> = { ...shopperMails, ...merchantMails }

/** Example data for templates of this kind. */
export const sampleView = (type: EmailType): View => ({ ...sampleStore, ...sampleViews[type] })

/** Variables that the product fills, often with what shoppers wrote: no template can declare them safe. */
export const ownNames: ReadonlySet<string> = new Set(emailTypes.flatMap((type) => Object.keys(sampleView(type))))

export const toDefaultTemplate = (type: EmailType): DefaultTemplate => ({
  eventType: type,
  ...defaultTemplates[type],
  variables: sampleView(type),
  isDefault: true
})
