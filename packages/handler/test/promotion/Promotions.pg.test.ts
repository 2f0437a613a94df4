import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { openPromotions, promotionsPath as path } from "./promotions.ts"

let at: Awaited<ReturnType<typeof openPromotions>>
beforeAll(async () => {
  at = await openPromotions()
})
afterEach(() => at.clear())
afterAll(() => at.shop.close())

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const refused = async (body: object) => {
  const { status, body: answer } = await at.create(body)
  return [status, answer.code, answer.details?.errors]
}
const post = async (route: string, body: object): Promise<string> =>
  (await at.shop.call("POST", route, { body })).body.id

describe("promotions", () => {
  it("show every field, are listed in the order in which they are applied, changed and deleted", async () => {
    const product = await at.product({ name: "Lamp" })
    const category = await post("/v1/categories", { name: "Lamps" })
    const brand = await post("/v1/brands", { name: "Acme" })
    const created = await at.create({
      name: " Summer sale ",
      value: "12.50",
      minimumOrderAmount: 50,
      applicableProducts: [product, product],
      applicableCategories: [category],
      applicableBrands: [brand],
      startsAt: "2026-11-27",
      endsAt: "2026-12-01T01:00:00+01:00",
      usageLimit: 100,
      usageLimitPerCustomer: 1,
      priority: 2,
      combinesWithOther: true
    })
    const { id } = created.body
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^promo_/),
        storeId: at.shop.storeId,
        name: "Summer sale",
        type: "PERCENTAGE_OFF",
        value: "12.5",
        config: {},
        minimumOrderAmount: "50.00",
        applicableProducts: [{ id: product, name: "Lamp" }],
        applicableCategories: [{ id: category, name: "Lamps" }],
        applicableBrands: [{ id: brand, name: "Acme" }],
        startsAt: "2026-11-27T00:00:00.000Z",
        endsAt: "2026-12-01T00:00:00.000Z",
        usageLimit: 100,
        usageLimitPerCustomer: 1,
        usageCount: 0,
        isActive: true,
        priority: 2,
        combinesWithOther: true,
        createdAt: expect.stringMatching(isoTime),
        updatedAt: expect.stringMatching(isoTime)
      }
    ])
    expect((await at.shop.call("GET", `${path}/${id}`)).body).toEqual(created.body)
    const first = await at.offer({ name: "First", priority: -1 })
    const last = await at.offer({ name: "Last", priority: 2 })
    const listed = await at.shop.call("GET", `${path}?limit=2`)
    expect([listed.body.meta, listed.body.data.map((row: { name: string }) => row.name)]).toEqual([
      { page: 1, limit: 2, total: 3, totalPages: 2 },
      ["First", "Summer sale"]
    ])
    expect((await at.shop.call("GET", `${path}?limit=2&page=2`)).body.data).toEqual([last])
    const changed = await at.shop.call("PATCH", `${path}/${id}`, {
      body: { minimumOrderAmount: null, applicableProducts: null, startsAt: null, usageLimit: null, isActive: false }
    })
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...created.body,
        minimumOrderAmount: null,
        applicableProducts: [],
        startsAt: null,
        usageLimit: null,
        isActive: false,
        updatedAt: changed.body.updatedAt
      }
    ])
    expect(Date.parse(changed.body.updatedAt)).toBeGreaterThan(Date.parse(created.body.updatedAt))
    expect((await at.shop.call("DELETE", `${path}/${first.id}`)).body).toEqual({ success: true })
    const again = await at.shop.call("DELETE", `${path}/${first.id}`)
    expect([again.status, again.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    expect((await at.shop.call("GET", `${path}/${first.id}`)).status).toBe(404)
    expect((await at.shop.call("PATCH", `${path}/${first.id}`, { body: { name: "x" } })).status).toBe(404)
  })

  it("can be sent back as they were read, also when what they name was deleted since", async () => {
    const product = await at.product({ name: "Gone" })
    const { id } = await at.offer({ applicableProducts: [product], type: "AMOUNT_OFF", value: "2.5" })
    await at.shop.call("DELETE", `/v1/products/${product}`)
    const { body } = await at.shop.call("GET", `${path}/${id}`)
    expect([body.value, body.applicableProducts]).toEqual(["2.50", [{ id: product, name: "Gone" }]])
    const sent = await at.shop.call("PATCH", `${path}/${id}`, { body })
    expect([sent.status, sent.body]).toEqual([200, { ...body, updatedAt: sent.body.updatedAt }])
  })

  it("of the types that are worked out by their config show it in full", async () => {
    const zone = await post("/v1/shipping/zones", { name: "US", countries: ["US"] })
    const rate = await post(`/v1/shipping/zones/${zone}/rates`, { name: "Free", type: "FREE" })
    const shown = async (body: object) => {
      const { value, config } = await at.offer({ value: 0, ...body })
      return [value, config]
    }
    expect(await shown({ type: "BUY_X_GET_Y", config: { buyQuantity: 2, getQuantity: 1 } })).toEqual([
      "0",
      { buyQuantity: 2, getQuantity: 1, getDiscountPercent: "100", sameProducts: true }
    ])
    const tiers = [
      { minQuantity: 3, percent: "5" },
      { minQuantity: 10, amount: "12.00" }
    ]
    expect(await shown({ type: "TIERED", value: undefined, config: { tiers } })).toEqual(["0", { tiers }])
    expect(
      await shown({ type: "TIERED", config: { tiers: [{ minAmount: 50, minQuantity: null, percent: 7.5 }] } })
    ).toEqual(["0", { tiers: [{ minAmount: "50.00", percent: "7.5" }] }])
    expect(await shown({ type: "FREE_SHIPPING" })).toEqual(["0", { zoneIds: [], rateIds: [] }])
    const config = { zoneIds: [zone], rateIds: [rate] }
    expect(await shown({ type: "FREE_SHIPPING", config })).toEqual(["0", config])
    expect(await refused({ type: "FREE_SHIPPING", config: { zoneIds: [rate, "none"], rateIds: ["none"] } })).toEqual([
      400,
      "VALIDATION_FAILED",
      {
        "config.zoneIds.0": "is not a shipping zone of this store",
        "config.zoneIds.1": "is not a shipping zone of this store",
        "config.rateIds.0": "is not a shipping rate of this store"
      }
    ])
  })

  it("keep a zone and a rate that were deleted since, and take none that they did not have", async () => {
    const zone = await post("/v1/shipping/zones", { name: "Gone", countries: ["FR"] })
    const rate = await post(`/v1/shipping/zones/${zone}/rates`, { name: "Gone", type: "FREE" })
    const made = await at.offer({ type: "FREE_SHIPPING", config: { zoneIds: [zone], rateIds: [rate] } })
    expect((await at.shop.call("DELETE", `/v1/shipping/zones/${zone}`)).status).toBe(200)
    const { id, name, type, config } = made
    const again = await at.shop.call("PATCH", `/v1/promotions/${id}`, { body: { name, type, config } })
    expect([again.status, again.body.config]).toEqual([200, { zoneIds: [zone], rateIds: [rate] }])
    const other = await at.shop.call("PATCH", `/v1/promotions/${id}`, { body: { config: { zoneIds: [zone, "none"] } } })
    expect([other.status, Object.keys(other.body.details.errors)]).toEqual([400, ["config.zoneIds.1"]])
  })

  const buying = { buyQuantity: 2, getQuantity: 1 }
  const tiered = (...tiers: ReadonlyArray<object>) => ({ type: "TIERED", config: { tiers } })
  it.each<[ReadonlyArray<string>, object]>([
    [["name"], { name: "  " }],
    [["name"], { name: "x".repeat(201) }],
    [["type"], { type: "HALF_OFF" }],
    [["value"], { value: 101 }],
    [["value"], { value: -1 }],
    [["value"], { value: "ten" }],
    [["value"], { value: undefined }],
    [["value"], { value: null }],
    [["value"], { type: "AMOUNT_OFF", value: -0.01 }],
    [["value"], { type: "AMOUNT_OFF", value: "1.234" }],
    [["value"], { type: "AMOUNT_OFF", value: "92233720368547758.08" }],
    [["value"], { type: "AMOUNT_OFF", value: undefined }],
    [["value"], { type: "FREE_SHIPPING", value: -1 }],
    [["minimumOrderAmount"], { minimumOrderAmount: -5 }],
    [["endsAt"], { startsAt: "2026-12-01T00:00:00.000Z", endsAt: "2026-12-01T00:00:00.000Z" }],
    [["startsAt", "endsAt"], { startsAt: "yesterday", endsAt: "2026-02-30" }],
    [["usageLimit"], { usageLimit: 0 }],
    [["usageLimitPerCustomer"], { usageLimitPerCustomer: 1.5 }],
    [["priority"], { priority: 2_147_483_648 }],
    [["isActive"], { isActive: null }],
    [["combinesWithOther"], { combinesWithOther: "no" }],
    [["applicableProducts"], { applicableProducts: Array.from({ length: 501 }, (_, i) => `p${i}`) }],
    [["applicableProducts.1"], { applicableProducts: ["", ""].map((_, i) => (i === 0 ? "x" : "")) }],
    [["basePrize"], { basePrize: 1 }],
    [["config.buyQuantity"], { config: { buyQuantity: 1 } }],
    [["config"], { config: "none" }],
    [["config.buyQuantity", "config.getQuantity"], { type: "BUY_X_GET_Y", config: undefined }],
    [["config.getQuantity"], { type: "BUY_X_GET_Y", config: { ...buying, getQuantity: 0 } }],
    [["config.buyQuantity"], { type: "BUY_X_GET_Y", config: { ...buying, buyQuantity: -1 } }],
    [["config.buyQuantity"], { type: "BUY_X_GET_Y", config: { ...buying, buyQuantity: 1_000_000 } }],
    [["config.getDiscountPercent"], { type: "BUY_X_GET_Y", config: { ...buying, getDiscountPercent: 101 } }],
    [["config.sameProducts"], { type: "BUY_X_GET_Y", config: { ...buying, sameProducts: "yes" } }],
    [["config.getQantity"], { type: "BUY_X_GET_Y", config: { ...buying, getQantity: 1 } }],
    [["config.tiers"], { type: "TIERED", config: {} }],
    [["config.tiers"], tiered()],
    [["config.tiers"], tiered(...Array.from({ length: 51 }, (_, i) => ({ minQuantity: i + 1, percent: 1 })))],
    [["config.tiers.0"], tiered({ minQuantity: 2 })],
    [["config.tiers.0"], tiered({ percent: 5 })],
    [["config.tiers.0"], tiered({ minQuantity: 2, percent: 5, amount: 5 })],
    [["config.tiers.0"], tiered({ minQuantity: 2, minAmount: 5, percent: 5 })],
    [["config.tiers.0.percent"], tiered({ minQuantity: 2, percent: 101 })],
    [
      ["config.tiers.0.amount", "config.tiers.1.minAmount"],
      tiered({ minAmount: 1, amount: -1 }, { minAmount: "x", percent: 1 })
    ],
    [["config.tiers.1"], tiered({ minQuantity: 3, percent: 5 }, { minQuantity: 3, percent: 6 })],
    [["config.tiers.1"], tiered({ minAmount: 30, percent: 5 }, { minAmount: "29.99", percent: 6 })],
    [["config.tiers.1"], tiered({ minQuantity: 3, percent: 5 }, { minAmount: 30, percent: 6 })],
    [["config.tiers.0.minQuantty"], tiered({ minQuantity: 2, percent: 5, minQuantty: 2 })],
    [["config.zoneIds.0"], { type: "FREE_SHIPPING", config: { zoneIds: [7] } }],
    [["config.zoneIds"], { type: "FREE_SHIPPING", config: { zoneIds: Array.from({ length: 251 }, (_, i) => `z${i}`) } }]
  ])("with a wrong %j are refused, naming it", async (fields, body) => {
    const { status, body: answer } = await at.create(body)
    expect([status, answer.code, Object.keys(answer.details.errors)]).toEqual([400, "VALIDATION_FAILED", fields])
    expect((await at.shop.call("GET", path)).body.meta.total).toBe(0)
  })

  it("keep what they are when a change is refused, and need new terms with another type", async () => {
    const made = await at.offer({ value: 10 })
    const change = (body: object) => at.shop.call("PATCH", `${path}/${made.id}`, { body })
    for (const [body, field] of [
      [{ type: "AMOUNT_OFF" }, "value"],
      [{ type: "BUY_X_GET_Y" }, "config.buyQuantity"],
      [{ value: 101, priority: 3 }, "value"],
      [{ value: null }, "value"]
    ] as const) {
      const answer = await change(body)
      expect([answer.status, Object.keys(answer.body.details.errors)]).toEqual([400, expect.arrayContaining([field])])
    }
    expect((await at.shop.call("GET", `${path}/${made.id}`)).body).toEqual(made)
    const amount = await change({ type: "AMOUNT_OFF", value: 3 })
    expect([amount.status, amount.body.type, amount.body.value]).toEqual([200, "AMOUNT_OFF", "3.00"])
    const free = await change({ type: "FREE_SHIPPING" })
    expect([free.body.value, free.body.config]).toEqual(["0", { zoneIds: [], rateIds: [] }])
  })

  it("keep the store's currency as it is while they state amounts", async () => {
    const other = await at.shop.openStore()
    const call = (method: string, route: string, body: object) =>
      at.shop.call(method, route, { key: other.apiKey, body })
    const rules = [
      { type: "AMOUNT_OFF", value: 1 },
      { type: "PERCENTAGE_OFF", value: 1, minimumOrderAmount: 5 },
      tiered({ minQuantity: 2, amount: 1 }),
      tiered({ minAmount: 2, percent: 1 })
    ]
    for (const rule of rules) {
      const { body } = await call("POST", path, { name: "Rule", ...rule })
      const kept = await call("PATCH", "/v1/store", { currency: "EUR" })
      expect([kept.status, kept.body.details.usedBy]).toEqual([409, ["promotions"]])
      await at.shop.call("DELETE", `${path}/${body.id}`, { key: other.apiKey })
    }
    await call("POST", path, { name: "Rule", type: "PERCENTAGE_OFF", value: 5 })
    await call("POST", path, { name: "Rule", ...tiered({ minQuantity: 2, percent: 1 }) })
    expect((await call("PATCH", "/v1/store", { currency: "EUR" })).status).toBe(200)
  })

  it("need the promotion scopes", async () => {
    const reader = await at.shop.mintKey({ scopes: ["promotions:read"] })
    const stranger = await at.shop.mintKey({ scopes: ["coupons:*"] })
    expect((await at.shop.call("GET", path, { key: reader })).status).toBe(200)
    const body = { name: "x", type: "PERCENTAGE_OFF", value: 1 }
    const write = await at.shop.call("POST", path, { key: reader, body })
    expect([write.status, write.body.details]).toEqual([403, { required: "promotions:write" }])
    expect((await at.shop.call("GET", path, { key: stranger })).status).toBe(403)
  })
})
