import { defaultLanguageAmong, toDefaultTemplate } from "@effect-commerce/core/template/DefaultTemplates"
import { Emails } from "@effect-commerce/core/email/Emails"
import type { EmailSettingsChanges } from "@effect-commerce/core/emailsetting/EmailSettings"
import { TemplateMails } from "@effect-commerce/core/email/TemplateMails"
import type { NewEmailTemplate } from "@effect-commerce/core/template/EmailTemplate"
import { EmailTemplates } from "@effect-commerce/core/template/EmailTemplates"
import { EmailTemplateNotFound } from "@effect-commerce/core/template/TemplateErrors"
import { emailTypes, isEmailType } from "@effect-commerce/core/template/EmailType"
import { defaultLanguage } from "@effect-commerce/core/store/StoreContext"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin } from "../middleware/Surfaces.ts"
import { DashboardEmailGroup, EmailGroup } from "./EmailApi.ts"

/** The routes that both prefixes have. */
const onBothPrefixes = Effect.gen(function* () {
  const emails = yield* Emails
  const templates = yield* EmailTemplates
  return {
    settings: asAdmin(({ store }) => emails.settings(store)),
    changeSettings: asAdmin(({ store }, { payload }: { readonly payload: EmailSettingsChanges }) =>
      emails.changeSettings(store, payload)
    ),
    createTemplate: asAdmin(({ store }, { payload }: { readonly payload: NewEmailTemplate }) =>
      templates.create(store, payload)
    )
  }
})

const email = endpointsOf(
  EmailGroup,
  Effect.fnUntraced(function* (handlers) {
    const emails = yield* Emails
    const templates = yield* EmailTemplates
    const mails = yield* TemplateMails
    return handlers.handleAll({
      ...(yield* onBothPrefixes),
      templates: asAdmin(({ store }, { query }) => paged(query, (page) => templates.list(store, query, page))),
      template: asAdmin(({ store }, { params }) => templates.get(store, params.id)),
      changeTemplate: asAdmin(({ store }, { params, payload }) => templates.update(store, params.id, payload)),
      removeTemplate: asAdmin(({ store }, { params }) => succeed(templates.remove(store, params.id))),
      previewTemplate: asAdmin(({ store }, { params, payload }) => mails.preview(store, params.id, payload)),
      sendTemplate: asAdmin(({ store }, { params, payload }) => mails.send(store, params.id, payload)),
      messages: asAdmin(({ store }, { query }) => paged(query, (page) => emails.messages(store, page)))
    })
  })
)

/** The overview is not paged; a store has some dozens of templates. */
const mostTemplates = { page: 1, limit: 1_000 }

const dashboardEmail = endpointsOf(
  DashboardEmailGroup,
  Effect.fnUntraced(function* (handlers) {
    const templates = yield* EmailTemplates
    return handlers.handleAll({
      ...(yield* onBothPrefixes),
      templates: asAdmin(
        Effect.fnUntraced(function* ({ store }, { query }) {
          const { items } = yield* templates.list(store, query, mostTemplates)
          return {
            templates: items,
            language: query.language ?? defaultLanguage(store),
            supportedLanguages: store.languages
          }
        })
      ),
      defaults: asAdmin(({ store }, { query }) => {
        const { templates: language } = defaultLanguageAmong(query.language, defaultLanguage(store))
        return Effect.succeed(emailTypes.map((type) => toDefaultTemplate(type, language)))
      }),
      default: asAdmin(({ store }, { params: { eventType }, query }) => {
        const { templates: language } = defaultLanguageAmong(query.language, defaultLanguage(store))
        return isEmailType(eventType)
          ? Effect.succeed(toDefaultTemplate(eventType, language))
          : Effect.fail(new EmailTemplateNotFound({ id: eventType }))
      }),
      template: asAdmin(({ store }, { params }) => templates.get(store, params.templateId))
    })
  })
)

export const emailEndpoints = Layer.mergeAll(email, dashboardEmail)
