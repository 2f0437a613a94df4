/** Tries out a store's own template: previews it with variables, or sends it to one address. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { Suppressions } from "../emaillink/Suppressions.ts"
import { isEmail, normaliseEmail } from "../kernel/Address.ts"
import { FieldRejected, fieldsRejected } from "../kernel/FieldRejected.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type EmailTemplateState, languageProblem } from "../template/EmailTemplate.ts"
import { EmailTemplates } from "../template/EmailTemplates.ts"
import { type EmailType, isMarketing } from "../template/EmailType.ts"
import type { RenderFailed, View } from "../template/TemplateRenderer.ts"
import type { PreviewTemplate, SendTemplate } from "../template/TemplateTrial.ts"
import { EmailFooterMissing, EmailsDisabled, MailHeld } from "./EmailErrors.ts"
import { toEmailMessage } from "./EmailMessage.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"
import { type EmailSettingsState, marketingProblem } from "../emailsetting/EmailSettings.ts"
import { MailSettings } from "../emailsetting/MailSettings.ts"
import { MailComposer } from "./MailComposer.ts"

export class TemplateMails extends Context.Service<TemplateMails>()("@effect-commerce/core/email/TemplateMails", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const templates = yield* EmailTemplates
    const mailSettings = yield* MailSettings
    const messages = yield* EmailMessageRepository
    const composer = yield* MailComposer
    const suppressions = yield* Suppressions

    const settingsOf = (store: StoreContext) => mailSettings.of(store, store.createdAt)

    const render = (
      store: StoreContext,
      settings: EmailSettingsState,
      template: EmailTemplateState,
      variables: View | undefined
    ) => Effect.mapError(composer.render(store, settings, template, variables ?? {}), unrendered)

    /** Whether the store may send a marketing mail to this address. */
    const checkMarketing = Effect.fnUntraced(function* (
      store: StoreContext,
      settings: EmailSettingsState,
      recipient: string
    ) {
      const problem = marketingProblem(settings)
      if (problem === "footerAddress") return yield* new EmailFooterMissing({ eventType: "MARKETING_CAMPAIGN" })
      if (problem !== undefined) return yield* new MailHeld({ reason: "paused" })
      if (yield* suppressions.has(store.id, recipient)) return yield* new MailHeld({ reason: "unsubscribed" })
      if (yield* suppressions.isRefused(store.id, recipient)) return yield* new MailHeld({ reason: "no_consent" })
    })

    /** Whether another mail may be made by hand now. Under the lock of the settings, so that none slips past. */
    const checkDay = Effect.fnUntraced(function* (
      store: StoreContext,
      settings: EmailSettingsState,
      type: EmailType,
      at: Date
    ) {
      yield* mailSettings.lock(store.id)
      const made = yield* messages.byHandSince(store.id, new Date(at.getTime() - dayMillis))
      if (made.all >= settings.hourlyRateLimit * hoursOfDay) return yield* new MailHeld({ reason: "hourly_limit" })
      const { dailyCampaignSendLimit: most } = settings
      if (isMarketing(type) && most !== null && made.campaigns >= most)
        return yield* new MailHeld({ reason: "daily_limit" })
    })

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
        const recipient = normaliseEmail(address)
        if (isMarketing(type)) yield* checkMarketing(store, settings, recipient)
        const unsubscribeUrl = composer.unsubscribeUrl(store, type, address, template.language)
        const rendered = yield* render(store, settings, template, { ...variables, ...linkOf(unsubscribeUrl) })
        const fromAddress = yield* composer.fromAddressOf(store, settings)
        const now = yield* Clock.currentTimeMillis
        const at = new Date(now)
        const addressed = { eventId: null, type, to: address, rendered, unsubscribeUrl }
        const mail = composer.address({ store, settings, fromAddress }, addressed, now)
        yield* database.write(store.id)(
          Effect.andThen(checkDay(store, settings, type, at), messages.insert(store.id, [mail], at))
        )
        return toEmailMessage({ ...mail, status: "QUEUED", attempts: 0, createdAt: at })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

/** As many mails by hand as can leave in a day: more would only be kept. */
const hoursOfDay = 24
const dayMillis = hoursOfDay * 3_600_000

const linkOf = (unsubscribeUrl: string | null): View => (unsubscribeUrl === null ? {} : { unsubscribeUrl })

/** The field errors of a template that cannot be rendered. */
const unrendered = ({ problems, message }: RenderFailed): FieldRejected =>
  fieldsRejected(problems) ?? FieldRejected.at("htmlContent", message)
