import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
/** A store without regions, for each test. */
let store: TestStore
beforeAll(async () => {
  shop = await openTestCommerce()
})
beforeEach(async () => {
  store = await shop.openStore({ currency: "EUR" })
})
afterAll(() => shop.close())

const at = "/v1/regions"
const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  shop.call(method, path, { key: store.apiKey, headers, ...(body === undefined ? {} : { body }) })
const europe = { name: "Europe", currency: "EUR", countries: ["DE", "AT"] }
const make = (body: object = {}) => call("POST", at, { ...europe, ...body })
const change = (id: string, body: object) => call("PATCH", `${at}/${id}`, body)
const remove = (id: string) => call("DELETE", `${at}/${id}`)
const listed = async () =>
  (await call("GET", at)).body.data.map(({ name, isDefault }: { name: string; isDefault: boolean }) => [
    name,
    isDefault
  ])

const asOwner = async (text: string, values: ReadonlyArray<unknown> = []) => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  try {
    return (await client.query(text, [...values])).rows
  } finally {
    await client.end()
  }
}

describe("a region", () => {
  it("is made with every field of its shape, read, changed and deleted", async () => {
    const made = await make({ countries: ["de", "AT", "DE"], priceRounding: "0.05", taxInclusive: true })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.stringMatching(/^region_/),
      storeId: store.storeId,
      name: "Europe",
      currency: "EUR",
      countries: ["DE", "AT"],
      taxInclusive: true,
      priceRounding: "0.05",
      providerInstallationIds: [],
      isDefault: false,
      isActive: true,
      createdAt: expect.any(String),
      updatedAt: made.body.createdAt
    })
    const one = `${at}/${made.body.id}`
    expect((await call("GET", one)).body).toEqual(made.body)
    expect((await call("GET", `${one}/compatible-providers`)).body).toEqual([])
    const changed = await change(made.body.id, { name: " Alps ", countries: ["AT", "CH"], priceRounding: null })
    expect(changed.body).toEqual({
      ...made.body,
      name: "Alps",
      countries: ["AT", "CH"],
      priceRounding: null,
      updatedAt: changed.body.updatedAt
    })
    const stale = await call("PATCH", one, { name: "Late" }, { "if-match": `"${made.body.updatedAt}"` })
    expect([stale.status, stale.body.code]).toEqual([409, "CONFLICT"])
    expect((await remove(made.body.id)).body).toEqual({ success: true })
    for (const [method, path] of [
      ["GET", one],
      ["PATCH", one],
      ["DELETE", one],
      ["GET", `${one}/compatible-providers`]
    ] as const) {
      const gone = await call(method, path, method === "PATCH" ? {} : undefined)
      expect([method, gone.status, gone.body.code]).toEqual([method, 404, "RESOURCE_NOT_FOUND"])
    }
    expect((await make()).status).toBe(201)
  })

  it("takes what the store says where nothing is said: prices without tax, its own rounding", async () => {
    await call("PATCH", "/v1/store", { priceIncludesTax: true })
    expect((await make()).body).toMatchObject({ taxInclusive: true, priceRounding: null, isActive: true })
    expect((await make({ countries: [], taxInclusive: false })).body).toMatchObject({ taxInclusive: false })
  })

  it.each<readonly [string, object]>([
    ["name", { name: " " }],
    ["name", { name: "a".repeat(201) }],
    ["currency", { currency: "EURO" }],
    ["currency", { currency: "XXX" }],
    ["currency", { currency: "eur" }],
    ["countries", { countries: "DE" }],
    ["countries", { countries: Array(301).fill("DE") }],
    ["countries.1", { countries: ["DE", "UK"] }],
    ["priceRounding", { priceRounding: "0.005" }],
    ["priceRounding", { priceRounding: 0 }],
    ["priceRounding", { priceRounding: "-1" }],
    ["providerInstallationIds.0", { providerInstallationIds: ["inst_none"] }],
    ["providerInstallationIds", { providerInstallationIds: Array(101).fill("inst_none") }],
    ["isActive", { isDefault: true, isActive: false }]
  ])("is refused for its %s: %j, and nothing is kept", async (field, body) => {
    const refused = await make(body)
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      [field]
    ])
    expect(await listed()).toEqual([])
    const { body: made } = await make()
    const kept = await change(made.id, body)
    expect([kept.status, Object.keys(kept.body.details.errors)]).toEqual([400, [field]])
    expect((await call("GET", `${at}/${made.id}`)).body).toEqual(made)
  })

  it("keeps its rounding as an amount of another currency, or says that it cannot", async () => {
    const { body: made } = await make({ priceRounding: "0.50" })
    expect((await change(made.id, { currency: "KWD" })).body.priceRounding).toBe("0.500")
    const yen = await change(made.id, { currency: "JPY" })
    expect([yen.status, yen.body.details.errors]).toEqual([400, { priceRounding: "JPY has 0 fraction digits" }])
    expect((await change(made.id, { currency: "JPY", priceRounding: 10 })).body.priceRounding).toBe("10")
  })

  it("is one of at most 500 of a store", async () => {
    await asOwner(
      `INSERT INTO region (store_id, id, name, currency, countries, tax_inclusive, provider_installation_ids, is_default,
        is_active, created_at, updated_at)
        SELECT $1, 'region_' || i, 'R', 'EUR', '{}', false, '{}', false, true, now(), now() FROM generate_series(1, 499) i`,
      [store.storeId]
    )
    expect((await make()).status).toBe(201)
    const over = await make({ countries: [] })
    expect([over.status, over.body.details.errors]).toEqual([
      400,
      { regions: "there are 500 regions, which is the most" }
    ])
  })
})

