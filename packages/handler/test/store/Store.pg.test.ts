import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const patch = (body: object) => shop.call("PATCH", "/v1/store", { body })

describe("store settings", () => {
  it("are shown whole, and changed one by one", async () => {
    const { body } = await shop.call("GET", "/v1/store")
    const { updatedAt, ...settings } = body
    expect(settings).toEqual({
      id: shop.storeId,
      accountId: shop.accountId,
      connectedPlatforms: [],
      name: "Test store",
      currency: "USD",
      country: "US",
      languages: ["en"],
      timezone: "UTC",
      priceIncludesTax: false,
      taxRounding: "line",
      taxRoundingMode: "half_up",
      stackRounding: "combined",
      reservation: { strategy: "ON_PAYMENT", minutes: 15 },
      customerVerification: "off",
      lateCapture: "create_order",
      cartLifetimeMinutes: 43_200,
      checkoutLifetimeMinutes: 1_440,
      abandonedAfterMinutes: 240,
      recoveryAfterMinutes: 60
    })
    const changed = await patch({ languages: ["en", "de"], reservation: { minutes: 20 } })
    expect({ ...changed.body, updatedAt }).toEqual({
      ...body,
      languages: ["en", "de"],
      reservation: { strategy: "ON_PAYMENT", minutes: 20 }
    })
  })

  it.each([
    ["a currency that is none", { currency: "ZZZ" }, "currency"],
    ["a country that is none", { country: "UK" }, "country"],
    ["a time zone that is none", { timezone: "Mars/One" }, "timezone"],
    ["no language at all", { languages: [] }, "languages"],
    ["a blank name", { name: " " }, "name"],
    ["no name", { name: null }, "name"],
    ["an unknown rounding", { taxRounding: "up" }, "taxRounding"],
    ["an unknown strategy", { reservation: { strategy: "ON_LOOK" } }, "reservation.strategy"],
    ["a reservation of no time", { reservation: { minutes: 0 } }, "reservation.minutes"]
  ])("refuse %s and keep what was there", async (_what, body, field) => {
    const before = await shop.call("GET", "/v1/store")
    const refused = await patch(body)
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      [field]
    ])
    expect((await shop.call("GET", "/v1/store")).body).toEqual(before.body)
  })
})

describe("lists that stay short", () => {
  it("are the common envelope too: sales channels by page", async () => {
    await shop.call("POST", "/v1/sales-channels", { body: { name: "Second" } })
    const { body } = await shop.call("GET", "/v1/sales-channels?limit=1&page=2")
    expect(body.meta).toEqual({ page: 2, limit: 1, total: 2, totalPages: 2 })
    expect(body.data.map((channel: { name: string }) => channel.name)).toEqual(["Second"])
    expect(body.data[0].connectionId).toBe(body.data[0].id)
  })

  it("are the common envelope too: API keys, never with the key itself", async () => {
    const { body } = await shop.call("GET", "/v1/api-keys")
    expect(body.meta).toEqual({ page: 1, limit: 20, total: 1, totalPages: 1 })
    expect([body.data[0].keyPrefix, body.data[0].key]).toEqual([shop.apiKey.slice(0, 12), undefined])
  })

  it("rotate a key with no body as with an empty one: the old key stays good for a day", async () => {
    const { body: key } = await shop.call("POST", "/v1/api-keys", { body: { name: "k", scopes: ["store:read"] } })
    const rotated = await shop.call("POST", `/v1/api-keys/${key.id}/rotate`)
    expect(rotated.status).toBe(200)
    for (const one of [key.key, rotated.body.key])
      expect((await shop.call("GET", "/v1/store", { key: one })).status).toBe(200)
  })
})
