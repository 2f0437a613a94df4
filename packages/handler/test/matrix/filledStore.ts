/** A store that has one of everything, and paths to what it has. */
import { seedProduct } from "@effect-commerce/core/testing/Factories"
import { png } from "@effect-commerce/core/testing/TestImages"
import { Effect } from "effect"
import pg from "pg"
import type { RouteShape } from "../../src/middleware/RouteMap.ts"
import type { TestCommerce, TestStore } from "../../src/testing/TestCommerce.ts"
import { formOf } from "../media/sendForm.ts"

export const filledShopper = { email: "theirs@example.com", password: "Corr3ct-Horse" }

/** Gives the store one of everything; ids by the path segment that precedes them, and its customer's token. */
export const fillStore = async (shop: TestCommerce, other: TestStore) => {
  const theirs = (method: string, path: string, body?: object) =>
    shop.call(method, path, { key: other.apiKey, ...(body === undefined ? {} : { body }) })
  const product = await shop.run(Effect.orDie(seedProduct(other.storeId)) as unknown as Effect.Effect<string>)
  const rate = await theirs("POST", "/v1/tax/rates", { name: "Theirs", country: "US", rate: 5 })
  const brand = await theirs("POST", "/v1/brands", { name: "Theirs" })
  const region = await theirs("POST", "/v1/regions", { name: "Theirs", currency: "USD", countries: ["US"] })
  const taxClass = await theirs("POST", "/v1/tax/classes", { name: "Theirs" })
  const zone = await theirs("POST", "/v1/shipping/zones", { name: "Theirs", countries: ["US"] })
  const shippingRate = await theirs("POST", `/v1/shipping/zones/${zone.body.id}/rates`, {
    name: "Theirs",
    type: "FREE"
  })
  const shippingClass = await theirs("POST", "/v1/shipping/classes", { name: "Theirs" })
  const attribute = await theirs("POST", "/v1/attributes", { name: "Theirs", options: [{ name: "One" }] })
  const modifierGroup = await theirs("POST", "/v1/modifier-groups", {
    name: "Theirs",
    selectionType: "SINGLE",
    modifiers: [{ name: "Theirs" }]
  })
  const key = await theirs("POST", "/v1/api-keys", { name: "theirs", scopes: ["store:read"] })
  const cart = await shop.call("POST", `/vc/${other.channelId}/cart`)
  const filled = await shop.call("POST", `/vc/${other.channelId}/cart/${cart.body.id}/items`, {
    body: { productId: product, quantity: 1 }
  })
  const checkout = await shop.call("POST", `/vc/${other.channelId}/checkout`, { body: { cartId: cart.body.id } })
  const order = await theirs("POST", "/v1/orders", { items: [{ productId: product, quantity: 1 }] })
  const customer = await shop.call("POST", `/vc/${other.channelId}/customers/register`, { body: filledShopper })
  const address = await theirs("POST", `/v1/customers/${customer.body.customer.id}/addresses`, {
    line1: "1 Main St",
    city: "Town",
    country: "US"
  })
  const review = await shop.call("POST", `/vc/${other.channelId}/products/${product}/reviews`, {
    body: { rating: 5, body: "Theirs" },
    headers: { authorization: `Bearer ${customer.body.token}` }
  })
  const mail = { name: "Theirs", eventType: "ORDER_NOTE", language: "en", subject: "Theirs", htmlContent: "Theirs" }
  const template = await theirs("POST", "/v1/email/templates", mail)
  const definition = await theirs("POST", "/v1/metafield-definitions", { name: "Care", key: "care", type: "TEXT" })
  await theirs("PUT", `/v1/products/${product}/metafields`, { values: { care: "wool" } })
  const conflicting = await theirs("PUT", `/v1/products/${product}/metafields`, {
    values: { care: "silk" },
    source: "shopify"
  })
  const hook = await theirs("POST", "/v1/webhook-subscriptions", { url: "https://hooks.example/in", events: ["*"] })
  const ids: Record<string, string> = {
    customers: customer.body.customer.id,
    addresses: address.body.id,
    products: product,
    brands: brand.body.id,
    regions: region.body.id,
    reviews: review.body.id,
    rates: rate.body.id,
    classes: taxClass.body.id,
    zones: zone.body.id,
    "zones/rates": shippingRate.body.id,
    "shipping/classes": shippingClass.body.id,
    attributes: attribute.body.id,
    options: attribute.body.options[0].id,
    "modifier-groups": modifierGroup.body.id,
    "api-keys": key.body.id,
    "sales-channels": other.channelId,
    cart: cart.body.id,
    session: cart.body.sessionToken,
    items: filled.body.items[0].id,
    checkout: checkout.body.id,
    orders: order.body.id,
    "webhook-subscriptions": hook.body.id,
    templates: template.body.id,
    media: (await shop.call("POST", "/v1/media", { key: other.apiKey, raw: formOf({ bytes: png(2, 2) }) })).body.id,
    defaults: "NO_SUCH_MAIL",
    variants: "var_theirs",
    categories: "cat_theirs",
    slug: product.replaceAll("_", "-"),
    bulk: "job_theirs",
    "gift-card": "tender_theirs",
    bundle: "bundle_theirs",
    "metafield-definitions": definition.body.id,
    "metafield-conflicts": conflicting.body.conflicts[0].conflictId
  }
  return { ids, token: customer.body.token as string }
}

/** The path with a channel or store, and every other parameter filled by `idOf`. */
export const filledPath = (route: RouteShape, at: TestStore, idOf: (kind: string) => string): string => {
  const parts = route.path.split("/").slice(2)
  return `/${parts
    .map((part, i) => {
      if (part === ":salesChannelId") return at.channelId
      if (part === ":storeId") return at.storeId
      if (!part.startsWith(":")) return part
      const before = parts[i - 1] ?? ""
      if (before === "rates" && parts.includes("zones")) return idOf("zones/rates")
      return idOf(before === "classes" && parts.includes("shipping") ? "shipping/classes" : before)
    })
    .join("/")}`
}

export interface Fingerprints {
  /** What a refused call must not have changed: one hash for each table that names a store, but for `except`. */
  readonly of: (storeId: string) => Promise<ReadonlyArray<Record<string, unknown>>>
  readonly close: () => Promise<void>
}

/** Reads in a session of its own, as the owner of the tables. */
export const openFingerprints = async (
  shop: TestCommerce,
  except: ReadonlyArray<string> = []
): Promise<Fingerprints> => {
  const owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
  const { rows } = await owner.query(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'store_id'
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`
  )
  const names = rows.map(({ name }) => String(name)).filter((name) => !except.includes(name))
  for (const name of ["product", "orders", "event", "stock", "metafield_value"])
    if (!names.includes(name)) throw new Error(`${name} is no table of a store`)
  const hashOf = (name: string, column: string) =>
    `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS hash
      FROM "${name}" t WHERE ${column} = $1`
  const query = [hashOf("store", "id"), ...names.map((name) => hashOf(name, "store_id"))].join(" UNION ALL ")
  return { of: async (storeId) => (await owner.query(query, [storeId])).rows, close: () => owner.end() }
}
