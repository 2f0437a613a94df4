/**
 * The templates a store writes for its mails: kept, tried out, sent by hand. Where the store has none that is active,
 * the default is used.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { isEmail } from "../kernel/Address.ts"
import { makeId } from "../kernel/Ids.ts"
import { jsonBytes } from "../kernel/JsonSize.ts"
import type { Page, PageOf } from "../kernel/Pagination.ts"
import { fullProblem } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import {
  type EmailTemplateActive,
  EmailFooterMissing,
  EmailRejected,
  EmailsDisabled,
  EmailTemplateNotFound
} from "./EmailErrors.ts"
import { type EmailMessage, toEmailMessage } from "./EmailMessage.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"
import { defaultSettings } from "./EmailSettings.ts"
import { EmailSettingsRepository } from "./EmailSettingsRepository.ts"
import {
  blankTemplate,
  changeTemplate,
  type EmailTemplate,
  type EmailTemplateChanges,
  type EmailTemplateState,
  languageProblem,
  type NewEmailTemplate,
  toEmailTemplate
} from "../template/EmailTemplate.ts"
import { EmailTemplateRepository, type TemplateFilter } from "../template/EmailTemplateRepository.ts"
import { isMarketing } from "../template/EmailType.ts"
import { MailComposer } from "./MailComposer.ts"
import type { Rendered, RenderFailed, View } from "../template/TemplateRenderer.ts"

export interface EmailTemplatesMethods {
  /** Oldest first. */
  readonly list: (store: StoreContext, filter: TemplateFilter, page: Page) => Effect.Effect<PageOf<EmailTemplate>>
  readonly get: (store: StoreContext, id: string) => Effect.Effect<EmailTemplate, EmailTemplateNotFound>
  readonly create: (
    store: StoreContext,
    input: NewEmailTemplate
  ) => Effect.Effect<EmailTemplate, EmailRejected | EmailTemplateActive>
  readonly update: (
    store: StoreContext,
    id: string,
    changes: EmailTemplateChanges
  ) => Effect.Effect<EmailTemplate, EmailTemplateNotFound | EmailRejected | EmailTemplateActive>
  /** The default takes its place. */
  readonly remove: (store: StoreContext, id: string) => Effect.Effect<void, EmailTemplateNotFound>
  /**
   * The template filled with what is given, and with what every mail of the store can name. With a language, the active
   * template of the same kind in that language, where there is one.
   */
  readonly preview: (
    store: StoreContext,
    id: string,
    input: { readonly variables?: View | undefined; readonly language?: string | undefined }
  ) => Effect.Effect<Rendered, EmailTemplateNotFound | EmailRejected>
  /** Queues one mail of the template to one address. */
  readonly send: (
    store: StoreContext,
    id: string,
    input: { readonly to: string; readonly variables?: View | undefined }
  ) => Effect.Effect<EmailMessage, EmailTemplateNotFound | EmailRejected | EmailFooterMissing | EmailsDisabled>
}

/** Bytes of all templates of a store as JSON: the dashboard reads them at once. */
export const mostTemplateBytes = 7_340_032

const rejected = (errors: Readonly<Record<string, string>>) => new EmailRejected({ errors })
const unrendered = (failed: RenderFailed) => rejected(failed.problems)

