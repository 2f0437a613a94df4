/** What each scope of an admin key is for: a sentence for every resource that a key can be given. */
import { type Resource, resources } from "@effect-commerce/core/identity/Scope"

const notBuilt = (what: string) => `${what}: not built yet, no route needs it`

/** The type asks for every resource, so that the table cannot lack one. */
const sentences: Readonly<Record<Resource, string>> = {
  store: "settings of the store: name, currency, languages, lifetimes of carts and checkouts",
  products: "products, their variants, pictures, publication and modifier groups",
  categories: "the tree of categories",
  brands: "brands",
  attributes: "attributes such as colour and size, and their options",
  metafields: "definitions of the store's own fields, and conflicts between them and imported values",
  media: "the media library: upload, rename and delete images",
  inventory: "stock: read, set and adjust it, and list its changes",
  tax: "tax classes and tax rates",
  shipping: "shipping classes, zones and rates",
  coupons: notBuilt("coupons"),
  promotions: notBuilt("promotions"),
  "gift-cards": notBuilt("gift cards"),
  loyalty: notBuilt("loyalty points"),
  reviews: "product reviews: approve, reject, reply to and delete them",
  regions: "markets of the store, with their countries",
  cart: "carts that a server creates and changes for shoppers",
  checkout: "complete a checkout from a server",
  orders: "list, read and create orders, and record payments that were received elsewhere",
  customers: "customers and their addresses",
  "oauth-providers": notBuilt("signing in with other services"),
  email: "e-mail settings and templates, and the list of mails",
  webhooks: "webhook subscriptions, their secrets and deliveries",
  "api-keys":
    "admin API keys: list, create, rotate and revoke them; a new key gets no more than the scopes of its maker",
  "sales-channels": "sales channels: domain, mode and what each may do",
  installations: notBuilt("apps that a merchant installs"),
  events: "the list of events of the last 30 days",
  metrics: "the measurements of the server at `/api/metrics`"
}

export const scopes = `\
## Scopes

A key has scopes: a resource with \`read\`, \`write\`, or \`*\` for both, such as \`products:read\` or
\`inventory:*\`. A GET needs \`:read\`, everything else \`:write\`; each route names its scope as \`x-scope\`. A key
without it gets 403 \`INSUFFICIENT_SCOPE\`. Give a key only what it needs.

| Resource | What it is for |
| --- | --- |
${resources.map((resource) => `| \`${resource}\` | ${sentences[resource]} |`).join("\n")}
`
