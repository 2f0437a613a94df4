/** The mail settings of a store, and the log of its mails. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { EmailDomains } from "../emaildomain/EmailDomains.ts"
import { rejectFields } from "../kernel/FieldRejected.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { toEmailMessage } from "./EmailMessage.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"
import {
  changeSettings,
  defaultSettings,
  type EmailSettingsChanges,
  type EmailSettingsState,
  settingsChangeProblems,
  toEmailSettings
} from "../emailsetting/EmailSettings.ts"
import { EmailSettingsRepository } from "../emailsetting/EmailSettingsRepository.ts"
import { OwnerView } from "../emailsetting/OwnerView.ts"

export class Emails extends Context.Service<Emails>()("@effect-commerce/core/email/Emails", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* EmailSettingsRepository
    const messages = yield* EmailMessageRepository
    const owners = yield* OwnerView
    const domains = yield* EmailDomains

    const shown = Effect.fnUntraced(function* (store: StoreContext, state: EmailSettingsState) {
      const { customDomainId } = state
      return toEmailSettings(store, state, customDomainId === null ? null : yield* domains.shown(store, customDomainId))
    })

    /** A domain is chosen while it is verified. One that was chosen before stays, and what was read can be sent back. */
    const domainProblem = Effect.fnUntraced(function* (
      store: StoreContext,
      current: EmailSettingsState,
      chosen: string | null | undefined
    ) {
      if (chosen === undefined || chosen === null || chosen === current.customDomainId) return {}
      const domain = yield* domains.verified(store.id, chosen)
      return domain === undefined ? { customDomainId: "is not a verified domain of this store" } : {}
    })

    return {
      /** The defaults until the store has changed its settings. */
      settings: Effect.fnUntraced(function* (store: StoreContext) {
        const [row, owner] = yield* Effect.all([repository.find(store.id), owners.emailOf(store.accountId)], {
          concurrency: "unbounded"
        })
        return {
          ...(yield* shown(store, row ?? defaultSettings(store, store.createdAt))),
          hasOwnerEmail: owner !== null
        }
      }),

      /** Undefined leaves a field as it is, null clears it. The first write creates the row. */
      changeSettings: Effect.fn("Emails.changeSettings")(function* (
        store: StoreContext,
        changes: EmailSettingsChanges
      ) {
        const at = new Date(yield* Clock.currentTimeMillis)
        const changed = yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* repository.lock(store.id)
            const current = (yield* repository.find(store.id)) ?? defaultSettings(store, at)
            yield* rejectFields({
              ...settingsChangeProblems(changes),
              ...(yield* domainProblem(store, current, changes.customDomainId))
            })
            const row = changeSettings(current, changes, at)
            yield* repository.put(store.id, row)
            return row
          })
        )
        return yield* shown(store, changed)
      }),

      /** Newest first. */
      messages: (store: StoreContext, page: Page) =>
        Effect.map(messages.list(store.id, page), ({ items, total }) => ({ items: items.map(toEmailMessage), total }))
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
