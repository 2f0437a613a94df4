/** The settings of a store's mails: read, changed, and read by the rooms that send. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { EmailDomains } from "../emaildomain/EmailDomains.ts"
import { rejectFields } from "../kernel/FieldRejected.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import {
  changeSettings,
  defaultSettings,
  type EmailSettingsChanges,
  type EmailSettingsState,
  settingsChangeProblems,
  toEmailSettings
} from "./EmailSettings.ts"
import { EmailSettingsRepository } from "./EmailSettingsRepository.ts"
import { OwnerView } from "./OwnerView.ts"

export class MailSettings extends Context.Service<MailSettings>()("@effect-commerce/core/emailsetting/MailSettings", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* EmailSettingsRepository
    const owners = yield* OwnerView
    const domains = yield* EmailDomains

    const shown = Effect.fnUntraced(function* (store: StoreContext, state: EmailSettingsState) {
      const { customDomainId } = state
      return toEmailSettings(store, state, customDomainId === null ? null : yield* domains.shown(store, customDomainId))
    })

    /** A domain is chosen while it is verified. One that was chosen before stays, also as it was read. */
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
      /** The defaults until the store has changed its settings; `at` is used for their times. */
      of: (store: { readonly id: string }, at: Date) =>
        Effect.map(repository.find(store.id), (row) => row ?? defaultSettings(store, at)),

      /** Locks the settings until the transaction ends. */
      lock: repository.lock,

      shown: Effect.fnUntraced(function* (store: StoreContext) {
        const [row, owner] = yield* Effect.all([repository.find(store.id), owners.emailOf(store.id)], {
          concurrency: "unbounded"
        })
        const view = yield* shown(store, row ?? defaultSettings(store, store.createdAt))
        return { ...view, hasOwnerEmail: owner !== null }
      }),

      /** Undefined leaves a field as it is, null clears it. The first write creates the row. */
      change: Effect.fn("MailSettings.change")(function* (store: StoreContext, changes: EmailSettingsChanges) {
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
      })
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(EmailSettingsRepository.layer))
}
