/**
 * The templates that every store has until it writes its own: one for each kind of mail, in English and German. A
 * store's active template replaces the default.
 */
import { Schema } from "effect"
import { described, json, nullableString, string } from "../kernel/Fields.ts"
import { EmailType, emailTypes } from "./EmailType.ts"
import { localisedView } from "./LocalisedView.ts"
import { mailBlocks } from "./internal/mailBlocks.ts"
import { type TemplateLanguage, templateLanguageOf, templateLanguages } from "./internal/mailWords.ts"
import { merchantMails } from "./internal/merchantMails.ts"
import { orderMails } from "./internal/orderMails.ts"
import { sampleStore, sampleViewsIn } from "./internal/sampleViews.ts"
import { shopperMails } from "./internal/shopperMails.ts"
import { teamMails } from "./internal/teamMails.ts"
import type { TemplateParts, View } from "./TemplateRenderer.ts"

export { type TemplateLanguage, templateLanguageOf, templateLanguages }

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

type Templates = Readonly<Record<EmailType, TemplateParts>>

const templatesIn = (language: TemplateLanguage): Templates => {
  const kit = mailBlocks(language)
  return { ...orderMails(kit), ...shopperMails(kit), ...merchantMails(kit), ...teamMails(kit) }
}

export const defaultTemplates: Readonly<Record<TemplateLanguage, Templates>> = {
  en: templatesIn("en"),
  de: templatesIn("de")
}

/** The first of these languages that default templates are written in, as it was given; else English. */
export const defaultLanguageAmong = (
  ...tags: ReadonlyArray<string | null | undefined>
): { readonly templates: TemplateLanguage; readonly tag: string } => {
  for (const tag of tags) {
    const templates = templateLanguageOf(tag)
    if (templates !== undefined && typeof tag === "string") return { templates, tag }
  }
  return { templates: "en", tag: "en" }
}

/** Example data for templates of this kind. */
export const sampleView = (type: EmailType, language: TemplateLanguage = "en"): View =>
  localisedView({ ...sampleStore, ...sampleViewsIn(language)[type] }, language)

/** Variables that the product fills, often with what shoppers wrote: no template can declare them safe. */
export const ownNames: ReadonlySet<string> = new Set(emailTypes.flatMap((type) => Object.keys(sampleView(type))))

export const toDefaultTemplate = (type: EmailType, language: TemplateLanguage): DefaultTemplate => ({
  eventType: type,
  ...defaultTemplates[language][type],
  variables: sampleView(type, language),
  isDefault: true
})
