/** A sales channel: one storefront of a store, called by browsers from its domain. */
import { Schema } from "effect"
import { boolean, described, nullableString, optional, string, text, timestamp } from "../kernel/Fields.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

export const salesChannelBound: StoreBound = { field: "salesChannels", most: 200, words: "sales channels" }

const ChannelMode = Schema.Literals(["live", "test"])

/** Wire shape and in-process shape alike; `connectionId` is the deprecated alias of `id`. */
export const SalesChannel = Schema.Struct({
  id: string("Id of the sales channel, as in storefront paths.", "vc_01m80xf47r2bsbq05ytyt41mhj"),
  connectionId: string("The same as id; deprecated.", "vc_01m80xf47r2bsbq05ytyt41mhj"),
  storeId: string("The store that the sales channel belongs to."),
  name: string("Name for the merchant.", "Web shop"),
  domain: nullableString(
    "Host name of the storefront. Requests must come from it or one of its subdomains. null: any origin in test " +
      "mode, none in live mode.",
    "shop.example.com"
  ),
  mode: described(ChannelMode, "test also offers the test payment provider; data and prices are the same in both."),
  storefrontReadEnabled: boolean("Whether products, categories and shipping destinations can be read."),
  cartEnabled: boolean("Whether carts and checkouts can be used."),
  customerAuthEnabled: boolean("Whether customers can register, sign in and see their account."),
  ordersWriteEnabled: boolean("Whether orders can be placed."),
  createdAt: timestamp("When the sales channel was created."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names.")
}).annotate({ identifier: "SalesChannel", description: "One storefront of a store." })
export type SalesChannel = typeof SalesChannel.Type

const Switches = Schema.Struct({
  storefrontRead: optional(Schema.Boolean, "Products, categories and shipping destinations can be read."),
  cart: optional(Schema.Boolean, "Carts and checkouts can be used."),
  customerAuth: optional(Schema.Boolean, "Customers can register, sign in and see their account."),
  ordersWrite: optional(Schema.Boolean, "Orders can be placed.")
}).annotate({
  identifier: "SalesChannelScopes",
  description: "Which parts of the storefront interface are on. An absent one stays as it is; a new channel has all on."
})
const name = described(text(200), "Name for the merchant.", "Web shop")
const fields = {
  domain: optional(
    Schema.NullOr(text(253)),
    "Host name of the storefront, without scheme, port and path; null removes it. Subdomains are included.",
    "shop.example.com"
  ),
  mode: optional(ChannelMode, "test also offers the test payment provider. live needs a domain to be reachable."),
  scopes: Schema.optionalKey(Switches)
}
export const NewSalesChannel = Schema.Struct({ name, ...fields }).annotate({
  identifier: "NewSalesChannel",
  description: "A sales channel to create."
})
export type NewSalesChannel = typeof NewSalesChannel.Type

export const SalesChannelChanges = Schema.Struct({ name: Schema.optionalKey(name), ...fields }).annotate({
  identifier: "ChangeSalesChannel",
  description: "What to change. An absent field stays as it is."
})
export type SalesChannelChanges = typeof SalesChannelChanges.Type

/** The parts of a channel that can be switched off, as commands and bodies name them. */
export const ChannelScope = Schema.Literals(["storefrontRead", "cart", "customerAuth", "ordersWrite"])
export type ChannelScope = typeof ChannelScope.Type

export const channelAllows = (channel: SalesChannel, scope: ChannelScope): boolean => channel[`${scope}Enabled`]

/** A bare host name in lower case: `shop.example`. A port, a path or a scheme is not part of a domain. */
export const domainPattern = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Whether a browser at `origin` may speak to the channel: the host equals the registered domain or is a subdomain of
 * it. A test-mode channel without a domain accepts any origin, and requests without one.
 */
export const admitsOrigin = (channel: SalesChannel, origin: string | undefined): boolean => {
  if (channel.domain === null) return channel.mode === "test"
  if (origin === undefined) return false
  const host = hostOf(origin)
  return host !== undefined && (host === channel.domain || host.endsWith(`.${channel.domain}`))
}

/**
 * Whether another site may send a shopper back to `url`: it is on the channel's domain or, for a test-mode channel, on
 * the machine that the browser runs on.
 */
export const admitsReturn = ({ domain, mode }: SalesChannel, url: string): boolean => {
  const host = hostOf(url)
  if (host === undefined) return false
  if (domain !== null && (host === domain || host.endsWith(`.${domain}`))) return true
  return mode === "test" && (host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host))
}

const hostOf = (origin: string): string | undefined => {
  try {
    const url = new URL(origin)
    return url.protocol === "https:" || url.protocol === "http:" ? url.hostname : undefined
  } catch {
    return undefined
  }
}