describe("a country", () => {
  it("belongs to at most one active region of a store", async () => {
    const { body: first } = await make()
    const twin = await make({ name: "Twin", countries: ["CH", "AT", "DE"] })
    expect([twin.status, twin.body.code, twin.body.details]).toEqual([409, "CONFLICT", { countries: ["AT", "DE"] }])
    const { body: sleeping } = await make({ name: "Sleeping", isActive: false })
    const woken = await change(sleeping.id, { isActive: true })
    expect([woken.status, woken.body.details]).toEqual([409, { countries: ["DE", "AT"] }])
    expect((await call("GET", `${at}/${sleeping.id}`)).body).toEqual(sleeping)
    const { body: alps } = await make({ name: "Alps", countries: ["CH"] })
    const greedy = await change(alps.id, { countries: ["CH", "LI", "AT"] })
    expect([greedy.status, greedy.body.details]).toEqual([409, { countries: ["AT"] }])
    expect((await call("GET", `${at}/${alps.id}`)).body.countries).toEqual(["CH"])
    expect((await change(first.id, { countries: ["DE"] })).status).toBe(200)
    expect((await change(alps.id, { countries: ["CH", "AT"] })).status).toBe(200)
    await change(first.id, { isActive: false })
    expect((await change(sleeping.id, { isActive: true, countries: ["DE"] })).status).toBe(200)
    store = await shop.openStore({ currency: "EUR" })
    expect((await make()).status).toBe(201)
  })

  it("goes to one of many who claim it at once, in two processes", async () => {
    const twin = await shop.openTwin()
    const there = (body: object) =>
      twin.fetch(
        new Request(`http://commerce.test/api${at}`, {
          method: "POST",
          headers: { authorization: `Bearer ${store.apiKey}`, "content-type": "application/json" },
          body: JSON.stringify(body)
        }),
        { clientAddress: "127.0.0.1" }
      )
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const body = { name: `R${i}`, currency: "EUR", countries: ["DE", i % 2 === 0 ? "FR" : "ES"] }
        return i % 3 === 0 ? (await there(body)).status : (await make(body)).status
      })
    )
    expect(answers.filter((status) => status === 201)).toEqual([201])
    expect(answers.filter((status) => status === 409).length).toBe(19)
    expect((await call("GET", at)).body.meta.total).toBe(1)
    // Whatever writes the table, the constraint holds it.
    const [row] = await asOwner("SELECT region_id FROM region_country WHERE store_id = $1 AND country = 'DE'", [
      store.storeId
    ])
    await expect(
      asOwner("INSERT INTO region_country (store_id, country, region_id) VALUES ($1, 'DE', $2)", [
        store.storeId,
        row?.["region_id"]
      ])
    ).rejects.toThrow("region_country_pkey")
  })
})

