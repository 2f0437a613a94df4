import { Database } from "@effect-commerce/core/database/Database"
import { Stores } from "@effect-commerce/core/store/Stores"
import { waitedFor } from "@effect-commerce/core/testing/LockWaits"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

/**
 * The process that changes, and the one that prices at once afterwards with everything in memory that it had before.
 */
let shop: TestCommerce
let other: Commerce
let shopper: ReturnType<typeof shopperOf>
let lamp: string
let taxRate: string
let rates: string
let standard: string
const california = addressIn("CA", "94105")

beforeAll(async () => {
  shop = await openTestCommerce()
  other = await shop.openTwin()
  shopper = shopperOf(shop)
  lamp = await shopper.product({ price: 1_005n, stock: 100 })
  taxRate = (await shop.call("POST", "/v1/tax/rates", { body: { name: "Tax", country: "US", rate: 10 } })).body.id
  const zone = await shop.call("POST", "/v1/shipping/zones", { body: { name: "US", countries: ["US"] } })
  rates = `/v1/shipping/zones/${zone.body.id}/rates`
  const flat = { name: "Standard", type: "FLAT", rateConfig: { amount: "5.00" }, taxStatus: "none" }
  standard = (await shop.call("POST", rates, { body: flat })).body.id
})
afterAll(() => shop.close())

/** As the owner of the tables. */
const change = async (sql: string) => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

