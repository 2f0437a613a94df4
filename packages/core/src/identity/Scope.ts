/**
 * Scopes of admin keys: `<resource>:read`, `<resource>:write`, and `<resource>:*` for both. `*` cannot be minted and
 * `*:read` matches nothing. A route under `/v1` needs the resource that the first segment of its path names: a route
 * whose resource is not listed here does not start.
 */
import { listed, named } from "../kernel/Fields.ts"

interface ResourceFacts {
  /** What its routes are for; the introduction of the API document shows it. */
  readonly for: string
  /** Other first path segments that need its scope. */
  readonly paths?: ReadonlyArray<string>
}

export const resourceFacts = {
  store: {
    for:
      "settings of the store: name, currency, languages, lifetimes of carts and checkouts; its payment providers and " +
      "rates of exchange",
    paths: ["payment-providers", "fx-rates"]
  },
  products: { for: "products, their variants, pictures, publication and modifier groups", paths: ["modifier-groups"] },
  categories: { for: "the tree of categories" },
  brands: { for: "brands" },
  attributes: { for: "attributes such as colour and size, and their options" },
  metafields: {
    for: "definitions of the store's own fields, and conflicts between them and imported values",
    paths: ["metafield-definitions", "metafield-filters", "metafield-conflicts", "metafield-values"]
  },
  media: { for: "the media library: upload, rename and delete images" },
  inventory: { for: "stock: read, set and adjust it, and list its changes" },
  tax: { for: "tax classes and tax rates" },
  shipping: { for: "shipping classes, zones and rates" },
  coupons: { for: "coupons, and conflicts between those of the store and those of other systems" },
  promotions: {
    for: "rules that take something off by themselves, bundle offers, order bumps, upgrades, the newsletter's coupon",
    paths: ["bundle-offers", "newsletter-benefit"]
  },
  "gift-cards": { for: "gift cards: issue, change and disable them, and list their transactions" },
  loyalty: { for: "the loyalty programme, and points of customers: read and adjust them" },
  reviews: { for: "product reviews: approve, reject, reply to and delete them" },
  regions: { for: "markets of the store, with their countries" },
  cart: { for: "carts that a server creates and changes for shoppers" },
  checkout: {
    for: "complete a checkout from a server; fields of the store's own for checkouts",
    paths: ["checkout-fields"]
  },
  orders: {
    for:
      "list, read and create orders, record payments that were received elsewhere, send, change and cancel orders; " +
      "labels of their statuses",
    paths: ["order-status-labels"]
  },
  customers: { for: "customers and their addresses" },
  "oauth-providers": { for: "services by which customers sign in, such as Google: their clients and secrets" },
  email: { for: "e-mail settings and templates, and the list of mails" },
  webhooks: { for: "webhook subscriptions, their secrets and deliveries", paths: ["webhook-subscriptions"] },
  "api-keys": {
    for: "admin API keys: list, create, rotate and revoke them; a new key gets no more than the scopes of its maker"
  },
  "sales-channels": { for: "sales channels: domain, mode and what each may do" },
  installations: { for: "apps that a merchant installs: their tokens, secrets, mappings and inbound events" },
  events: { for: "the list of events of the last 30 days" },
  metrics: { for: "the measurements of the server at `/api/metrics`" }
} as const satisfies Readonly<Record<string, ResourceFacts>>

export type Resource = keyof typeof resourceFacts

export const resources = Object.keys(resourceFacts) as ReadonlyArray<Resource>

/** Scopes that a key may have: a resource with `read`, `write` or `*` for both. */
export const mintableScopes: ReadonlyArray<string> = resources.flatMap((resource) =>
  ["read", "write", "*"].map((action) => `${resource}:${action}`)
)

/** A scope on the wire. */
export const ScopeName = named(
  "Scope",
  "A resource of the API with `read`, `write` or `*` for both. The introduction lists what each resource is for.",
  listed(mintableScopes)
)

export type Scope = `${Resource}:${"read" | "write"}`

const resourceOfSegment: ReadonlyMap<string, Resource> = new Map(
  resources.flatMap((resource) => {
    const { paths = [] }: ResourceFacts = resourceFacts[resource]
    return [resource, ...paths].map((segment) => [segment, resource] as const)
  })
)

/** The resource whose scope is needed for paths that begin with this segment. */
export const resourceOf = (segment: string): Resource | undefined => resourceOfSegment.get(segment)

/** Whether a key may be minted with it. */
export const isMintable = (scope: string): boolean => mintableScopes.includes(scope)

/** Whether `granted` covers `needed`. */
export const grants = (granted: ReadonlyArray<string>, needed: string): boolean => {
  const resource = needed.slice(0, needed.indexOf(":"))
  return granted.includes(needed) || granted.includes(`${resource}:*`)
}

/** Every resource with both actions: what `init` mints. */
export const everyScope: ReadonlyArray<string> = resources.map((resource) => `${resource}:*`)
