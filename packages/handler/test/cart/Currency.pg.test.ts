import { ProductImports } from "@effect-commerce/core/product/ProductImports"
import { Stores } from "@effect-commerce/core/store/Stores"
import { waitedFor } from "@effect-commerce/core/testing/LockWaits"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { customersOf, rowsOf } from "../customer/SignedIn.ts"
import { keyIn, noticeOf, scriptedPayments, stands, tell } from "../payment/ScriptedProvider.ts"

/** A store that sells in another currency than it did: 1999 of one are not 1999 of the other. */
let shop: TestCommerce
let twin: Commerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", ...scriptedPayments })
  twin = await shop.openTwin()
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

/** What PATCH refuses while there are amounts, and what an earlier release has allowed. */
const sellIn = (currency: string) =>
  rowsOf(shop, "UPDATE store SET currency = $2, rules_version = rules_version + 1 WHERE id = $1", [
    shop.storeId,
    currency
  ])
const sold = () => rowsOf(shop, "SELECT count(*)::int AS n FROM orders WHERE store_id = $1", [shop.storeId])
const complete = (checkoutId: string, body: object = {}) =>
  shopper.complete(checkoutId, `currency-${checkoutId}-${Math.random()}`, body)
const changed = { reason: "currency_changed", currency: "USD", storeCurrency: "IDR" }

