/** The fields of every declared body: what is no field is refused by its name, and what was read can be sent back. */
import { BodyShape } from "@effect-commerce/core/body/BodyShape"
import { OutboxRelay } from "@effect-commerce/core/outbox/OutboxRelay"
import type { Effect } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { bodiesOf } from "../../src/middleware/BodyFields.ts"
import { type DeclaredRoute, routesOf } from "../../src/middleware/routesOf.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { bodies } from "./rooms.ts"
import { type FilledCatalogue, fillCatalogue } from "./filledCatalogue.ts"
import { filledPath, fillStore, type Fingerprints, openFingerprints } from "./filledStore.ts"

interface BodyRoute extends DeclaredRoute {
  readonly shape: BodyShape
  readonly named: string
}

const endpoints: Array<HttpApiEndpoint.Top> = []
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint }) => void endpoints.push(endpoint as HttpApiEndpoint.Top)
})
const routes = routesOf(Api)
const withBody = routes.flatMap((route): ReadonlyArray<BodyRoute> => {
  const endpoint = endpoints.find(({ method, path }) => method === route.method && path === route.path)
  const declared = endpoint === undefined ? [] : bodiesOf(endpoint)
  return declared.length === 0
    ? []
    : [{ ...route, named: `${route.method} ${route.path}`, shape: new BodyShape(declared.map(({ ast }) => ast)) }]
})

let shop: TestCommerce
let ids: Record<string, string>
let token: string
let fingerprints: Fingerprints
let catalogue: FilledCatalogue

beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  const filled = await fillStore(shop, shop)
  token = filled.token
  catalogue = await fillCatalogue(shop, filled.ids)
  ids = { ...filled.ids, categories: catalogue.categoryId, variants: catalogue.variantId }
  // What is answered under an Idempotency-Key is kept, refusals too.
  fingerprints = await openFingerprints(shop, ["idempotency"])
  await shop.run(OutboxRelay.use((relay) => relay.relayStore(shop.storeId)) as unknown as Effect.Effect<void>)
})
afterAll(async () => {
  await fingerprints.close()
  await shop.close()
})

const pathOf = (route: DeclaredRoute, productId?: string) => {
  const product = productId ?? (route.path.includes(":variantId") ? catalogue.variableId : ids["products"])
  return filledPath(route, shop, (kind) => (kind === "products" ? product : ids[kind]) ?? "none_1")
}