describe("the default region", () => {
  it("is the one that was made so last, and cannot be deleted or switched off", async () => {
    const { body: first } = await make({ isDefault: true })
    expect(first.isDefault).toBe(true)
    const { body: second } = await make({ name: "Asia", countries: ["JP"], isDefault: true })
    expect(await listed()).toEqual([
      ["Asia", true],
      ["Europe", false]
    ])
    const before = (await call("GET", `${at}/${first.id}`)).body.updatedAt
    expect(before > first.updatedAt).toBe(true)
    expect((await change(first.id, { isDefault: true })).body.isDefault).toBe(true)
    expect(await listed()).toEqual([
      ["Europe", true],
      ["Asia", false]
    ])
    const refused = await remove(first.id)
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      409,
      "CONFLICT",
      { reason: "default_region" }
    ])
    const off = await change(first.id, { isActive: false })
    expect([off.status, Object.keys(off.body.details.errors)]).toEqual([400, ["isActive"]])
    expect((await remove(second.id)).status).toBe(200)
    expect((await change(first.id, { isDefault: false })).body.isDefault).toBe(false)
    expect((await remove(first.id)).status).toBe(200)
  })

  it("is one, however many are made so at once", async () => {
    const made = await Promise.all(
      ["FR", "ES", "IT", "PT", "NL", "BE"].map((country) =>
        make({ name: country, countries: [country], isDefault: true })
      )
    )
    expect(made.map(({ status }) => status)).toEqual(Array(6).fill(201))
    const defaults = (await listed()).filter(([, isDefault]: [string, boolean]) => isDefault)
    expect(defaults.length).toBe(1)
    await Promise.all(made.map(({ body }) => change(body.id, { isDefault: true })))
    expect((await listed()).filter(([, isDefault]: [string, boolean]) => isDefault).length).toBe(1)
  })
})

