/**
 * The base URL of links in mails: the domain of the sales channel a mail is about, else the public URL of the server,
 * else the domain of the store's oldest channel that has one. If none of these is set, a mail has no link, so that none
 * leads to the reader's own machine by accident. Links of kept mails, which only developers read, then lead to
 * `http://localhost`.
 */
import { Context, Effect, Layer } from "effect"
import { SalesChannels } from "../store/SalesChannels.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { MailTransport } from "../smtp/MailTransport.ts"

/**
 * The base URL of links in a mail about this channel (null: about the store), without a slash at the end. Null: no base
 * URL is known.
 */
export type LinkBase = (salesChannelId: string | null) => string | null

const ofKeptMails = "http://localhost"

const isLocal = (domain: string): boolean =>
  domain === "localhost" || domain.endsWith(".localhost") || domain.startsWith("127.")

const urlOf = (domain: string | null | undefined): string | undefined =>
  domain === null || domain === undefined ? undefined : `${isLocal(domain) ? "http" : "https"}://${domain}`

export class MailLinks extends Context.Service<MailLinks>()("@effect-commerce/core/email/MailLinks", {
  make: Effect.fnUntraced(function* (publicUrl: string | undefined) {
    const channels = yield* SalesChannels
    const nowhere = (yield* MailTransport).keeps ? ofKeptMails : null
    const given = publicUrl?.replace(/\/+$/, "")
    return {
      /** The base URL of links for people of the dashboard: the public URL of the server; null if none is set. */
      dashboard: given ?? nowhere,
      forStore: (store: StoreContext): Effect.Effect<LinkBase> =>
        Effect.map(channels.list(store.id), (all) => {
          const oldest = urlOf(all.find(({ domain }) => domain !== null)?.domain)
          return (salesChannelId) => {
            if (salesChannelId === null) return oldest ?? given ?? nowhere
            return urlOf(all.find(({ id }) => id === salesChannelId)?.domain) ?? given ?? oldest ?? nowhere
          }
        })
    }
  })
}) {
  static readonly layer = (publicUrl: string | undefined) => Layer.effect(this, this.make(publicUrl))
}
