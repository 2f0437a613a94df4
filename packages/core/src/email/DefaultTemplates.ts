/**
 * The templates every store has until it writes its own: one for each kind of mail, in English. A store's active
 * template takes the place of one.
 */
import { Schema } from "effect"
import { type EmailType, emailTypes } from "./EmailType.ts"
import { merchantMails } from "./internal/merchantMails.ts"
import { sampleStore, sampleViews } from "./internal/sampleViews.ts"
import { shopperMails } from "./internal/shopperMails.ts"
import type { TemplateParts, View } from "./TemplateRenderer.ts"

/** On the wire (interface.md, Email template). `variables` is an example of what fills it. */
export const DefaultTemplate = Schema.Struct({
  eventType: Schema.String,
  subject: Schema.String,
  htmlContent: Schema.String,
  textContent: Schema.NullOr(Schema.String),
  variables: Schema.Record(Schema.String, Schema.Unknown),
  isDefault: Schema.Literal(true)
})
export type DefaultTemplate = typeof DefaultTemplate.Type

export const defaultTemplates: Readonly<Record<EmailType, TemplateParts>> = { ...shopperMails, ...merchantMails }

/** An example of what fills templates of this kind. */
export const sampleView = (type: EmailType): View => ({ ...sampleStore, ...sampleViews[type] })

/** Names that are filled by the house, often with what shoppers wrote: no template can declare them safe. */
export const ownNames: ReadonlySet<string> = new Set(emailTypes.flatMap((type) => Object.keys(sampleView(type))))

export const toDefaultTemplate = (type: EmailType): DefaultTemplate => ({
  eventType: type,
  ...defaultTemplates[type],
  variables: sampleView(type),
  isDefault: true
})
