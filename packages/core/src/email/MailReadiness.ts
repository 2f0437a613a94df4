/** Whether a mail would leave, for rooms that record that they had one sent. */
import { Clock, Context, Effect, Layer } from "effect"
import type { StoreContext } from "../store/StoreContext.ts"
import type { EmailType } from "../template/EmailType.ts"
import { sends } from "../emailsetting/EmailSettings.ts"
import { MailSettings } from "../emailsetting/MailSettings.ts"
import { MailLinks } from "./MailLinks.ts"

export class MailReadiness extends Context.Service<MailReadiness>()("@effect-commerce/core/email/MailReadiness", {
  make: Effect.gen(function* () {
    const mailSettings = yield* MailSettings
    const links = yield* MailLinks
    return {
      /** By the sales channel of a mail: whether the store sends this type, and there is a page to lead to. */
      sendsWithLink: Effect.fnUntraced(function* (store: StoreContext, type: EmailType) {
        const now = yield* Clock.currentTimeMillis
        const settings = yield* mailSettings.of(store, new Date(now))
        const isSent = sends(settings, type)
        const linkBase = yield* links.forStore(store)
        return (salesChannelId: string | null): boolean => isSent && linkBase(salesChannelId) !== null
      })
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