let calls = 0
const send = (route: DeclaredRoute, body: unknown, path = pathOf(route), method = route.method) =>
  shop.call(method, path, {
    ...(route.policy.surface === "admin" ? { key: shop.apiKey } : {}),
    ...(method === "GET" ? {} : { body }),
    headers: {
      origin: "https://shop.example",
      ...(route.policy.customer === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(route.policy.idempotency === "required" ? { "idempotency-key": `body-${calls++}` } : {})
    }
  })

/** Paths to every object of a body whose fields are declared: `[]`, `["items", 0]`. */
const placesOf = (shape: BodyShape, path: ReadonlyArray<string | number> = []): ReadonlyArray<typeof path> => {
  if (path.length > 6 || shape.isFree) return []
  const own = shape.isObject ? [path] : []
  const below = shape.names.flatMap((name) => placesOf(shape.field(name), [...path, name]))
  return [...own, ...below, ...(shape.isList ? placesOf(shape.item, [...path, 0]) : [])]
}

const placed = (path: ReadonlyArray<string | number>, value: unknown): unknown =>
  path.reduceRight((inner, part) => (typeof part === "number" ? [inner] : { [part]: inner }), value)

describe("a name that is no field", () => {
  it.each(withBody.map((route) => [route.named, route] as const))(
    "of the body of %s is refused wherever it stands, and nothing is written",
    async (_named, route) => {
      const before = await fingerprints.of(shop.storeId)
      for (const place of placesOf(route.shape)) {
        const { status, body } = await send(route, placed(place, { zzUnknown: 1 }))
        const field = [...place, "zzUnknown"].join(".")
        expect([field, status, body.code]).toEqual([field, 400, "VALIDATION_FAILED"])
        expect(body.details.errors[field]).toMatch(/^no field of /)
        expect(body.message).toContain(`${field}: no field of `)
      }
      expect(await fingerprints.of(shop.storeId)).toEqual(before)
    }
  )

  it("names the nearest field, and what other systems call it", async () => {
    const errorsOf = async (path: string, body: object, method = "POST") =>
      (await shop.call(method, path, { body })).body.details?.errors
    expect(await errorsOf("/v1/products", { name: "Lamp", basePrize: "1.00" })).toEqual({
      basePrize: "no field of a product; did you mean basePrice?"
    })
    expect(await errorsOf("/v1/products", { name: "Lamp", price: "1.00", base_price: 1, stock: 3 })).toEqual({
      price: "no field of a product; did you mean basePrice?",
      base_price: "no field of a product; did you mean basePrice?",
      stock: "no field of a product; did you mean inventory?"
    })
    const address = { line1: "1 Main St", city: "Town", country: "US", zip: "94105", street: "x", province: "CA" }
    expect(
      await errorsOf(`/vc/${shop.channelId}/checkout/none/shipping`, { shippingAddress: address }, "PATCH")
    ).toEqual({
      "shippingAddress.zip": "no field of an address; did you mean postalCode?",
      "shippingAddress.street": "no field of an address; did you mean line1?",
      "shippingAddress.province": "no field of an address; did you mean region?"
    })
    expect(await errorsOf(`/vc/${shop.channelId}/cart/none/items`, { productId: "p", quantity: 1, qty: 2 })).toEqual({
      qty: "no field of a cart item; did you mean quantity?"
    })
  })

  it("is named together with values of a wrong type", async () => {
    const { body } = await shop.call("POST", "/v1/products", { body: { basePrize: 1, status: "sold", tags: "x" } })
    expect(body.details.errors).toEqual({
      basePrize: "no field of a product; did you mean basePrice?",
      name: "is required",
      status: "must be one of active, draft",
      tags: "must be a list"
    })
  })

  it("is free inside of objects that are the caller's own, and storeId is known to every admin route", async () => {
    const body = { translations: { de: { name: "Leuchte" } }, storeId: shop.storeId }
    expect((await shop.call("PATCH", `/v1/products/${ids["products"]}`, { body })).status).toBe(200)
    const item = { productId: ids["products"], quantity: 1, metadata: { anything: { at: "all" } } }
    expect((await shop.call("POST", `/v1/cart/${ids["cart"]}/items`, { body: item })).status).toBe(200)
  })
})

/** Without what each write changes. */
const withoutTimes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner) => (key === "updatedAt" || key === "expiresAt" ? undefined : inner)))

const getOf = (route: DeclaredRoute) => routes.find(({ method, path }) => method === "GET" && path === route.path)

/** Writes of what the same path reads, or what they answer themselves. */
const rewriting = withBody.filter(
  (route) =>
    (route.method === "PATCH" || route.method === "PUT") &&
    route.shape.isResource &&
    (getOf(route) !== undefined || (route.policy.reads === undefined && !route.path.includes("/checkout/")))
)

describe("what was read", () => {
  const sendBack = async (route: BodyRoute, path = pathOf(route)) => {
    const source = getOf(route)
    const shown = await send(route, bodies[route.named] ?? {}, path)
    const read = source === undefined ? shown : await send(source, undefined, path, "GET")
    expect([route.named, read.status, read.text.slice(0, 300)]).toEqual([route.named, 200, expect.anything()])
    // Of a list, one of its items is written.
    const written = await send(route, read.body.meta === undefined ? read.body : read.body.data[0], path)
    expect([route.named, written.status, written.status === 200 ? "" : written.text]).toEqual([route.named, 200, ""])
    const again = source === undefined ? written : await send(source, undefined, path, "GET")
    expect(withoutTimes(again.body)).toEqual(withoutTimes(read.body))
  }

  it.each(rewriting.map((route) => [route.named, route] as const))(
    "can be sent back to %s, and changes nothing",
    async (_named, route) => sendBack(route)
  )

  it("of products of every type, with all that they may have, can be sent back", async () => {
    const route = rewriting.find(({ named }) => named === "PATCH /api/v1/products/:id")
    if (route === undefined) throw new Error("products are written by PATCH")
    for (const id of catalogue.productIds) await sendBack(route, pathOf(route, id))
  })

  it("of a line of a cart, or of stock, can be sent back to where it is written", async () => {
    const cart = await shop.call("GET", `/v1/cart/${ids["cart"]}`)
    const at = `/v1/cart/${cart.body.id}/items/${cart.body.items[0].id}`
    const line = await shop.call("PATCH", at, { body: cart.body.items[0] })
    expect([line.status, line.body.items]).toEqual([200, cart.body.items])
    const stock = await shop.call("GET", `/v1/products/${ids["products"]}/inventory`)
    const bulk = await shop.call("PUT", "/v1/inventory/bulk", { body: { items: [stock.body] } })
    expect([bulk.status, withoutTimes(bulk.body.results[0].item)]).toEqual([200, withoutTimes(stock.body)])
  })

  it("of a product makes another one, but for what is unique", async () => {
    for (const id of catalogue.productIds) {
      const { body } = await shop.call("GET", `/v1/products/${id}`)
      // Stock of variants or components is no stock of a product's own.
      const { slug: _slug, translations: _texts, inventory, ...rest } = body
      const read = body.type === "SIMPLE" ? { ...rest, inventory } : rest
      const made = await shop.call("POST", "/v1/products", { body: read })
      expect([made.status, made.status === 201 ? "" : made.text]).toEqual([201, ""])
      expect(made.body.id).not.toBe(id)
      expect([made.body.name, made.body.basePrice, made.body.categories]).toEqual([
        read.name,
        read.basePrice,
        read.categories
      ])
    }
  })
})