describe("after the store's currency has changed", () => {
  let lamp: string
  let cartId: string
  let itemId: string
  let checkoutId: string
  let rateId: string
  beforeAll(async () => {
    lamp = await shopper.product({ price: 1_999n, stock: 50 })
    const { body: zone } = await shop.call("POST", "/v1/shipping/zones", { body: { name: "Home", countries: ["US"] } })
    const { body: rate } = await shop.call("POST", `/v1/shipping/zones/${zone.id}/rates`, {
      body: { name: "Post", type: "FLAT", rateConfig: { amount: "5.00" } }
    })
    rateId = rate.id
  })
  beforeEach(async () => {
    await sellIn("USD")
    cartId = await shopper.cart([lamp, 2])
    itemId = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body.items[0].id
    checkoutId = await shopper.checkout(cartId)
  })
  afterAll(() => sellIn("USD"))

  it("a cart is read as it was, and every write to it is 409 and changes nothing", async () => {
    const at = `${shopper.at}/cart/${cartId}`
    const { body: before } = await shop.call("GET", at)
    await sellIn("IDR")
    const { body: after } = await shop.call("GET", at)
    expect(after).toEqual({ ...before, hasPriceChanges: true })
    expect([after.currency, after.subtotal]).toEqual(["USD", "39.98"])
    for (const [method, path, body] of [
      ["POST", `${at}/items`, { productId: lamp, quantity: 1 }],
      ["PATCH", `${at}/items/${itemId}`, { quantity: 3 }],
      ["PATCH", `${at}/items/${itemId}`, { quantity: 0 }],
      ["DELETE", `${at}/items/${itemId}`],
      ["PATCH", at, { notes: "now" }],
      ["PATCH", at, { currency: "IDR" }],
      ["PATCH", at, { currency: "USD" }],
      ["POST", `${at}/coupon`, { code: "TEN" }],
      ["DELETE", `${at}/coupon`],
      ["POST", `${at}/refresh-snapshots`],
      ["POST", `${at}/bundle`, { bundleOfferId: "offer" }],
      ["POST", `${at}/upgrade`, { offerId: "offer" }],
      ["POST", `${at}/order-bump`, { offerId: "offer" }],
      ["DELETE", `${at}/bundle/none`],
      ["POST", `${shopper.at}/checkout`, { cartId }],
      ["DELETE", at],
      ["POST", `/v1/cart/${cartId}/items`, { productId: lamp, quantity: 1 }],
      ["PATCH", `/v1/cart/${cartId}`, { notes: "now" }],
      ["DELETE", `/v1/cart/${cartId}/items/${itemId}`],
      ["DELETE", `/v1/cart/${cartId}`]
    ] as const) {
      const refused = await shop.call(method, path, body === undefined ? {} : { body })
      expect([method, path, refused.status, refused.body.code, refused.body.details]).toEqual([
        method,
        path,
        409,
        "CONFLICT",
        changed
      ])
    }
    expect((await shop.call("GET", at)).body).toEqual(after)
  })

  it("a checkout is read without rates of the other currency, its steps and its completion are 409 on both surfaces, and it can be cancelled", async () => {
    const at = `${shopper.at}/checkout/${checkoutId}`
    expect((await shop.call("GET", at)).body).toMatchObject({ shippingAmount: "5.00", total: "44.98", currency: "USD" })
    const before = await sold()
    await sellIn("IDR")
    const { body: seen } = await shop.call("GET", at)
    expect(seen).toMatchObject({
      status: "PENDING",
      currency: "USD",
      subtotal: "39.98",
      shippingAmount: "0.00",
      availableShippingRates: []
    })
    expect((await shop.call("GET", `${at}/shipping-rates`)).body).toEqual({ rates: [] })
    for (const [method, path, body] of [
      ["PATCH", `${at}/customer`, { email: "bob@example.com" }],
      ["PATCH", `${at}/shipping`, { shippingAddress: { line1: "1 Main St", city: "Town", country: "US" } }],
      ["PATCH", `${at}/shipping-method`, { shippingRateId: rateId }],
      ["PATCH", `${at}/delivery`, { deliveryType: "pickup" }],
      ["PATCH", `${at}/custom-fields`, { values: {} }],
      ["POST", `${at}/coupon`, { code: "TEN" }],
      ["DELETE", `${at}/coupon`],
      ["POST", `${at}/gift-card`, { code: "TEN" }],
      ["POST", `${at}/payment`, { providerId: "test" }],
      ["POST", `${at}/complete`, {}],
      ["POST", `${at}/complete`, { paymentMethod: "provider", providerId: "scripted", paymentReference: "approve" }],
      ["POST", `/v1/checkout/${checkoutId}/complete`, {}]
    ] as const) {
      const refused = await shop.call(method, path, {
        body,
        headers: path.endsWith("/complete") ? { "idempotency-key": `c-${path}-${JSON.stringify(body)}` } : {}
      })
      expect([method, path, refused.status, refused.body.code, refused.body.details]).toEqual([
        method,
        path,
        409,
        "CONFLICT",
        changed
      ])
    }
    expect([await sold(), (await shop.call("GET", at)).body]).toEqual([before, seen])
    expect((await shop.call("DELETE", at)).status).toBe(200)
    expect((await shop.call("GET", at)).body.status).toBe("CANCELLED")
  })

  it("is known at once to a process that remembers the store as it was", async () => {
    const ask = (method: string, path: string, body?: object) =>
      twin.fetch(
        new Request(`http://commerce.test/api${path}`, {
          method,
          headers: {
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            "idempotency-key": `twin-${path}`
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
      )
    expect((await ask("PATCH", `${shopper.at}/cart/${cartId}`, { notes: "USD" })).status).toBe(200)
    await sellIn("IDR")
    expect((await ask("POST", `${shopper.at}/cart/${cartId}/items`, { productId: lamp, quantity: 1 })).status).toBe(409)
    expect((await ask("POST", `${shopper.at}/checkout/${checkoutId}/complete`, {})).status).toBe(409)
  })

  it("money that was asked for before makes its order in the currency it was taken in", async () => {
    expect(
      (await complete(checkoutId, { paymentMethod: "provider", providerId: "scripted", paymentReference: "silence" }))
        .status
    ).toBe(500)
    await sellIn("IDR")
    const key = keyIn(shop.storeId, checkoutId)
    stands(key, { captured: 4_498n })
    expect(await tell(shop, noticeOf(key))).toBe(true)
    const [order] = await rowsOf(
      shop,
      "SELECT currency, total_amount::int AS total, financial_status FROM orders WHERE checkout_id = $1",
      [checkoutId]
    )
    expect(order).toEqual({ currency: "USD", total: 4_498, financial_status: "paid" })
  })

  it("a customer gets a new cart, also from a session that was merged before", async () => {
    const at = customersOf(shop)
    const customer = await at.known()
    const { body: old } = await at.me(customer.token, "GET", "/cart")
    const { body: source } = await shop.call("GET", `${shopper.at}/cart/${cartId}`)
    const merge = () => at.as(customer.token, "POST", `${shopper.at}/cart/merge`, { sessionToken: source.sessionToken })
    expect((await merge()).body.id).toBe(old.id)
    await sellIn("IDR")
    const again = await merge()
    expect([again.status, again.body.id === old.id, again.body.currency, again.body.items]).toEqual([
      200,
      false,
      "IDR",
      []
    ])
    expect(
      (
        await at.as(customer.token, "POST", `${shopper.at}/cart/${again.body.id}/items`, {
          productId: lamp,
          quantity: 1
        })
      ).status
    ).toBe(200)
  })
})

describe("the store's currency", () => {
  const patch = (store: TestStore, currency: string) =>
    shop.call("PATCH", "/v1/store", { body: { currency }, key: store.apiKey })
  const on = (store: TestStore, method: string, path: string, body?: object) =>
    shop.call(method, path, { key: store.apiKey, ...(body === undefined ? {} : { body }) })

  it("can change while there are no amounts in it, and carts that were begun are of the old one", async () => {
    const store = await shop.openStore()
    await on(store, "POST", "/v1/shipping/zones", { name: "Home", countries: ["US"] })
    const { body: cart } = await shop.call("POST", `/vc/${store.channelId}/cart`)
    expect((await patch(store, "IDR")).body.currency).toBe("IDR")
    const { body: lamp } = await on(store, "POST", "/v1/products", {
      name: "Lamp",
      basePrice: "19.99",
      status: "active",
      inventory: { total: 5 }
    })
    const added = await shop.call("POST", `/vc/${store.channelId}/cart/${cart.id}/items`, {
      body: { productId: lamp.id, quantity: 1 }
    })
    expect([added.status, added.body.details]).toEqual([409, changed])
  })

  it("stays while the store has products or rates: naming the same one changes nothing", async () => {
    const store = await shop.openStore()
    const { body: lamp } = await on(store, "POST", "/v1/products", { name: "Lamp", basePrice: "19.99" })
    const { body: zone } = await on(store, "POST", "/v1/shipping/zones", { name: "Home", countries: ["US"] })
    const { body: rate } = await on(store, "POST", `/v1/shipping/zones/${zone.id}/rates`, {
      name: "Post",
      type: "FLAT",
      rateConfig: { amount: "5.00" }
    })
    const refusal = async () => {
      const { status, body } = await patch(store, "IDR")
      return [status, body.code, body.details]
    }
    const inUse = (...usedBy: ReadonlyArray<string>) => [
      409,
      "CONFLICT",
      { reason: "currency_in_use", currency: "USD", usedBy }
    ]
    expect(await refusal()).toEqual(inUse("products", "shippingRates"))
    expect((await patch(store, "USD")).status).toBe(200)
    await on(store, "DELETE", `/v1/products/${lamp.id}`)
    expect(await refusal()).toEqual(inUse("shippingRates"))
    await on(store, "PATCH", `/v1/shipping/zones/${zone.id}/rates/${rate.id}`, { type: "FREE", rateConfig: {} })
    expect((await patch(store, "IDR")).body.currency).toBe("IDR")
    await on(store, "PATCH", `/v1/shipping/zones/${zone.id}/rates/${rate.id}`, { minOrderAmount: "5.00" })
    expect((await patch(store, "USD")).body.details).toEqual({
      reason: "currency_in_use",
      currency: "IDR",
      usedBy: ["shippingRates"]
    })
  })

  it("stays while products are waiting to be made, and while only a variant or a draft has a price", async () => {
    const waiting = await shop.openStore()
    expect(
      (await on(waiting, "POST", "/v1/products/bulk", { products: [{ name: "Lamp", basePrice: "19.99" }] })).status
    ).toBe(202)
    expect((await patch(waiting, "IDR")).body.details).toEqual({
      reason: "currency_in_use",
      currency: "USD",
      usedBy: ["productImports"]
    })
    const drafts = await shop.openStore()
    await on(drafts, "POST", "/v1/products", {
      name: "Shirt",
      type: "VARIABLE",
      status: "draft",
      variants: [{ attributes: { Size: "S" }, price: 1 }]
    })
    const refused = await shop.call("PATCH", "/v1/store", {
      body: { currency: "IDR", name: "Renamed" },
      key: drafts.apiKey
    })
    expect([refused.status, refused.body.details.usedBy]).toEqual([409, ["products"]])
    expect((await on(drafts, "GET", "/v1/store")).body).toMatchObject({ currency: "USD", name: "Test store" })
  })

  it("does not change under a product that is being written, and products that were read in the old one are refused", async () => {
    const store = await shop.openStore()
    const body = { name: "Lamp", basePrice: "19.99" }
    const client = new pg.Client(shop.database.nodePostgres)
    await client.connect()
    try {
      // Somebody writes a row of the store, and has not committed.
      await client.query("BEGIN")
      await client.query("SELECT 1 FROM store WHERE id = $1 FOR KEY SHARE", [store.storeId])
      const changing = patch(store, "IDR")
      await waitedFor(client)
      // Sent after it, in the process that still knows the old currency: whoever comes first, no amount is read in one
      // and kept as the other.
      const making = on(store, "POST", "/v1/products", body)
      await client.query("COMMIT")
      const [stored, made] = await Promise.all([changing, making])
      const { body: now } = await on(store, "GET", "/v1/store")
      expect([200, 409]).toContain(stored.status)
      expect([made.status, made.body.displayCurrency, made.body.basePrice]).toEqual([201, now.currency, "19.99"])
      const again = await on(store, "POST", "/v1/products", body)
      expect([again.status, again.body.displayCurrency, again.body.basePrice]).toEqual([201, now.currency, "19.99"])
    } finally {
      await client.end()
    }
  })

  it("of another process's memory is not the currency of a new cart, whoever makes it", async () => {
    const at = customersOf(shop)
    const customer = await at.known()
    const signedIn = { authorization: `Bearer ${customer.token}` }
    const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
      const asked = new Request(`http://commerce.test/api${path}`, { method, headers })
      return (await (await twin.fetch(asked)).json()) as { readonly id: string; readonly currency: string }
    }
    const makers = [
      () => ask("POST", `${shopper.at}/cart`),
      () => ask("GET", `${at.at}/me/cart`, signedIn),
      () => ask("POST", "/v1/cart", { authorization: `Bearer ${shop.apiKey}` })
    ]
    for (const make of makers) {
      for (const currency of ["USD", "JPY"]) {
        await ask("GET", `${shopper.at}/cart/none`)
        await sellIn(currency)
        const made = await make()
        expect([made.currency, (await rowsOf(shop, "SELECT currency FROM cart WHERE id = $1", [made.id]))[0]]).toEqual([
          currency,
          { currency }
        ])
        expect((await shop.call("PATCH", `/v1/cart/${made.id}`, { body: { notes: "mine" } })).status).toBe(200)
      }
    }
    await sellIn("USD")
  })

  it("of a worker's memory does not refuse the products of a bulk call", async () => {
    const store = await shop.openStore()
    const imported = Effect.gen(function* () {
      const [stores, imports] = [yield* Stores, yield* ProductImports]
      const remembered = yield* stores.context(store.storeId)
      yield* Effect.promise(() =>
        rowsOf(shop, "UPDATE store SET currency = 'JPY', rules_version = rules_version + 1 WHERE id = $1", [
          store.storeId
        ])
      )
      const { jobId } = yield* imports.start(remembered, [
        { name: "Lamp", basePrice: "19" },
        { name: "Chair", basePrice: "20" }
      ])
      yield* imports.pass
      return yield* imports.progress(remembered, jobId)
    })
    const { succeeded, failed } = await shop.run(imported as unknown as Effect.Effect<Effect.Success<typeof imported>>)
    expect([succeeded, failed]).toEqual([2, 0])
    expect(
      await rowsOf(shop, "SELECT name, base_price::int AS price FROM product WHERE store_id = $1 ORDER BY name", [
        store.storeId
      ])
    ).toEqual([
      { name: "Chair", price: 20 },
      { name: "Lamp", price: 19 }
    ])
  })

  it("of another process's memory is not taken for a product or a rate", async () => {
    const store = await shop.openStore()
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await twin.fetch(
        new Request(`http://commerce.test/api${path}`, {
          method,
          headers: { "content-type": "application/json", authorization: `Bearer ${store.apiKey}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
      )
      return [answer.status, ((await answer.json()) as { details?: object }).details]
    }
    const { body: zone } = await on(store, "POST", "/v1/shipping/zones", { name: "Home", countries: ["US"] })
    expect((await ask("GET", "/v1/store"))[0]).toBe(200)
    expect((await patch(store, "JPY")).status).toBe(200)
    // A product and a rate are read in what the store sells in by then, which here has no cents.
    expect((await ask("POST", "/v1/products", { name: "Lamp", basePrice: "19.99" }))[0]).toBe(400)
    expect((await ask("GET", "/v1/store"))[0]).toBe(200)
    expect((await patch(store, "USD")).status).toBe(200)
    expect(
      (
        await ask("POST", `/v1/shipping/zones/${zone.id}/rates`, {
          name: "Post",
          type: "FLAT",
          rateConfig: { amount: "5" }
        })
      )[0]
    ).toBe(201)
    expect(
      await rowsOf(shop, "SELECT rate_config->>'amount' AS amount FROM shipping_rate WHERE store_id = $1", [
        store.storeId
      ])
    ).toEqual([{ amount: "5.00" }])
    expect((await ask("POST", "/v1/products", { name: "Lamp", basePrice: "19.99" }))[0]).toBe(201)
  })
})
