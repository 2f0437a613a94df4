import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const at = "/v1/coupons"
const ten = { type: "PERCENTAGE", value: 10 }
const make = (body: object, store: TestStore = shop) => shop.call("POST", at, { body, key: store.apiKey })
const change = (id: string, body: object) => shop.call("PATCH", `${at}/${id}`, { body })
const dashboard = (method: string, path: string, body?: object) =>
  shop.call(method, path, { key: shop.apiKey, ...(body === undefined ? {} : { body }) })

describe("a coupon", () => {
  it("is made with every field of its shape, read, changed and deleted", async () => {
    const lamp = await shopperOf(shop).product({ name: "Lamp" })
    const { body: sale } = await shop.call("POST", "/v1/categories", { body: { name: "Sale" } })
    const { body: region } = await shop.call("POST", "/v1/regions", {
      body: { name: "North", currency: "USD", countries: ["US"] }
    })
    const made = await make({
      code: " Welcome10 ",
      title: "Welcome",
      description: "For newcomers",
      type: "PERCENTAGE",
      value: "10.50",
      startsAt: "2026-01-01",
      endsAt: "2100-01-01T00:00:00+01:00",
      status: "SCHEDULED",
      usageLimit: 100,
      usageLimitPerCustomer: 1,
      minimumOrderAmount: 50,
      maximumDiscount: "20.00",
      conditions: { note: "x" },
      applicableProducts: [lamp, lamp],
      excludedProducts: [{ id: lamp, name: "Lamp" }],
      applicableCategories: [sale.id],
      regionIds: [region.id],
      combinesWithOther: true,
      platforms: [shop.channelId, "shopify"],
      channels: { shopify: { title: "Hello" } }
    })
    expect([made.status, made.text]).toEqual([201, made.text])
    const named = { id: lamp, name: "Lamp" }
    const channel = { id: shop.channelId, name: "Storefront", connectionId: shop.channelId }
    expect(made.body).toEqual({
      id: expect.stringMatching(/^coupon_/),
      code: "Welcome10",
      title: "Welcome",
      description: "For newcomers",
      type: "PERCENTAGE",
      value: "10.5",
      startsAt: "2026-01-01T00:00:00.000Z",
      endsAt: "2099-12-31T23:00:00.000Z",
      status: "ACTIVE",
      usageLimit: 100,
      usageLimitPerCustomer: 1,
      usageCount: 0,
      minimumOrderAmount: "50.00",
      maximumDiscount: "20.00",
      conditions: { note: "x" },
      applicableProducts: [named],
      excludedProducts: [named],
      applicableCategories: [{ id: sale.id, name: "Sale" }],
      excludedCategories: [],
      regionIds: [region.id],
      combinesWithOther: true,
      platforms: [shop.channelId],
      channels: { shopify: { title: "Hello" } },
      needsSync: false,
      lastSyncedAt: null,
      source: "INTERNAL",
      sourceExternalId: null,
      channelPublishes: [{ salesChannel: channel, connection: channel }],
      vibeCodedPublishes: [{ salesChannel: channel, connection: channel }],
      createdAt: expect.any(String),
      updatedAt: made.body.createdAt,
      validationWarnings: [
        {
          platform: "shopify",
          warnings: [
            "shopify is not connected: the coupon is not published there",
            "shopify does not support maximumDiscount",
            "shopify does not support usageLimitPerCustomer",
            "shopify does not support excludedProducts and excludedCategories",
            "shopify does not support regionIds"
          ]
        }
      ]
    })
    const one = `${at}/${made.body.id}`
    const read = { ...made.body, validationWarnings: [] }
    expect((await shop.call("GET", one)).body).toEqual(read)
    // What was read can be sent back; a product that was deleted meanwhile is still named.
    await shop.call("DELETE", `/v1/products/${lamp}`)
    const same = await change(made.body.id, read)
    expect([same.status, same.body]).toEqual([200, { ...read, updatedAt: same.body.updatedAt }])
    const changed = await change(made.body.id, {
      type: "FIXED_AMOUNT",
      value: 5,
      title: null,
      endsAt: null,
      applicableProducts: null,
      platforms: [],
      status: "DISABLED"
    })
    expect(changed.body).toEqual({
      ...read,
      type: "FIXED_AMOUNT",
      value: "5.00",
      title: null,
      endsAt: null,
      applicableProducts: [],
      platforms: [],
      channelPublishes: [],
      vibeCodedPublishes: [],
      status: "DISABLED",
      updatedAt: changed.body.updatedAt
    })
    const stale = await shop.call("PATCH", one, {
      body: { title: "Late" },
      headers: { "if-match": `"${made.body.updatedAt}"` }
    })
    expect([stale.status, stale.body.code]).toEqual([409, "CONFLICT"])
    expect((await shop.call("DELETE", one)).body).toEqual({ success: true })
    for (const [method, path] of [
      ["GET", one],
      ["PATCH", one],
      ["DELETE", one],
      ["POST", `${one}/sync`],
      ["POST", `${one}/publish`]
    ] as const) {
      const gone = await shop.call(method, path, method === "PATCH" ? { body: {} } : {})
      expect([method, path, gone.status, gone.body.code]).toEqual([method, path, 404, "COUPON_NOT_FOUND"])
    }
  })

  it("has a code of its own in any case and any encoding, which a deleted one frees", async () => {
    const { body: first } = await make({ code: "Caf\u00e9Stra\u00dfe", ...ten })
    for (const code of ["CAFE\u0301STRASSE", "caf\u00e9stra\u00dfe", " Caf\u00e9STRASSE "]) {
      const twin = await make({ code, ...ten })
      expect([code, twin.status, twin.body.code, twin.body.details]).toEqual([
        code,
        409,
        "CONFLICT",
        { code: code.trim() }
      ])
    }
    const { body: other } = await make({ code: "SUMMER", ...ten })
    const renamed = await change(other.id, { code: "CAF\u00c9STRASSE" })
    expect([renamed.status, renamed.body.details]).toEqual([409, { code: "CAF\u00c9STRASSE" }])
    await shop.call("DELETE", `${at}/${first.id}`)
    expect((await change(other.id, { code: "CAF\u00c9STRASSE" })).body.code).toBe("CAF\u00c9STRASSE")
    const elsewhere = await shop.openStore()
    expect((await make({ code: "CAF\u00c9STRASSE", ...ten }, elsewhere)).status).toBe(201)
  })

  it("is refused field by field, and nothing is kept", async () => {
    const before = (await shop.call("GET", at)).body.meta.total
    const bad = { code: "BAD", ...ten }
    for (const [body, ...fields] of [
      [{}, "code", "type", "value"],
      [{ ...bad, code: " " }, "code"],
      [{ ...bad, code: "A".repeat(101) }, "code"],
      [{ ...bad, code: "A B" }, "code"],
      [{ ...bad, code: "A\u200bB" }, "code"],
      [{ ...bad, type: "FREE" }, "type"],
      [{ ...bad, value: 100.5 }, "value"],
      [{ ...bad, value: "101" }, "value"],
      [{ ...bad, value: -1 }, "value"],
      [{ ...bad, value: "1e1" }, "value"],
      [{ ...bad, type: "FIXED_AMOUNT", value: "-0.01" }, "value"],
      [{ ...bad, type: "FIXED_AMOUNT", value: "0.001" }, "value"],
      [{ ...bad, type: "FIXED_AMOUNT", value: "92233720368547758.08" }, "value"],
      [
        { ...bad, minimumOrderAmount: "92233720368547758.08", maximumDiscount: "x" },
        "minimumOrderAmount",
        "maximumDiscount"
      ],
      [{ ...bad, startsAt: "2026-02-30", endsAt: "soon" }, "startsAt", "endsAt"],
      [{ ...bad, startsAt: "2026-01-02", endsAt: "2026-01-02" }, "endsAt"],
      [{ ...bad, usageLimit: 0, usageLimitPerCustomer: 2_147_483_648 }, "usageLimit", "usageLimitPerCustomer"],
      [{ ...bad, conditions: { text: "a".repeat(16_384) } }, "conditions"],
      [{ ...bad, regionIds: Array.from({ length: 201 }, (_, i) => `region_${i}`) }, "regionIds"],
      [{ ...bad, sourceExternalId: "1" }, "source"],
      [{ ...bad, vaule: 3 }, "vaule"]
    ] as ReadonlyArray<readonly [object, ...Array<string>]>) {
      const refused = await make(body)
      expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
        400,
        "VALIDATION_FAILED",
        fields
      ])
    }
    expect((await shop.call("GET", at)).body.meta.total).toBe(before)
    const { body: kept } = await make({ code: "A".repeat(100), type: "FIXED_AMOUNT", value: "92233720368547758.07" })
    expect(kept.value).toBe("92233720368547758.07")
    const retyped = await change(kept.id, { type: "PERCENTAGE" })
    expect([retyped.status, retyped.body.details.errors]).toEqual([400, { value: "is needed with another type" }])
    const ended = await change(kept.id, { endsAt: "2026-01-01" })
    expect(ended.body.status).toBe("EXPIRED")
    const turned = await change(kept.id, { startsAt: "2026-01-01T00:00:00.001Z" })
    expect([turned.status, turned.body.details.errors]).toEqual([400, { endsAt: "must be after startsAt" }])
  })

  it("names nothing of another store, as if it were not there", async () => {
    const other = await shop.openStore()
    const there = async (path: string, body: object) =>
      (await shop.call("POST", path, { key: other.apiKey, body })).body.id as string
    const product = await there("/v1/products", { name: "Theirs" })
    const category = await there("/v1/categories", { name: "Theirs" })
    const region = await there("/v1/regions", { name: "Theirs", currency: "USD", countries: [] })
    const named = (ids: Readonly<Record<string, string>>) => ({
      applicableProducts: [ids["product"]],
      excludedProducts: [ids["product"]],
      applicableCategories: [ids["category"]],
      excludedCategories: [ids["category"]],
      regionIds: [ids["region"]],
      platforms: [ids["channel"]]
    })
    const theirs = { product, category, region, channel: other.channelId }
    const never = { product: "prod_none", category: "cat_none", region: "region_none", channel: "vc_none" }
    const { body: mine } = await make({ code: "OURS", ...ten })
    for (const ids of [theirs, never]) {
      const reasons = {
        applicableProducts: `${ids.product} is not a product of this store`,
        excludedProducts: `${ids.product} is not a product of this store`,
        applicableCategories: `${ids.category} is not a category of this store`,
        excludedCategories: `${ids.category} is not a category of this store`,
        regionIds: `${ids.region} is not a region of this store`,
        platforms: `${ids.channel} is not a sales channel of this store`
      }
      for (const refused of [await make({ code: "NEW", ...ten, ...named(ids) }), await change(mine.id, named(ids))])
        expect([refused.status, refused.body.details.errors]).toEqual([400, reasons])
    }
  })

  it("is listed the newest first, searched, sorted, and filtered by the status that follows from its dates", async () => {
    const other = await shop.openStore()
    const made = (code: string, body: object = {}) => make({ code, ...ten, ...body }, other)
    await made("OLD", { endsAt: "2026-01-01", title: "Last winter" })
    await made("NOW_1")
    await made("LATER", { startsAt: "2100-01-01" })
    await made("OFF", { status: "DISABLED", endsAt: "2026-01-01" })
    const codes = async (query: string) => {
      const { body } = await shop.call("GET", `${at}?${query}`, { key: other.apiKey })
      return [body.meta.total, ...body.data.map(({ code, status }: Record<string, string>) => `${code} ${status}`)]
    }
    expect(await codes("")).toEqual([4, "OFF DISABLED", "LATER SCHEDULED", "NOW_1 ACTIVE", "OLD EXPIRED"])
    expect(await codes("status=EXPIRED,DISABLED&sortBy=code&sortOrder=asc")).toEqual([2, "OFF DISABLED", "OLD EXPIRED"])
    expect(await codes("status=SCHEDULED")).toEqual([1, "LATER SCHEDULED"])
    expect(await codes("sortBy=nothing&limit=1&page=2")).toEqual([4, "LATER SCHEDULED"])
    expect(await codes("search=w_1")).toEqual([1, "NOW_1 ACTIVE"])
    expect(await codes("search=WINTER")).toEqual([1, "OLD EXPIRED"])
    expect((await shop.call("GET", `${at}?status=GONE`)).status).toBe(400)
    expect((await shop.call("GET", `${at}?search=${"a".repeat(201)}`)).status).toBe(400)
  })

  it("is brought to platforms that have no connector: nothing is queued, and channels are kept", async () => {
    const { body } = await make({ code: "SPREAD", ...ten })
    const act = (action: string, sent?: object) =>
      shop.call("POST", `${at}/${body.id}/${action}`, sent === undefined ? {} : { body: sent })
    const nothing = { queued: false, platforms: [] }
    for (const sent of [undefined, {}, { platforms: ["shopify"] }])
      expect((await act("sync", sent)).body).toEqual(nothing)
    for (const sent of [undefined, {}, { platforms: [] }, { platforms: null }]) {
      const refused = await act("publish", sent)
      expect([refused.status, refused.body.code]).toEqual([400, "PLATFORMS_REQUIRED"])
    }
    for (const action of ["publish", "sync"]) {
      const unknown = await act(action, { platforms: ["vc_none"] })
      expect([action, unknown.status, unknown.body.details?.errors]).toEqual([
        action,
        400,
        { platforms: "vc_none is not a sales channel of this store" }
      ])
    }
    for (let i = 0; i < 2; i++)
      expect((await act("publish", { platforms: ["shopify", shop.channelId] })).body).toEqual(nothing)
    const { body: read } = await shop.call("GET", `${at}/${body.id}`)
    expect([read.platforms, read.channelPublishes.length]).toEqual([[shop.channelId], 1])
    const { body: platforms } = await shop.call("GET", `${at}/platform-capabilities`)
    expect(Object.keys(platforms)).toEqual(["internal", "shopify", "woocommerce", "magento", "bigcommerce"])
    expect([platforms.internal.supportsMaximumDiscount, platforms.shopify.supportsMaximumDiscount]).toEqual([
      true,
      false
    ])
  })

  it("keeps the store's currency where it states an amount", async () => {
    const other = await shop.openStore()
    const turn = async (currency: string) => {
      const { status, body } = await shop.call("PATCH", "/v1/store", { key: other.apiKey, body: { currency } })
      return [status, body.details?.usedBy]
    }
    const { body: coupon } = await make({ code: "P", ...ten }, other)
    expect(await turn("JPY")).toEqual([200, undefined])
    const change = (body: object) => shop.call("PATCH", `${at}/${coupon.id}`, { key: other.apiKey, body })
    expect((await change({ minimumOrderAmount: "1.5" })).body.details.errors).toEqual({
      minimumOrderAmount: "JPY has 0 fraction digits"
    })
    for (const body of [{ minimumOrderAmount: 1 }, { maximumDiscount: 5 }, { type: "FIXED_AMOUNT", value: 0 }]) {
      expect((await change(body)).status).toBe(200)
      expect(await turn("USD")).toEqual([409, ["coupons"]])
      await change({ minimumOrderAmount: null, maximumDiscount: null })
    }
    await change(ten)
    expect((await turn("USD"))[0]).toBe(200)
  })
})