describe("a product with variants that is named without one", () => {
  it("is answered by asking to choose, wherever it is bought or counted", async () => {
    const productId = catalogue.variableId
    const reason = "this product is sold by its variants: choose one"
    const item = { productId, quantity: 1 }
    const told = async (path: string, body: object, method = "POST") => {
      const answer = await shop.call(method, path, { body })
      return [answer.status, answer.body.code, answer.body.details.errors]
    }
    for (const at of [`/vc/${shop.channelId}/cart/${ids["cart"]}`, `/v1/cart/${ids["cart"]}`]) {
      expect(await told(`${at}/items`, item)).toEqual([400, "PRODUCT_UNAVAILABLE", { variantId: reason }])
      expect((await shop.call("POST", `${at}/items`, { body: item })).body).toMatchObject({
        message: `Choose a variant: ${reason}`,
        details: { items: [{ productId, variantId: null }] }
      })
    }
    expect(await told("/v1/orders", { items: [item] })).toEqual([
      400,
      "VALIDATION_FAILED",
      { "items.0.variantId": reason }
    ])
    const order = {
      items: [{ ...item, price: "9.00" }],
      customer: { email: "ada@example.com" },
      shippingAddress: { line1: "1 Main St", city: "Town", country: "US" }
    }
    expect(await told(`/vc/${shop.channelId}/orders`, order)).toEqual([
      400,
      "VALIDATION_FAILED",
      { "items.0.variantId": reason }
    ])
    const counted = "this product is counted by its variants: choose one"
    const at = `/v1/products/${productId}/inventory`
    expect(await told(at, { total: 1 }, "PUT")).toEqual([400, "VALIDATION_FAILED", { variantId: counted }])
    expect(await told(`${at}/adjust`, { delta: 1, reason: "received" })).toEqual([
      400,
      "VALIDATION_FAILED",
      { variantId: counted }
    ])
  })
})

describe("values that are wrong", () => {
  it("are all named where their types are right", async () => {
    const body = {
      name: "Lamp",
      slug: "no slug!",
      gtin: "1",
      basePrice: "1.001",
      salePrice: "x",
      salePriceStartsAt: "soon",
      kitDiscountValue: 5
    }
    const { status, body: answer } = await shop.call("POST", "/v1/products", { body })
    expect([status, answer.code, Object.keys(answer.details.errors).toSorted()]).toEqual([
      400,
      "VALIDATION_FAILED",
      expect.arrayContaining(["basePrice", "salePrice", "salePriceStartsAt"])
    ])
  })

  it("are told in sentences, never in the words of the library", async () => {
    const values = [5, "x", true, null, [], {}, ["x"], { x: 1 }, "", -1, 1.5, "x".repeat(200_000)]
    for (const route of withBody) {
      for (const value of values) {
        const body = Object.fromEntries(route.shape.names.map((name) => [name, value]))
        const { status, text } = await send(route, body, pathOf(route).replace(/_[0-9a-z]{20,}/g, "_none"))
        expect([route.named, status < 500]).toEqual([route.named, true])
        expect(text).not.toMatch(
          /Expected|Missing key|Invalid data|\bgot\b|Unexpected|undefined|<filter>|is not valid"/
        )
      }
    }
  })
})
