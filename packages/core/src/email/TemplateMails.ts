/** Tries out a store's own template: previews it with variables, or sends it to one address. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { isEmail } from "../kernel/Address.ts"
import { FieldRejected, fieldsRejected } from "../kernel/FieldRejected.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type EmailTemplateState, languageProblem } from "../template/EmailTemplate.ts"
import { EmailTemplates } from "../template/EmailTemplates.ts"
import { isMarketing } from "../template/EmailType.ts"
import type { RenderFailed, View } from "../template/TemplateRenderer.ts"
import type { PreviewTemplate, SendTemplate } from "../template/TemplateTrial.ts"
import { EmailFooterMissing, EmailsDisabled } from "./EmailErrors.ts"
import { toEmailMessage } from "./EmailMessage.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"
import { defaultSettings, type EmailSettingsState } from "./EmailSettings.ts"
import { EmailSettingsRepository } from "./EmailSettingsRepository.ts"
import { MailComposer } from "./MailComposer.ts"

export class TemplateMails extends Context.Service<TemplateMails>()("@effect-commerce/core/email/TemplateMails", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const templates = yield* EmailTemplates
    const settingsRows = yield* EmailSettingsRepository
    const messages = yield* EmailMessageRepository
    const composer = yield* MailComposer

    const settingsOf = (store: StoreContext) =>
      Effect.map(settingsRows.find(store.id), (row) => row ?? defaultSettings(store, store.createdAt))

    const render = (
      store: StoreContext,
      settings: EmailSettingsState,
      template: EmailTemplateState,
      variables: View | undefined
    ) => Effect.mapError(composer.render(store, settings, template, variables ?? {}), unrendered)

    return {
      /**
       * Renders the template with the given variables and those that every mail of the store has. With a language, uses
       * the active template of the same kind in that language, if there is one.
       */
      preview: Effect.fn("TemplateMails.preview")(function* (
        store: StoreContext,
        id: string,
        { variables, language }: PreviewTemplate
      ) {
        const problem = languageProblem(store, language)
        if (problem !== undefined) return yield* FieldRejected.at("language", problem)
        const own = yield* templates.find(store, id)
        const others =
          language === undefined || language === own.language ? [] : yield* templates.active(store.id, [own.eventType])
        const template = others.find((other) => other.language === language) ?? own
        return yield* render(store, yield* settingsOf(store), template, variables)
      }),

      /** Queues one mail of the template to one address. */
      send: Effect.fn("TemplateMails.send")(function* (
        store: StoreContext,
        id: string,
        { to, variables }: SendTemplate
      ) {
        const template = yield* templates.find(store, id)
        const address = to.trim()
        if (!isEmail(address)) return yield* FieldRejected.at("to", "must be one e-mail address")
        const settings = yield* settingsOf(store)
        if (!settings.emailsEnabled) return yield* new EmailsDisabled()
        const type = template.eventType
        if (isMarketing(type) && settings.footerAddress === null)
          return yield* new EmailFooterMissing({ eventType: type })
        const rendered = yield* render(store, settings, template, variables)
        const now = yield* Clock.currentTimeMillis
        const at = new Date(now)
        const mail = composer.address(store, settings, { eventId: null, type, to: address, rendered }, now)
        yield* database.write(store.id)(messages.insert(store.id, [mail], at))
        return toEmailMessage({ ...mail, status: "QUEUED", attempts: 0, createdAt: at })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

/** The field errors of a template that cannot be rendered. */
const unrendered = ({ problems, message }: RenderFailed): FieldRejected =>
  fieldsRejected(problems) ?? FieldRejected.at("htmlContent", message)