describe("the dashboard", () => {
  it("lists and creates the same coupons, with the key's scope and store", async () => {
    const made = await dashboard("POST", "/coupons", { code: "DASH", ...ten })
    expect([made.status, made.body.code]).toEqual([201, "DASH"])
    const listed = await dashboard("GET", `/coupons?storeId=${shop.storeId}&search=dash`)
    expect([listed.body.meta.total, listed.body.data[0].id]).toEqual([1, made.body.id])
    const other = await shop.openStore()
    const code = async (path: string, key: string | null) => {
      const { status, body } = await shop.call("GET", path, { key })
      return [status, body.code]
    }
    expect(await code("/coupons", null)).toEqual([401, "UNAUTHORIZED"])
    expect(await code(`/coupons?storeId=${shop.storeId}`, other.apiKey)).toEqual([400, "STORE_ID_MISMATCH"])
    const wide = await shop.mintKey({ scopes: ["coupons:read"], storeId: null })
    expect(await code("/coupons/available", wide)).toEqual([400, "STORE_ID_REQUIRED"])
    expect((await shop.call("GET", `/coupons/available?storeId=${shop.storeId}`, { key: wide })).status).toBe(200)
    const blind = await shop.mintKey({ scopes: ["products:*"] })
    expect(await code("/coupons/conflicts", blind)).toEqual([403, "INSUFFICIENT_SCOPE"])
    const refused = await shop.call("POST", "/coupons", { key: wide, body: { code: "NO", ...ten } })
    expect([refused.status, refused.body.code]).toEqual([403, "INSUFFICIENT_SCOPE"])
  })

  it("lists as an array those that can be used now", async () => {
    const other = await shop.openStore()
    const available = async (query = "") =>
      (await shop.call("GET", `/coupons/available?storeId=${other.storeId}${query}`, { key: other.apiKey })).body.map(
        ({ code }: { code: string }) => code
      )
    expect(await available()).toEqual([])
    await make({ code: "ENDED", ...ten, endsAt: "2026-01-01" }, other)
    await make({ code: "OFF", ...ten, status: "DISABLED" }, other)
    await make({ code: "ONCE", ...ten, usageLimit: 1 }, other)
    await make({ code: "ALWAYS", ...ten }, other)
    expect(await available()).toEqual(["ALWAYS", "ONCE"])
    expect(await available("&limit=1&page=2")).toEqual(["ONCE"])
    const used = await shop.call("POST", "/v1/orders", {
      key: other.apiKey,
      body: {
        items: [{ name: "Tea", quantity: 1, price: 4 }],
        couponCode: "once",
        billingAddress: { line1: "1", city: "T", country: "US" }
      }
    })
    expect([used.status, used.text]).toEqual([201, used.text])
    expect(await available()).toEqual(["ALWAYS"])
  })
})
