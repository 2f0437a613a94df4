import { OutboxRelay } from "@effect-commerce/core/database/OutboxRelay"
import { seedProduct } from "@effect-commerce/core/testing/Factories"
import { png } from "@effect-commerce/core/testing/TestImages"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { type DeclaredRoute, routesOf } from "../../src/middleware/routesOf.ts"
import { formOf } from "../media/sendForm.ts"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"

/**
 * Every declared route that names a thing by id, called with the id of another store's thing: it must answer as it does
 * for an id that never was.
 */
const routes = routesOf(Api).filter((route) => route.path.includes(":") && route.policy.surface !== "open")

let shop: TestCommerce
let other: TestStore
/** Ids of the other store, by the path segment that precedes them. */
let foreign: Record<string, string>
/** A customer's token of our own channel. */
let bearer: string
/** A session of its own, as the owner of the tables. */
let owner: InstanceType<typeof pg.Client>
let fingerprint: string

beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  other = await shop.openStore()
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
  const shopper = { email: "theirs@example.com", password: "Corr3ct-Horse" }
  const customer = await shop.call("POST", `/vc/${other.channelId}/customers/register`, { body: shopper })
  const address = await theirs("POST", `/v1/customers/${customer.body.customer.id}/addresses`, {
    line1: "1 Main St",
    city: "Town",
    country: "US"
  })
  const review = await shop.call("POST", `/vc/${other.channelId}/products/${product}/reviews`, {
    body: { rating: 5, body: "Theirs" },
    headers: { authorization: `Bearer ${customer.body.token}` }
  })
  // The same address in our store is somebody else, and sees nothing of theirs.
  bearer = (await shop.call("POST", `/vc/${shop.channelId}/customers/register`, { body: shopper })).body.token
  const mail = { name: "Theirs", eventType: "ORDER_NOTE", language: "en", subject: "Theirs", htmlContent: "Theirs" }
  const template = await theirs("POST", "/v1/email/templates", mail)
  const definition = await theirs("POST", "/v1/metafield-definitions", { name: "Care", key: "care", type: "TEXT" })
  await theirs("PUT", `/v1/products/${product}/metafields`, { values: { care: "wool" } })
  const conflicting = await theirs("PUT", `/v1/products/${product}/metafields`, {
    values: { care: "silk" },
    source: "shopify"
  })
  const hook = await theirs("POST", "/v1/webhook-subscriptions", { url: "https://hooks.example/in", events: ["*"] })
  foreign = {
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
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
  fingerprint = await fingerprintQuery()
  // Events are marked in the background: nothing of the store changes by itself from here on.
  await shop.run(OutboxRelay.use((relay) => relay.relayStore(other.storeId)) as unknown as Effect.Effect<void>)
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

const bodies: Record<string, object> = {
  "PATCH /api/vc/:salesChannelId/checkout/:checkoutId/customer": { email: "a@example.com" },
  "PATCH /api/vc/:salesChannelId/checkout/:checkoutId/shipping": {
    shippingAddress: { line1: "1", city: "T", country: "US" }
  },
  "PATCH /api/vc/:salesChannelId/checkout/:checkoutId/shipping-method": { shippingRateId: "x" },
  "PATCH /api/vc/:salesChannelId/checkout/:checkoutId/delivery": { deliveryType: "pickup" },
  "PATCH /api/vc/:salesChannelId/checkout/:checkoutId/custom-fields": { values: {} },
  "POST /api/vc/:salesChannelId/checkout/:checkoutId/coupon": { code: "X" },
  "POST /api/vc/:salesChannelId/checkout/:checkoutId/gift-card": { code: "X" },
  "POST /api/vc/:salesChannelId/checkout/:checkoutId/payment": { providerId: "manual" },
  "POST /api/vc/:salesChannelId/cart/:cartId/coupon": { code: "X" },
  "POST /api/vc/:salesChannelId/cart/:cartId/bundle": { bundleOfferId: "x" },
  "POST /api/vc/:salesChannelId/cart/:cartId/upgrade": { offerId: "x" },
  "POST /api/vc/:salesChannelId/cart/:cartId/order-bump": { offerId: "x" },
  "POST /api/v1/cart/:id/coupon": { code: "X" },
  "POST /api/vc/:salesChannelId/cart/:cartId/items": { productId: "prod_x", quantity: 1 },
  "POST /api/v1/cart/:id/items": { productId: "prod_x", quantity: 1 },
  "POST /api/v1/customers/:id/addresses": { line1: "1 Main St", city: "Town", country: "US" },
  "POST /api/v1/shipping/zones/:zoneId/rates": { name: "Mine", type: "FREE" },
  "POST /api/v1/products/:id/variants": { name: "V", attributes: { Size: "M" }, price: "1.00" },
  "POST /api/v1/attributes/:id/options": { name: "Mine" },
  "POST /api/v1/email/templates/:id/send": { to: "ada@example.com" },
  "POST /api/v1/orders/:id/payments": { amount: "1.00", method: "cash" },
  "POST /api/vc/:salesChannelId/products/:id/reviews": { rating: 5, body: "Mine" },
  "PUT /api/v1/products/:id/metafields": { values: {} },
  "PUT /api/v1/products/:id/inventory": { total: 1 },
  "POST /api/v1/products/:id/inventory/adjust": { delta: 1, reason: "received" }
}

/** Routes that take a form with a file. */
const takesFile = (route: DeclaredRoute): boolean => route.path.endsWith("-photo")

const queries: Record<string, string> = { "GET /api/vc/:salesChannelId/orders/:id/status": "?email=theirs@example.com" }

/** The path with our own channel or store, and every other parameter filled by `idOf`. */
const fill = (route: DeclaredRoute, idOf: (kind: string) => string): string => {
  const parts = route.path.split("/").slice(2)
  return `/${parts
    .map((part, i) => {
      if (part === ":salesChannelId") return shop.channelId
      if (part === ":storeId") return shop.storeId
      if (!part.startsWith(":")) return part
      const before = parts[i - 1] ?? ""
      if (before === "rates" && parts.includes("zones")) return idOf("zones/rates")
      return idOf(before === "classes" && parts.includes("shipping") ? "shipping/classes" : before)
    })
    .join("/")}`
}

const call = (route: DeclaredRoute, path: string, idempotencyKey: string) => {
  const body =
    bodies[`${route.method} ${route.path}`] ?? (route.method === "GET" || route.method === "DELETE" ? undefined : {})
  return shop.call(route.method, `${path}${queries[`${route.method} ${route.path}`] ?? ""}`, {
    ...(route.policy.surface === "admin" ? { key: shop.apiKey } : {}),
    ...(takesFile(route) ? { raw: formOf({ bytes: png(2, 2) }) } : body === undefined ? {} : { body }),
    headers: {
      origin: "https://shop.example",
      ...(route.policy.customer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(route.policy.idempotency === "required" ? { "idempotency-key": idempotencyKey } : {})
    }
  })
}

const named = routes.filter((route) => /:(?!salesChannelId|storeId)/.test(route.path))

describe("another store's ids", () => {
  it("are covered for every route that takes one", () => {
    const missing = named.flatMap((route) => {
      const kinds: Array<string> = []
      fill(route, (kind) => (kinds.push(kind), "x"))
      return kinds.filter((kind) => foreign[kind] === undefined).map((kind) => `${route.method} ${route.path}: ${kind}`)
    })
    expect(missing).toEqual([])
  })

  it.each(named.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "are as unknown to %s as ids that never were",
    async (name, route) => {
      const before = await fingerprintOf(other.storeId)
      const theirs = await call(
        route,
        fill(route, (kind) => foreign[kind] ?? "x"),
        `theirs-${name}`
      )
      const unknown = await call(
        route,
        fill(route, (kind) => `${(foreign[kind] ?? "x_x").split("_")[0]}_00000000000000000000000000`),
        `unknown-${name}`
      )
      expect([theirs.status, theirs.body?.code]).toEqual([unknown.status, unknown.body?.code])
      expect(theirs.text).not.toContain(other.storeId)
      if (!route.path.endsWith("/inventory") || route.method !== "GET") expect(theirs.status).toBe(404)
      expect(await fingerprintOf(other.storeId)).toEqual(before)
    }
  )

  it("of a channel open no door to a store's keys, and a key none to another's channel routes", async () => {
    const throughTheirs = await shop.call("GET", `/vc/${other.channelId}/cart/${foreign["cart"]}`)
    expect(throughTheirs.status).toBe(200)
    const throughOurs = await shop.call("GET", `/vc/${shop.channelId}/cart/${foreign["cart"]}`)
    expect(throughOurs.status).toBe(404)
  })
})

/** Asks for everything that the store $1 has, as one hash a table: every table of the schema that names a store. */
const fingerprintQuery = async (): Promise<string> => {
  const { rows } = await owner.query(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'store_id'
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`
  )
  const names = rows.map(({ name }) => String(name))
  expect(names).toEqual(expect.arrayContaining(["product", "orders", "event", "stock", "metafield_value"]))
  const hashOf = (name: string, column: string) =>
    `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS hash
      FROM "${name}" t WHERE ${column} = $1`
  return [hashOf("store", "id"), ...names.map((name) => hashOf(name, "store_id"))].join(" UNION ALL ")
}

/** What a refused call must not have changed. */
const fingerprintOf = async (storeId: string): Promise<ReadonlyArray<Record<string, unknown>>> =>
  (await owner.query(fingerprint, [storeId])).rows