describe("a storefront", () => {
  it("reads the active regions, the default one first", async () => {
    const { body: asia } = await make({ name: "Asia", countries: ["JP"], currency: "JPY" })
    const { body: first } = await make({ isDefault: true, priceRounding: "0.05" })
    await make({ name: "Closed", countries: ["US"], isActive: false })
    const shown = await shop.call("GET", `/vc/${store.channelId}/regions`)
    expect(shown.body).toEqual({
      data: [
        {
          id: first.id,
          name: "Europe",
          currency: "EUR",
          countries: ["DE", "AT"],
          taxInclusive: false,
          isDefault: true
        },
        {
          id: asia.id,
          name: "Asia",
          currency: "JPY",
          countries: ["JP"],
          taxInclusive: false,
          isDefault: false
        }
      ],
      meta: { page: 1, limit: 20, total: 2, totalPages: 1 }
    })
  })

  it("names one for a cart and a checkout, and is served by the zones that are for it", async () => {
    const { body: region } = await make()
    const { body: closed } = await make({ name: "Closed", countries: ["CH"], isActive: false })
    const { body: tea } = await call("POST", "/v1/products", {
      name: "Tea",
      status: "active",
      basePrice: "4.00",
      inventory: { total: 9 }
    })
    const { body: zone } = await call("POST", "/v1/shipping/zones", {
      name: "Europe",
      countries: ["DE"],
      regionIds: [region.id, region.id]
    })
    expect(zone.regionIds).toEqual([region.id])
    await call("POST", `/v1/shipping/zones/${zone.id}/rates`, {
      name: "Parcel",
      type: "FLAT",
      rateConfig: { amount: "5.00" }
    })
    const vc = `/vc/${store.channelId}`
    const shopper = (method: string, path: string, body?: object) =>
      shop.call(method, `${vc}${path}`, body === undefined ? {} : { body })
    const { body: cart } = await shopper("POST", "/cart")
    await shopper("POST", `/cart/${cart.id}/items`, { productId: tea.id, quantity: 1 })
    const ratesOf = async (body: object) => {
      const made = await shopper("POST", "/checkout", { cartId: cart.id, ...body })
      expect(made.status).toBe(201)
      const shipped = await shopper("PATCH", `/checkout/${made.body.id}/shipping`, {
        shippingAddress: { line1: "1", city: "Ulm", postalCode: "89073", country: "DE" }
      })
      return [shipped.status, (shipped.body.availableShippingRates ?? []).map(({ name }: { name: string }) => name)]
    }
    // Its country is the region's.
    expect(await ratesOf({})).toEqual([200, ["Parcel"]])
    expect(await ratesOf({ regionId: region.id })).toEqual([200, ["Parcel"]])
    expect((await shopper("PATCH", `/cart/${cart.id}`, { regionId: region.id })).status).toBe(200)
    expect(await ratesOf({})).toEqual([200, ["Parcel"]])
    for (const regionId of [closed.id, "region_none"]) {
      for (const [method, path, body] of [
        ["PATCH", `/cart/${cart.id}`, { regionId }],
        ["POST", "/checkout", { cartId: cart.id, regionId }]
      ] as const) {
        const refused = await shopper(method, path, body)
        expect([refused.status, refused.body.details.errors]).toEqual([
          400,
          { regionId: "is not a region of this store" }
        ])
      }
    }
  })
})

describe("what names a region", () => {
  it("is a zone, which keeps it; a zone of no such region is refused", async () => {
    const { body: region } = await make()
    const unknown = await call("POST", "/v1/shipping/zones", {
      name: "Zone",
      countries: ["DE"],
      regionIds: [region.id, "region_none"]
    })
    expect([unknown.status, unknown.body.details.errors]).toEqual([
      400,
      { "regionIds.1": "is not a region of this store" }
    ])
    const { body: zone } = await call("POST", "/v1/shipping/zones", {
      name: "Zone",
      countries: ["DE"],
      regionIds: [region.id]
    })
    const kept = await remove(region.id)
    expect([kept.status, kept.body.code, kept.body.details]).toEqual([
      409,
      "CONFLICT",
      { reason: "region_in_use", zoneCount: 1 }
    ])
    await call("PATCH", `/v1/shipping/zones/${zone.id}`, { regionIds: null })
    expect((await remove(region.id)).status).toBe(200)
  })

  it("is either a zone or nothing any more, when it is deleted while a zone takes it", async () => {
    for (let i = 0; i < 10; i++) {
      const { body: region } = await make()
      const [zone, gone] = await Promise.all([
        call("POST", "/v1/shipping/zones", { name: `Z${i}`, countries: ["DE"], regionIds: [region.id] }),
        remove(region.id)
      ])
      expect([
        [201, 409],
        [400, 200]
      ]).toContainEqual([zone.status, gone.status])
      if (zone.status === 201) {
        await call("DELETE", `/v1/shipping/zones/${zone.body.id}`)
        await remove(region.id)
      }
    }
  })

  it("is a tax rate's default: contained in prices as the region of its country says, else as the store", async () => {
    await make({ taxInclusive: true })
    await make({ name: "Closed", countries: ["CH"], taxInclusive: true, isActive: false })
    const rate = async (body: object) =>
      (await call("POST", "/v1/tax/rates", { name: "VAT", rate: 10, ...body })).body.isInclusive
    expect([
      await rate({ country: "DE" }),
      await rate({ country: "DE", isInclusive: false }),
      await rate({ country: "CH" }),
      await rate({ country: "US" })
    ]).toEqual([true, false, false, false])
  })
})
