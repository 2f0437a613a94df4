/**
 * Mail of a store (interface.md, Email; completions.md 2.9): settings, templates, the mails themselves. `/v1/email` is
 * the public contract, `/stores/{storeId}/email` the same for the dashboard in the shapes it was given.
 */
import { DefaultTemplate } from "@effect-commerce/core/email/DefaultTemplates"
import {
  EmailFooterMissing,
  EmailRejected,
  EmailsDisabled,
  EmailTemplateActive,
  EmailTemplateNotFound
} from "@effect-commerce/core/email/EmailErrors"
import { EmailMessage } from "@effect-commerce/core/email/EmailMessage"
import { EmailSettings } from "@effect-commerce/core/email/EmailSettings"
import { EmailTemplate } from "@effect-commerce/core/email/EmailTemplate"
import { EmailType } from "@effect-commerce/core/email/EmailType"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { fails } from "../middleware/DeclaredErrors.ts"
import { freeForm } from "@effect-commerce/core/kernel/JsonSize"
import { adminRoute, storeAdminRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../store/StoreApi.ts"

const optional = Schema.optionalKey
const nullableText = Schema.NullOr(Schema.String)
/** Settings of kinds of mail, variables of a template: of any shape. */
const anyRecord = freeForm()

/** Absent leaves a field as it is, null clears it. */
export const SettingsChanges = Schema.Struct({
  emailsEnabled: optional(Schema.Boolean),
  clickTrackingEnabled: optional(Schema.Boolean),
  defaultFromName: optional(nullableText),
  defaultReplyTo: optional(nullableText),
  eventSettings: optional(Schema.NullOr(anyRecord)),
  hourlyRateLimit: optional(Schema.Finite),
  customDomainId: optional(nullableText),
  footerAddress: optional(nullableText)
})

const templateExtras = {
  textContent: optional(nullableText),
  variables: optional(Schema.NullOr(anyRecord)),
  isActive: optional(Schema.Boolean)
}
export const NewTemplate = Schema.Struct({
  name: Schema.String,
  eventType: EmailType,
  language: Schema.String,
  subject: Schema.String,
  htmlContent: Schema.String,
  ...templateExtras
})
export const TemplateChanges = Schema.Struct({
  name: optional(Schema.String),
  eventType: optional(EmailType),
  language: optional(Schema.String),
  subject: optional(Schema.String),
  htmlContent: optional(Schema.String),
  ...templateExtras
})

const Preview = Schema.Struct({
  subject: Schema.String,
  html: Schema.String,
  text: Schema.String,
  missingVariables: Schema.Array(Schema.String)
})
const whichTemplates = { eventType: optional(EmailType), language: optional(Schema.String) }
const id = { id: Schema.String }
const created = EmailTemplate.pipe(HttpApiSchema.status(201))

export class EmailGroup extends apiGroup("email", {
  part: "Admin",
  title: "E-mail",
  description: "Sender, templates and the mails that a store sent."
}).add(
  HttpApiEndpoint.get("settings", "/v1/email/settings", { success: EmailSettings }).pipe(adminRoute()),
  HttpApiEndpoint.put("changeSettings", "/v1/email/settings", {
    payload: SettingsChanges,
    success: EmailSettings,
    error: fails(EmailRejected)
  }).pipe(adminRoute({ version: row("emailSettings") })),
  HttpApiEndpoint.get("templates", "/v1/email/templates", {
    query: { ...pageQuery, ...whichTemplates },
    success: listEnvelope(EmailTemplate)
  }).pipe(adminRoute()),
  HttpApiEndpoint.post("createTemplate", "/v1/email/templates", {
    payload: NewTemplate,
    success: created,
    error: fails(EmailRejected, EmailTemplateActive)
  }).pipe(adminRoute()),
  HttpApiEndpoint.get("template", "/v1/email/templates/:id", {
    params: id,
    success: EmailTemplate,
    error: fails(EmailTemplateNotFound)
  }).pipe(adminRoute()),
  HttpApiEndpoint.patch("changeTemplate", "/v1/email/templates/:id", {
    params: id,
    payload: TemplateChanges,
    success: EmailTemplate,
    error: fails(EmailTemplateNotFound, EmailRejected, EmailTemplateActive)
  }).pipe(adminRoute({ version: row("emailTemplate", "id") })),
  HttpApiEndpoint.delete("removeTemplate", "/v1/email/templates/:id", {
    params: id,
    success: Success,
    error: fails(EmailTemplateNotFound)
  }).pipe(adminRoute({ version: row("emailTemplate", "id") })),
  HttpApiEndpoint.post("previewTemplate", "/v1/email/templates/:id/preview", {
    params: id,
    payload: Schema.Struct({ variables: optional(anyRecord), language: optional(Schema.String) }),
    success: Preview,
    error: fails(EmailTemplateNotFound, EmailRejected)
  }).pipe(adminRoute({ optionalBody: true })),
  HttpApiEndpoint.post("sendTemplate", "/v1/email/templates/:id/send", {
    params: id,
    payload: Schema.Struct({ to: Schema.String, variables: optional(anyRecord) }),
    success: EmailMessage,
    error: fails(EmailTemplateNotFound, EmailRejected, EmailFooterMissing, EmailsDisabled)
  }).pipe(adminRoute()),
  HttpApiEndpoint.get("messages", "/v1/email/messages", { query: pageQuery, success: listEnvelope(EmailMessage) }).pipe(
    adminRoute()
  )
) {}

/**
 * The store's own templates, the language asked for or else its default one, and the languages a template may be in.
 */
export const TemplateOverview = Schema.Struct({
  templates: Schema.Array(EmailTemplate),
  language: Schema.String,
  supportedLanguages: Schema.Array(Schema.String)
})

const store = { storeId: Schema.String }

export class DashboardEmailGroup extends apiGroup("dashboardEmail", {
  part: "Dashboard",
  title: "Store e-mail",
  description: "E-mail settings and templates of one store, named in the path."
}).add(
  HttpApiEndpoint.get("settings", "/stores/:storeId/email/settings", { params: store, success: EmailSettings }).pipe(
    storeAdminRoute("email")
  ),
  HttpApiEndpoint.put("changeSettings", "/stores/:storeId/email/settings", {
    params: store,
    payload: SettingsChanges,
    success: EmailSettings,
    error: fails(EmailRejected)
  }).pipe(storeAdminRoute("email", { version: row("emailSettings") })),
  HttpApiEndpoint.get("templates", "/stores/:storeId/email/templates", {
    params: store,
    query: whichTemplates,
    success: TemplateOverview
  }).pipe(storeAdminRoute("email")),
  HttpApiEndpoint.post("createTemplate", "/stores/:storeId/email/templates", {
    params: store,
    payload: NewTemplate,
    success: created,
    error: fails(EmailRejected, EmailTemplateActive)
  }).pipe(storeAdminRoute("email")),
  HttpApiEndpoint.get("defaults", "/stores/:storeId/email/templates/defaults", {
    params: store,
    success: Schema.Array(DefaultTemplate)
  }).pipe(storeAdminRoute("email")),
  HttpApiEndpoint.get("default", "/stores/:storeId/email/templates/defaults/:eventType", {
    params: { ...store, eventType: Schema.String },
    success: DefaultTemplate,
    error: fails(EmailTemplateNotFound)
  }).pipe(storeAdminRoute("email")),
  HttpApiEndpoint.get("template", "/stores/:storeId/email/templates/:templateId", {
    params: { ...store, templateId: Schema.String },
    success: EmailTemplate,
    error: fails(EmailTemplateNotFound)
  }).pipe(storeAdminRoute("email"))
) {}

export const emailGroups = [EmailGroup, DashboardEmailGroup] as const
