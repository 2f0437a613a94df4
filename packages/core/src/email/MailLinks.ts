/**
 * Where links in mails begin. The domain of the sales channel a mail is about, or else of the store's oldest channel that has one; without any the public
 * URL of the server; without that `http://localhost`, which leads nowhere but to the reader's own machine: a token in such a link reaches nobody else.
 */
import { Context, Effect, Layer } from "effect"
import { SalesChannels } from "../store/SalesChannels.ts"
import type { StoreContext } from "../store/StoreContext.ts"

/** Where links of a mail about this channel begin, without a slash at the end. */
export type LinkBase = (salesChannelId: string | null) => string

export interface MailLinksMethods {
  readonly forStore: (store: StoreContext) => Effect.Effect<LinkBase>
}

export const lastResort = "http://localhost"

const isLocal = (domain: string): boolean => domain === "localhost" || domain.endsWith(".localhost") || domain.startsWith("127.")

const urlOf = (domain: string): string => `${isLocal(domain) ? "http" : "https"}://${domain}`

export class MailLinks extends Context.Service<MailLinks, MailLinksMethods>()("@effect-commerce/core/email/MailLinks") {
  static readonly layer = (publicUrl: string | undefined) =>
    Layer.effect(
      MailLinks,
      Effect.map(SalesChannels, (channels) =>
        MailLinks.of({
          forStore: (store) =>
            Effect.map(channels.list(store.id), (all) => {
              const first = all.find(({ domain }) => domain !== null)?.domain ?? null
              return (salesChannelId) => {
                const domain = all.find(({ id }) => id === salesChannelId)?.domain ?? first
                return domain === null ? (publicUrl ?? lastResort).replace(/\/+$/, "") : urlOf(domain)
              }
            })
        })
      )
    )
}
