/**
 * A sales channel: one storefront of a store, called by browsers from its domain (interface.md, Authentication rule 3).
 */
import { Schema } from "effect"

export const ChannelMode = Schema.Literals(["live", "test"])

/** Wire shape and in-process shape alike; `connectionId` is the deprecated alias of `id`. */
export const SalesChannel = Schema.Struct({
  id: Schema.String,
  connectionId: Schema.String,
  storeId: Schema.String,
  name: Schema.String,
  domain: Schema.NullOr(Schema.String),
  mode: ChannelMode,
  storefrontReadEnabled: Schema.Boolean,
  cartEnabled: Schema.Boolean,
  customerAuthEnabled: Schema.Boolean,
  ordersWriteEnabled: Schema.Boolean,
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type SalesChannel = typeof SalesChannel.Type

/** The switches of a channel, as commands and bodies name them. */
export const ChannelScope = Schema.Literals(["storefrontRead", "cart", "customerAuth", "ordersWrite"])
export type ChannelScope = typeof ChannelScope.Type

export const channelAllows = (channel: SalesChannel, scope: ChannelScope): boolean => channel[`${scope}Enabled`]

/** A bare host name in lower case: `shop.example`. A port, a path or a scheme is not part of a domain. */
export const domainPattern = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Whether a browser at `origin` may speak to the channel: the host equals the registered domain or is a subdomain of
 * it. A test-mode channel without a domain takes any origin, and none.
 */
export const admitsOrigin = (channel: SalesChannel, origin: string | undefined): boolean => {
  if (channel.domain === null) return channel.mode === "test"
  if (origin === undefined) return false
  const host = hostOf(origin)
  return host !== undefined && (host === channel.domain || host.endsWith(`.${channel.domain}`))
}

const hostOf = (origin: string): string | undefined => {
  try {
    const url = new URL(origin)
    return url.protocol === "https:" || url.protocol === "http:" ? url.hostname : undefined
  } catch {
    return undefined
  }
}
