import { toDefaultTemplate } from "@effect-commerce/core/email/DefaultTemplates"
import { EmailTemplateNotFound } from "@effect-commerce/core/email/EmailErrors"
import { Emails } from "@effect-commerce/core/email/Emails"
import { EmailTemplates } from "@effect-commerce/core/email/EmailTemplates"
import { emailTypes, isEmailType } from "@effect-commerce/core/email/EmailType"
import { pageOf, toEnvelope } from "@effect-commerce/core/kernel/Pagination"
import { defaultLanguage } from "@effect-commerce/core/store/StoreContext"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { AdminCaller } from "../middleware/Callers.ts"

/** What both surfaces do in the same words. */
const common = Effect.gen(function* () {
  const emails = yield* Emails
  const templates = yield* EmailTemplates
  return {
    settings: () => Effect.flatMap(AdminCaller, ({ store }) => emails.settings(store)),
    changeSettings: ({ payload }: { readonly payload: Parameters<typeof emails.changeSettings>[1] }) =>
      Effect.flatMap(AdminCaller, ({ store }) => emails.changeSettings(store, payload)),
    createTemplate: ({ payload }: { readonly payload: Parameters<typeof templates.create>[1] }) =>
      Effect.flatMap(AdminCaller, ({ store }) => templates.create(store, payload))
  }
})

const email = HttpApiBuilder.group(
  Api,
  "email",
  Effect.fnUntraced(function* (handlers) {
    const emails = yield* Emails
    const templates = yield* EmailTemplates
    return handlers.handleAll({
      ...(yield* common),
      templates: Effect.fnUntraced(function* ({ query }) {
        const { store } = yield* AdminCaller
        const page = pageOf(query)
        return toEnvelope(page, yield* templates.list(store, query, page))
      }),
      template: ({ params }) => Effect.flatMap(AdminCaller, ({ store }) => templates.get(store, params.id)),
      changeTemplate: ({ params, payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) => templates.update(store, params.id, payload)),
      removeTemplate: ({ params }) =>
        Effect.flatMap(AdminCaller, ({ store }) =>
          Effect.as(templates.remove(store, params.id), { success: true } as const)
        ),
      previewTemplate: ({ params, payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) => templates.preview(store, params.id, payload)),
      sendTemplate: ({ params, payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) => templates.send(store, params.id, payload)),
      messages: Effect.fnUntraced(function* ({ query }) {
        const { store } = yield* AdminCaller
        const page = pageOf(query)
        return toEnvelope(page, yield* emails.messages(store, page))
      })
    })
  })
)

/** The overview is not in pages; a store has some dozens of templates. */
const mostTemplates = { page: 1, limit: 1_000 }

const dashboardEmail = HttpApiBuilder.group(
  Api,
  "dashboardEmail",
  Effect.fnUntraced(function* (handlers) {
    const templates = yield* EmailTemplates
    return handlers.handleAll({
      ...(yield* common),
      templates: Effect.fnUntraced(function* ({ query }) {
        const { store } = yield* AdminCaller
        const { items } = yield* templates.list(store, query, mostTemplates)
        return {
          templates: items,
          language: query.language ?? defaultLanguage(store),
          supportedLanguages: store.languages
        }
      }),
      defaults: () => Effect.succeed(emailTypes.map(toDefaultTemplate)),
      default: ({ params: { eventType } }) =>
        isEmailType(eventType)
          ? Effect.succeed(toDefaultTemplate(eventType))
          : Effect.fail(new EmailTemplateNotFound({ id: eventType })),
      template: ({ params }) => Effect.flatMap(AdminCaller, ({ store }) => templates.get(store, params.templateId))
    })
  })
)

export const emailEndpoints = Layer.mergeAll(email, dashboardEmail)