const there = async (method: string, path: string, body?: object, store: Pick<TestStore, "apiKey"> = shop) => {
  const response = await other.fetch(
    new Request(`http://commerce.test/api${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(path.startsWith("/v1/") ? { authorization: `Bearer ${store.apiKey}` } : {}),
        ...(path.endsWith("/complete") ? { "idempotency-key": `two-${keys++}` } : {})
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }),
    { clientAddress: "127.0.0.1" }
  )
  const answer = await response.json()
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads any path of any answer
  return { status: response.status, body: answer as any }
}
let keys = 0
const checkoutThere = async () => {
  const { body: cart } = await there("POST", `${shopper.at}/cart`)
  await there("POST", `${shopper.at}/cart/${cart.id}/items`, { productId: lamp, quantity: 1 })
  const { body: made } = await there("POST", `${shopper.at}/checkout`, { cartId: cart.id })
  await there("PATCH", `${shopper.at}/checkout/${made.id}/customer`, { email: "ada@example.com" })
  await there("PATCH", `${shopper.at}/checkout/${made.id}/shipping`, { shippingAddress: california })
  await there("PATCH", `${shopper.at}/checkout/${made.id}/shipping-method`, { shippingRateId: standard })
  return made.id as string
}
const adminOrder = () => ({ items: [{ productId: lamp, quantity: 1 }], shippingAddress: california })
const shopperOrder = () => ({
  items: [{ productId: lamp, quantity: 1, price: "10.05" }],
  customer: { email: "ada@example.com" },
  shippingAddress: california
})
const merchants = "POST /v1/orders"
/** What one lamp comes to in the other process, however it is asked. */
const surfaces: Record<string, () => Promise<() => Promise<string>>> = {
  [merchants]: async () => {
    const ask = async () => (await there("POST", "/v1/orders", adminOrder())).body.totalAmount
    await ask()
    return ask
  },
  "POST /vc/{sc}/orders": async () => {
    const ask = async () => (await there("POST", `${shopper.at}/orders`, shopperOrder())).body.total
    await ask()
    return ask
  },
  "GET checkout": async () => {
    const id = await checkoutThere()
    return async () => (await there("GET", `${shopper.at}/checkout/${id}`)).body.total
  },
  "PATCH checkout": async () => {
    const id = await checkoutThere()
    return async () =>
      (await there("PATCH", `${shopper.at}/checkout/${id}/customer`, { email: "b@example.com" })).body.total
  },
  "POST complete": async () => {
    const id = await checkoutThere()
    return async () => (await there("POST", `${shopper.at}/checkout/${id}/complete`, {})).body.total
  },
  "POST /v1 complete": async () => {
    const id = await checkoutThere()
    return async () => (await there("POST", `/v1/checkout/${id}/complete`, {})).body.total
  }
}

describe("the process next door prices at once by", () => {
  const money = (minor: number) => (minor / 100).toFixed(2)
  for (const [surface, prepare] of Object.entries(surfaces)) {
    // An order of the merchant's has no shipping that it was not given.
    const shipping = surface === merchants ? 0 : 500
    it(`a tax rate that was changed: ${surface}`, async () => {
      const total = await prepare()
      await shop.call("PATCH", `/v1/tax/rates/${taxRate}`, { body: { rate: 20 } })
      expect(await total()).toBe(money(1_005 + 201 + shipping))
      await shop.call("PATCH", `/v1/tax/rates/${taxRate}`, { body: { rate: 10 } })
    })

    it(`how taxes are rounded: ${surface}`, async () => {
      const total = await prepare()
      // 10 % of 10.05 is 1.005.
      await shop.call("PATCH", "/v1/store", { body: { taxRoundingMode: "half_down" } })
      expect(await total()).toBe(money(1_005 + 100 + shipping))
      const again = await prepare()
      await shop.call("PATCH", "/v1/store", { body: { taxRoundingMode: "half_up" } })
      expect(await again()).toBe(money(1_005 + 101 + shipping))
    })
  }

  it.each(Object.keys(surfaces).filter((surface) => surface !== merchants))(
    "what shipping costs: %s",
    async (surface) => {
      const total = await surfaces[surface]?.()
      await shop.call("PATCH", `${rates}/${standard}`, { body: { rateConfig: { amount: "7.00" } } })
      expect(await total?.()).toBe(money(1_005 + 101 + 700))
      await shop.call("PATCH", `${rates}/${standard}`, { body: { rateConfig: { amount: "5.00" } } })
    }
  )

  it("the rates of a class of goods that was set up", async () => {
    const id = await checkoutThere()
    const { body: bulky } = await shop.call("POST", "/v1/shipping/classes", { body: { name: "Bulky" } })
    await shop.call("PATCH", `/v1/products/${lamp}`, { body: { shippingClassId: bulky.id } })
    await shop.call("PATCH", `${rates}/${standard}`, { body: { classCosts: { [bulky.id]: "3.00" } } })
    expect((await there("GET", `${shopper.at}/checkout/${id}/shipping-rates`)).body.rates[0].price).toBe("8.00")
    await shop.call("PATCH", `${rates}/${standard}`, { body: { classCosts: {} } })
    expect((await there("GET", `${shopper.at}/checkout/${id}/shipping-rates`)).body.rates[0].price).toBe("5.00")
  })

  it("where the store ships, and where it is picked up", async () => {
    const destinations = async () =>
      (await there("GET", `${shopper.at}/shipping/destinations`)).body.countries.map(
        ({ code }: { code: string }) => code
      )
    const places = async () => (await there("GET", `${shopper.at}/pickup-locations`)).body.pickupLocations.length
    expect([await destinations(), await places()]).toEqual([["US"], 0])
    const zone = await shop.call("POST", "/v1/shipping/zones", { body: { name: "France", countries: ["FR"] } })
    const location = { name: "Desk", address: { line1: "1 Rue", city: "Paris", country: "FR" } }
    const desk = { name: "Desk", type: "PICKUP", rateConfig: { amount: "0.00", location } }
    await shop.call("POST", `/v1/shipping/zones/${zone.body.id}/rates`, { body: desk })
    expect([await destinations(), await places()]).toEqual([["FR", "US"], 1])
    await shop.call("DELETE", `/v1/shipping/zones/${zone.body.id}`)
    expect([await destinations(), await places()]).toEqual([["US"], 0])
  })

  it("whether carts hold stock", async () => {
    const scarce = await shopper.product({ stock: 1 })
    const { body: cart } = await there("POST", `${shopper.at}/cart`)
    const { body: second } = await there("POST", `${shopper.at}/cart`)
    await shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_CART", minutes: 15 } } })
    const line = { productId: scarce, quantity: 1 }
    const held = await there("POST", `${shopper.at}/cart/${cart.id}/items`, line)
    expect(held.body.reservation).toMatchObject({ hasReservation: true, strategy: "ON_CART" })
    const refused = await there("POST", `${shopper.at}/cart/${second.id}/items`, line)
    expect([refused.status, refused.body.code]).toEqual([400, "INSUFFICIENT_STOCK"])
    const extend = () => there("POST", `${shopper.at}/reservation/extend`, { cartId: cart.id })
    expect((await extend()).body).toMatchObject({ success: true, reservation: { strategy: "ON_CART" } })
    await shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_PAYMENT" } } })
    expect((await extend()).status).toBe(400)
    const third = await there("POST", `${shopper.at}/cart/${second.id}/items`, { productId: lamp, quantity: 1 })
    expect(third.body.reservation).toMatchObject({ hasReservation: false, strategy: "ON_PAYMENT" })
  })

  it("what becomes of money that comes too late", async () => {
    const id = await checkoutThere()
    await there("POST", `${shopper.at}/checkout/${id}/complete`, { paymentMethod: "test", paymentReference: "timeout" })
    await change(`UPDATE checkout SET expires_at = created_at WHERE id = '${id}'`)
    await shop.call("PATCH", "/v1/store", { body: { lateCapture: "refund" } })
    const told = await there("POST", "/test/provider-events", { checkoutId: id, type: "captured" })
    expect(told.body.orderId).toBeNull()
    await shop.call("PATCH", "/v1/store", { body: { lateCapture: "create_order" } })
  })

  it("the currency that a store was given before it had anything to sell", async () => {
    const young = await shop.openStore()
    const items = (price: string) => ({ items: [{ name: "Repair", price, quantity: 1 }] })
    expect((await there("POST", "/v1/orders", items("10.50"), young)).body.totalAmount).toBe("10.50")
    await shop.call("PATCH", "/v1/store", { body: { currency: "JPY" }, key: young.apiKey })
    const { body } = await there("POST", "/v1/orders", items("1050"), young)
    expect([body.totalAmount, body.currency]).toEqual(["1050", "JPY"])
    expect((await there("POST", "/v1/orders", items("10.50"), young)).status).toBe(400)
  })

  it.each([
    ["JPY", "1050", "1050", "10.50"],
    ["KWD", "1.050", "1.050", "1.0505"]
  ])(
    "the currency that a store was given before it had products, for one that is made there: %s",
    async (currency, price, answered, refused) => {
      const young = await shop.openStore()
      const product = (basePrice: string) => ({ name: "Lamp", slug: "lamp", basePrice, status: "active" })
      expect((await there("GET", "/v1/store", undefined, young)).body.currency).toBe("USD")
      await shop.call("PATCH", "/v1/store", { body: { currency }, key: young.apiKey })
      const made = await there("POST", "/v1/products", product(price), young)
      expect([made.status, made.body.basePrice, made.body.slug]).toEqual([201, answered, "lamp"])
      const shown = await shop.call("GET", `/vc/${young.channelId}/products`)
      expect(shown.body.data.map(({ basePrice }: { readonly basePrice: string }) => basePrice)).toEqual([answered])
      const events = await shop.call("GET", "/v1/events", { key: young.apiKey })
      expect(events.body.data.filter(({ type }: { readonly type: string }) => type === "product.created")).toHaveLength(
        1
      )
      expect((await there("POST", "/v1/products", product(refused), young)).status).toBe(400)
    }
  )

  it("the currency that a store is being given while a product is made", async () => {
    const young = await shop.openStore()
    expect((await there("GET", "/v1/store", undefined, young)).body.currency).toBe("USD")
    const merchant = new pg.Client(shop.database.nodePostgres)
    await merchant.connect()
    await merchant.query("BEGIN")
    await merchant.query("SELECT FROM store WHERE id = $1 FOR UPDATE", [young.storeId])
    await merchant.query("UPDATE store SET currency = 'JPY', rules_version = rules_version + 1 WHERE id = $1", [
      young.storeId
    ])
    const body = { name: "Lamp", slug: "lamp", basePrice: "1050" }
    const making = there("POST", "/v1/products", body, young)
    await waitedFor(merchant)
    await merchant.query("COMMIT")
    await merchant.end()
    expect((await making).body).toMatchObject({ basePrice: "1050", slug: "lamp" })
    expect((await there("GET", "/v1/products?limit=5", undefined, young)).body.data).toHaveLength(1)
  })

  it("whether prices contain the tax, for a rate that is made there", async () => {
    await shop.call("PATCH", "/v1/store", { body: { priceIncludesTax: true } })
    const made = await there("POST", "/v1/tax/rates", { name: "France", country: "FR", rate: 20 })
    expect(made.body.isInclusive).toBe(true)
    await shop.call("PATCH", "/v1/store", { body: { priceIncludesTax: false } })
    expect((await there("POST", "/v1/tax/rates", { name: "Spain", country: "ES", rate: 21 })).body.isInclusive).toBe(
      false
    )
  })
})

describe("a change that is not committed yet", () => {
  it("is known to nobody who reads meanwhile, and to everybody afterwards", async () => {
    const versions = Effect.gen(function* () {
      const stores = yield* Stores
      const database = yield* Database
      const before = yield* stores.fresh(yield* stores.context(shop.storeId))
      const elsewhere = Effect.runPromiseWith(yield* Effect.context())
      const during = yield* database.write(shop.storeId)(
        Effect.gen(function* () {
          const raised = yield* stores.bumpRules(before)
          const own = yield* stores.fresh(before)
          // Another request, on another connection, keeps what it finds.
          const seen = yield* Effect.promise(() => elsewhere(Effect.orDie(stores.context(shop.storeId))))
          return [raised.rulesVersion, own.rulesVersion, seen.rulesVersion]
        })
      )
      const after = yield* stores.context(shop.storeId)
      return [before.rulesVersion, ...during, after.rulesVersion].map((version) =>
        Number(version - before.rulesVersion)
      )
    })
    expect(await shop.run(Effect.orDie(versions) as unknown as Effect.Effect<ReadonlyArray<number>>)).toEqual([
      0, 1, 1, 0, 1
    ])
  })
})
