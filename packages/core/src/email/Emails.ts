/** What a store says about its mail, and the mails it has sent or waits to send. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { type FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import type { Page, PageOf } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type EmailMessage, toEmailMessage } from "./EmailMessage.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"
import {
  changeSettings,
  defaultSettings,
  type EmailSettings,
  type EmailSettingsChanges,
  settingsChangeProblems,
  toEmailSettings
} from "./EmailSettings.ts"
import { EmailSettingsRepository } from "./EmailSettingsRepository.ts"
import { OwnerView } from "./OwnerView.ts"

export interface EmailsMethods {
  /** The defaults while the store has written none. */
  readonly settings: (store: StoreContext) => Effect.Effect<EmailSettings>
  /** Undefined leaves a field as it is, null clears it. The row appears with the first write. */
  readonly changeSettings: (
    store: StoreContext,
    changes: EmailSettingsChanges
  ) => Effect.Effect<EmailSettings, FieldRejected>
  /** Newest first. */
  readonly messages: (store: StoreContext, page: Page) => Effect.Effect<PageOf<EmailMessage>>
}

export class Emails extends Context.Service<Emails, EmailsMethods>()("@effect-commerce/core/email/Emails") {
  static readonly layer = Layer.effect(
    Emails,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* EmailSettingsRepository
      const messages = yield* EmailMessageRepository
      const owners = yield* OwnerView

      const change = Effect.fn("Emails.changeSettings")(function* (store: StoreContext, changes: EmailSettingsChanges) {
        const at = new Date(yield* Clock.currentTimeMillis)
        const changed = yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* repository.lock(store.id)
            const current = (yield* repository.find(store.id)) ?? defaultSettings(store, at)
            yield* rejectFields(settingsChangeProblems(changes))
            const row = changeSettings(current, changes, at)
            yield* repository.put(store.id, row)
            return row
          })
        )
        return toEmailSettings(store, changed)
      })

      return Emails.of({
        settings: Effect.fn("Emails.settings")(function* (store: StoreContext) {
          const [row, owner] = yield* Effect.all([repository.find(store.id), owners.emailOf(store.accountId)], {
            concurrency: "unbounded"
          })
          return {
            ...toEmailSettings(store, row ?? defaultSettings(store, store.createdAt)),
            hasOwnerEmail: owner !== null
          }
        }),
        changeSettings: change,
        messages: (store, page) =>
          Effect.map(messages.list(store.id, page), ({ items, total }) => ({ items: items.map(toEmailMessage), total }))
      })
    })
  )
}