export class EmailTemplates extends Context.Service<EmailTemplates, EmailTemplatesMethods>()(
  "@effect-commerce/core/email/EmailTemplates"
) {
  static readonly layer = Layer.effect(
    EmailTemplates,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* EmailTemplateRepository
      const settingsRows = yield* EmailSettingsRepository
      const messages = yield* EmailMessageRepository
      const composer = yield* MailComposer

      const notFound = (id: string) => () => new EmailTemplateNotFound({ id })
      const find = (store: StoreContext, id: string) => orFail(repository.find(store.id, id), notFound(id))
      const settingsOf = (store: StoreContext) =>
        Effect.map(settingsRows.find(store.id), (row) => row ?? defaultSettings(store, store.createdAt))
      const changed = (store: StoreContext, current: EmailTemplateState, changes: EmailTemplateChanges, at: Date) =>
        Effect.mapError(Effect.fromResult(changeTemplate(store, current, changes, at)), rejected)

      /** Refuses one too many, and one with which all of them would not fit in a response. */
      const checkRoom = Effect.fnUntraced(function* (store: StoreContext, row: EmailTemplateState) {
        const others = yield* repository.othersLocked(store.id, row.id)
        const emailTemplates = fullProblem("emailTemplates", others.count)
        if (emailTemplates !== undefined) return yield* rejected({ emailTemplates })
        if (others.bytes + jsonBytes(row) > mostTemplateBytes)
          return yield* rejected({ emailTemplates: `all of them come to at most ${mostTemplateBytes} bytes of JSON` })
      })

      const create = Effect.fn("EmailTemplates.create")(function* (store: StoreContext, input: NewEmailTemplate) {
        const now = yield* Clock.currentTimeMillis
        const at = new Date(now)
        const row = yield* changed(store, blankTemplate(makeId("tmpl", now), at), input, at)
        yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* checkRoom(store, row)
            yield* repository.insert(store.id, row)
          })
        )
        return toEmailTemplate(store, row)
      })

      const update = Effect.fn("EmailTemplates.update")(function* (
        store: StoreContext,
        id: string,
        changes: EmailTemplateChanges
      ) {
        const at = new Date(yield* Clock.currentTimeMillis)
        const row = yield* database.write(store.id)(
          Effect.gen(function* () {
            const current = yield* orFail(repository.lock(store.id, id), notFound(id))
            const merged = yield* changed(store, current, changes, at)
            if (jsonBytes(merged) > jsonBytes(current)) yield* checkRoom(store, merged)
            yield* repository.update(store.id, merged)
            return merged
          })
        )
        return toEmailTemplate(store, row)
      })

      const remove = Effect.fn("EmailTemplates.remove")(function* (store: StoreContext, id: string) {
        const removed = yield* database.write(store.id)(repository.remove(store.id, id))
        if (!removed) return yield* new EmailTemplateNotFound({ id })
      })

      const preview = Effect.fn("EmailTemplates.preview")(function* (
        ...[store, id, input]: Parameters<EmailTemplatesMethods["preview"]>
      ) {
        const problem = languageProblem(store, input.language)
        if (problem !== undefined) return yield* rejected({ language: problem })
        const own = yield* find(store, id)
        const others =
          input.language === undefined || input.language === own.language
            ? []
            : yield* repository.active(store.id, [own.eventType])
        const template = others.find(({ language }) => language === input.language) ?? own
        return yield* Effect.mapError(
          composer.render(store, yield* settingsOf(store), template, input.variables ?? {}),
          unrendered
        )
      })

      const send = Effect.fn("EmailTemplates.send")(function* (
        ...[store, id, { to, variables }]: Parameters<EmailTemplatesMethods["send"]>
      ) {
        const template = yield* find(store, id)
        const address = to.trim()
        if (!isEmail(address)) return yield* rejected({ to: "must be one e-mail address" })
        const settings = yield* settingsOf(store)
        if (!settings.emailsEnabled) return yield* new EmailsDisabled()
        if (isMarketing(template.eventType) && settings.footerAddress === null)
          return yield* new EmailFooterMissing({ eventType: template.eventType })
        const rendered = yield* Effect.mapError(composer.render(store, settings, template, variables ?? {}), unrendered)
        const now = yield* Clock.currentTimeMillis
        const at = new Date(now)
        const mail = composer.address(
          store,
          settings,
          { eventId: null, type: template.eventType, to: address, rendered },
          now
        )
        yield* database.write(store.id)(messages.insert(store.id, [mail], at))
        return toEmailMessage({ ...mail, status: "QUEUED", attempts: 0, createdAt: at })
      })

      return EmailTemplates.of({
        list: (store, filter, page) =>
          Effect.map(repository.list(store.id, filter, page), ({ items, total }) => ({
            items: items.map((row) => toEmailTemplate(store, row)),
            total
          })),
        get: (store, id) => Effect.map(find(store, id), (row) => toEmailTemplate(store, row)),
        create,
        update,
        remove,
        preview,
        send
      })
    })
  )
}
