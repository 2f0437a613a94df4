/**
 * A store's mails: settings, templates and the mails themselves. `/v1/email` is the public contract;
 * `/stores/{storeId}/email` is for the dashboard.
 */
import { DefaultTemplate } from "@effect-commerce/core/template/DefaultTemplates"
import { EmailFooterMissing, EmailsDisabled, MailHeld } from "@effect-commerce/core/email/EmailErrors"
import { EmailMessage } from "@effect-commerce/core/email/EmailMessage"
import { EmailSettings, EmailSettingsChanges } from "@effect-commerce/core/emailsetting/EmailSettings"
import { EmailTemplate, EmailTemplateChanges, NewEmailTemplate } from "@effect-commerce/core/template/EmailTemplate"
import { EmailType } from "@effect-commerce/core/template/EmailType"
import { EmailTemplateActive, EmailTemplateNotFound } from "@effect-commerce/core/template/TemplateErrors"
import {
  EmailPreview,
  EmailTemplateOverview,
  PreviewTemplate,
  SendTemplate
} from "@effect-commerce/core/template/TemplateTrial"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { optional, string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { storePath } from "../middleware/PathParameters.ts"
import { adminRoute, storeAdminRoute } from "../middleware/Policy.ts"
import { row, unversioned } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { emailErrors } from "./emailErrors.ts"

const fails = failsBy(emailErrors)

const whichTemplates = {
  eventType: optional(EmailType, "Only templates for this kind of mail."),
  language: optional(Schema.String, "Only templates in this language.", "en")
}
const inLanguage = {
  language: optional(
    Schema.String,
    "English (`en`) or German (`de`). Without it, and in any other language, they are in the store's language where " +
      "that is one of these, else in English.",
    "de"
  )
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
    "default template. A second active one for the same kind and language is 409 CONFLICT. Variables that mails of " +
    "the kind do not have are named in `validationWarnings`; they are left empty."
}
const template = { summary: "Get an e-mail template", description: "Returns one of the store's own templates." }

export class EmailGroup extends apiGroup("email", {
  part: "Admin",
  title: "E-mail",
  description: "Sender, templates and the mails that a store sent."
}).add(
  HttpApiEndpoint.get("settings", "/v1/email/settings", { success: EmailSettings }).pipe(adminRoute(settings)),
  HttpApiEndpoint.put("changeSettings", "/v1/email/settings", {
    payload: EmailSettingsChanges,
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
    payload: NewEmailTemplate,
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
    payload: EmailTemplateChanges,
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
    success: EmailPreview,
    error: fails(EmailTemplateNotFound, FieldRejected)
  }).pipe(
    adminRoute({
      optionalBody: true,
      summary: "Preview an e-mail template",
      description: "Fills a template with values and returns the mail, without sending it.",
      version: unversioned("nothing is changed")
    })
  ),
  HttpApiEndpoint.post("sendTemplate", "/v1/email/templates/:id/send", {
    params: id,
    payload: SendTemplate,
    success: EmailMessage,
    error: fails(EmailTemplateNotFound, FieldRejected, EmailFooterMissing, MailHeld, EmailsDisabled)
  }).pipe(
    adminRoute({
      summary: "Send an e-mail template",
      description:
        "Fills a template and queues one mail to one address. A marketing mail is 422 while the store has no " +
        "footerAddress or has paused marketing, above its daily limit, and where the recipient has unsubscribed or " +
        "is a customer who has not agreed. Any mail is 422 while the store has switched its mails off, and after 24 " +
        "times `hourlyRateLimit` of them in 24 hours.",
      version: unversioned("a mail is sent, and the template stays as it is")
    })
  ),
  HttpApiEndpoint.get("messages", "/v1/email/messages", { query: pageQuery, success: listEnvelope(EmailMessage) }).pipe(
    adminRoute({
      summary: "List mails",
      description: "Returns the mails of the store, in pages: those that wait and those that were sent."
    })
  )
) {}

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
    payload: EmailSettingsChanges,
    success: EmailSettings,
    error: fails(FieldRejected)
  }).pipe(storeAdminRoute("email", changeSettings)),
  HttpApiEndpoint.get("templates", "/stores/:storeId/email/templates", {
    params: storePath,
    query: whichTemplates,
    success: EmailTemplateOverview
  }).pipe(
    storeAdminRoute("email", {
      summary: "List e-mail templates",
      description: "Returns all of the store's own templates at once, with the languages that a template may be in."
    })
  ),
  HttpApiEndpoint.post("createTemplate", "/stores/:storeId/email/templates", {
    params: storePath,
    payload: NewEmailTemplate,
    success: created,
    error: fails(FieldRejected, EmailTemplateActive)
  }).pipe(storeAdminRoute("email", createTemplate)),
  HttpApiEndpoint.get("defaults", "/stores/:storeId/email/templates/defaults", {
    params: storePath,
    query: inLanguage,
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
    query: inLanguage,
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
