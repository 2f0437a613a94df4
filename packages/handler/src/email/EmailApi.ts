/**
 * A store's mails: settings, templates and the mails themselves. `/v1/email` is the public contract;
 * `/stores/{storeId}/email` is for the dashboard.
 */
import { DefaultTemplate } from "@effect-commerce/core/template/DefaultTemplates"
import { EmailFooterMissing, EmailsDisabled } from "@effect-commerce/core/email/EmailErrors"
import { EmailMessage } from "@effect-commerce/core/email/EmailMessage"
import { EmailSettings, emailSettingSentences } from "@effect-commerce/core/email/EmailSettings"
import { EmailTemplate, emailTemplateSentences } from "@effect-commerce/core/template/EmailTemplate"
import { EmailType } from "@effect-commerce/core/template/EmailType"
import { EmailTemplateActive, EmailTemplateNotFound } from "@effect-commerce/core/template/TemplateErrors"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { arrayOf, clearable, described, optional, string } from "@effect-commerce/core/kernel/Fields"
import { freeForm } from "@effect-commerce/core/kernel/JsonSize"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { storePath } from "../middleware/PathParameters.ts"
import { adminRoute, storeAdminRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { emailErrors } from "./emailErrors.ts"

const fails = failsBy(emailErrors)

/** Settings of kinds of mail and variables of a template may have any shape. */
const anyRecord = freeForm()
const settingWords = emailSettingSentences
const words = emailTemplateSentences

/** Absent leaves a field as it is, null clears it. */
const SettingsChanges = Schema.Struct({
  emailsEnabled: optional(Schema.Boolean, settingWords.emailsEnabled),
  clickTrackingEnabled: optional(Schema.Boolean, settingWords.clickTrackingEnabled),
  defaultFromName: clearable(Schema.String, settingWords.defaultFromName, "Demo store"),
  defaultReplyTo: clearable(Schema.String, settingWords.defaultReplyTo, "help@shop.example.com"),
  eventSettings: clearable(anyRecord, settingWords.eventSettings),
  hourlyRateLimit: optional(Schema.Finite, settingWords.hourlyRateLimit, 100),
  customDomainId: clearable(Schema.String, "The store's own sender domain. There are none yet: only null is accepted."),
  footerAddress: clearable(Schema.String, settingWords.footerAddress, "1 Main St, San Francisco, CA 94105")
}).annotate({
  identifier: "ChangeEmailSettings",
  description: "Settings to change. An absent field stays as it is, null clears it."
})

const templateExtras = {
  textContent: clearable(Schema.String, words.textContent),
  variables: clearable(anyRecord, words.variables),
  isActive: optional(Schema.Boolean, words.isActive + " Default: true.")
}
const templateFields = {
  name: described(Schema.String, words.name, "Our order confirmation"),
  eventType: described(EmailType, words.eventType),
  language: described(Schema.String, words.language, "en"),
  subject: described(Schema.String, words.subject, "Order {{orderNumber}}"),
  htmlContent: described(Schema.String, words.htmlContent, "<p>Thank you, {{customerName}}!</p>")
}
const NewTemplate = Schema.Struct({ ...templateFields, ...templateExtras }).annotate({
  identifier: "NewEmailTemplate",
  description: "A template to create."
})
const TemplateChanges = Schema.Struct({
  name: Schema.optionalKey(templateFields.name),
  eventType: Schema.optionalKey(templateFields.eventType),
  language: Schema.optionalKey(templateFields.language),
  subject: Schema.optionalKey(templateFields.subject),
  htmlContent: Schema.optionalKey(templateFields.htmlContent),
  ...templateExtras
}).annotate({
  identifier: "ChangeEmailTemplate",
  description: "What to change. An absent field stays as it is, null clears it."
})

const PreviewTemplate = Schema.Struct({
  variables: optional(anyRecord, "Values of the variables, by name. What is not given is left empty and listed.", {
    orderNumber: "#1001"
  }),
  language: optional(
    Schema.String,
    "Previews the active template of the same kind in this language, where there is one.",
    "en"
  )
}).annotate({ identifier: "PreviewEmailTemplate", description: "What to fill the template with." })
const SendTemplate = Schema.Struct({
  to: described(Schema.String.annotate({ format: "email" }), "Address to send the mail to.", "ada@example.com"),
  variables: optional(anyRecord, "Values of the variables, by name.", { orderNumber: "#1001" })
}).annotate({
  identifier: "SendEmailTemplate",
  description: "The recipient of the mail and the values to fill it with."
})
const Preview = Schema.Struct({
  subject: string("The subject, filled.", "Order #1001"),
  html: string("The mail as HTML, filled."),
  text: string("The mail as plain text, filled."),
  missingVariables: arrayOf(Schema.String, "Variables that have no value; they are left empty.")
}).annotate({ identifier: "EmailPreview", description: "A template filled with values; nothing is sent." })
const whichTemplates = {
  eventType: optional(EmailType, "Only templates for this kind of mail."),
  language: optional(Schema.String, "Only templates in this language.", "en")
}
const id = { id: string("The template.") }
const created = EmailTemplate.pipe(HttpApiSchema.status(201))

const settings = {
  summary: "Get the e-mail settings",
  description: "Returns how the store sends mails. A store that has set nothing gets the defaults."
}
const changeSettings = {
  version: row("emailSettings"),
  summary: "Change the e-mail settings",
  description:
    "Changes how the store sends mails: whether, in whose name, which kinds, and how many an hour. Mails over the " +
    "hourly limit wait and leave later, in order."
}
const createTemplate = {
  summary: "Create an e-mail template",
  description:
    "Creates a template for one kind of mail in one language of the store. While it is active it replaces the " +
    "default template. A second active one for the same kind and language is 409 CONFLICT."
}
const template = { summary: "Get an e-mail template", description: "Returns one of the store's own templates." }

export class EmailGroup extends apiGroup("email", {
  part: "Admin",
  title: "E-mail",
  description: "Sender, templates and the mails that a store sent."
}).add(
  HttpApiEndpoint.get("settings", "/v1/email/settings", { success: EmailSettings }).pipe(adminRoute(settings)),
  HttpApiEndpoint.put("changeSettings", "/v1/email/settings", {
    payload: SettingsChanges,
    success: EmailSettings,
    error: fails(FieldRejected)
  }).pipe(adminRoute(changeSettings)),
  HttpApiEndpoint.get("templates", "/v1/email/templates", {
    query: { ...pageQuery, ...whichTemplates },
    success: listEnvelope(EmailTemplate)
  }).pipe(
    adminRoute({
      summary: "List e-mail templates",
      description: "Returns the store's own templates, in pages. The default templates are not among them."
    })
  ),
  HttpApiEndpoint.post("createTemplate", "/v1/email/templates", {
    payload: NewTemplate,
    success: created,
    error: fails(FieldRejected, EmailTemplateActive)
  }).pipe(adminRoute(createTemplate)),
  HttpApiEndpoint.get("template", "/v1/email/templates/:id", {
    params: id,
    success: EmailTemplate,
    error: fails(EmailTemplateNotFound)
  }).pipe(adminRoute(template)),
  HttpApiEndpoint.patch("changeTemplate", "/v1/email/templates/:id", {
    params: id,
    payload: TemplateChanges,
    success: EmailTemplate,
    error: fails(EmailTemplateNotFound, FieldRejected, EmailTemplateActive)
  }).pipe(
    adminRoute({
      version: row("emailTemplate", "id"),
      summary: "Change an e-mail template",
      description:
        "Changes a template. Making a second one active for the same kind of mail and language is 409 CONFLICT."
    })
  ),
  HttpApiEndpoint.delete("removeTemplate", "/v1/email/templates/:id", {
    params: id,
    success: Success,
    error: fails(EmailTemplateNotFound)
  }).pipe(
    adminRoute({
      version: row("emailTemplate", "id"),
      summary: "Delete an e-mail template",
      description: "Deletes a template. Mails of its kind use the default template again."
    })
  ),
  HttpApiEndpoint.post("previewTemplate", "/v1/email/templates/:id/preview", {
    params: id,
    payload: PreviewTemplate,
    success: Preview,
    error: fails(EmailTemplateNotFound, FieldRejected)
  }).pipe(
    adminRoute({
      optionalBody: true,
      summary: "Preview an e-mail template",
      description: "Fills a template with values and returns the mail, without sending it."
    })
  ),
  HttpApiEndpoint.post("sendTemplate", "/v1/email/templates/:id/send", {
    params: id,
    payload: SendTemplate,
    success: EmailMessage,
    error: fails(EmailTemplateNotFound, FieldRejected, EmailFooterMissing, EmailsDisabled)
  }).pipe(
    adminRoute({
      summary: "Send an e-mail template",
      description:
        "Fills a template and queues one mail to one address. A marketing mail is 422 while the store has no " +
        "footerAddress, and any mail while the store has switched its mails off."
    })
  ),
  HttpApiEndpoint.get("messages", "/v1/email/messages", { query: pageQuery, success: listEnvelope(EmailMessage) }).pipe(
    adminRoute({
      summary: "List mails",
      description: "Returns the mails of the store, in pages: those that wait and those that were sent."
    })
  )
) {}

/**
 * The store's own templates, the language asked for or else its default one, and the languages a template may be in.
 */
const TemplateOverview = Schema.Struct({
  templates: arrayOf(EmailTemplate, "The store's own templates."),
  language: string("The requested language, else the store's default.", "en"),
  supportedLanguages: arrayOf(Schema.String, "Languages that a template may be in.")
}).annotate({ identifier: "EmailTemplateOverview", description: "The templates of a store, and its languages." })

export class DashboardEmailGroup extends apiGroup("dashboardEmail", {
  part: "Dashboard",
  title: "Store e-mail",
  description: "E-mail settings and templates of one store, named in the path."
}).add(
  HttpApiEndpoint.get("settings", "/stores/:storeId/email/settings", {
    params: storePath,
    success: EmailSettings
  }).pipe(storeAdminRoute("email", settings)),
  HttpApiEndpoint.put("changeSettings", "/stores/:storeId/email/settings", {
    params: storePath,
    payload: SettingsChanges,
    success: EmailSettings,
    error: fails(FieldRejected)
  }).pipe(storeAdminRoute("email", changeSettings)),
  HttpApiEndpoint.get("templates", "/stores/:storeId/email/templates", {
    params: storePath,
    query: whichTemplates,
    success: TemplateOverview
  }).pipe(
    storeAdminRoute("email", {
      summary: "List e-mail templates",
      description: "Returns all of the store's own templates at once, with the languages that a template may be in."
    })
  ),
  HttpApiEndpoint.post("createTemplate", "/stores/:storeId/email/templates", {
    params: storePath,
    payload: NewTemplate,
    success: created,
    error: fails(FieldRejected, EmailTemplateActive)
  }).pipe(storeAdminRoute("email", createTemplate)),
  HttpApiEndpoint.get("defaults", "/stores/:storeId/email/templates/defaults", {
    params: storePath,
    success: Schema.Array(DefaultTemplate).annotate({
      identifier: "DefaultEmailTemplateList",
      description: "The default template of every kind of mail."
    })
  }).pipe(
    storeAdminRoute("email", {
      summary: "List default templates",
      description: "Returns the default template of every kind of mail, to start an own template from."
    })
  ),
  HttpApiEndpoint.get("default", "/stores/:storeId/email/templates/defaults/:eventType", {
    params: { ...storePath, eventType: string("The kind of mail.", "ORDER_CONFIRMATION") },
    success: DefaultTemplate,
    error: fails(EmailTemplateNotFound)
  }).pipe(
    storeAdminRoute("email", {
      summary: "Get a default template",
      description: "Returns the default template of one kind of mail. An unknown kind is 404."
    })
  ),
  HttpApiEndpoint.get("template", "/stores/:storeId/email/templates/:templateId", {
    params: { ...storePath, templateId: string("The template.") },
    success: EmailTemplate,
    error: fails(EmailTemplateNotFound)
  }).pipe(storeAdminRoute("email", template))
) {}

export const emailGroups = [EmailGroup, DashboardEmailGroup] as const
