/** The mail settings of a store, and the log of its mails. */
import { Context, Effect, Layer } from "effect"
import { MailSettings } from "../emailsetting/MailSettings.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { toEmailMessage } from "./EmailMessage.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"

export class Emails extends Context.Service<Emails>()("@effect-commerce/core/email/Emails", {
  make: Effect.gen(function* () {
    const settings = yield* MailSettings
    const messages = yield* EmailMessageRepository
    return {
      settings: settings.shown,
      changeSettings: settings.change,

      /** Newest first. */
      messages: (store: StoreContext, page: Page) =>
        Effect.map(messages.list(store.id, page), ({ items, total }) => ({ items: items.map(toEmailMessage), total }))
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
