import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let other: TestStore
beforeAll(async () => {
  shop = await openTestCommerce()
  other = await shop.openStore({ currency: "JPY" })
})
afterAll(() => shop.close())

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const zones = "/v1/shipping/zones"
const createZone = (body: object = {}) =>
  shop.call("POST", zones, { body: { name: "Zone", countries: ["US"], ...body } })
const createRate = (zoneId: string, body: object) =>
  shop.call("POST", `${zones}/${zoneId}/rates`, { body: { name: "Rate", type: "FLAT", ...body } })
const errorFields = (answer: { readonly body: { readonly details?: { readonly errors?: object } } }) =>
  Object.keys(answer.body.details?.errors ?? {})

const clear = async () => {
  for (const zone of (await shop.call("GET", `${zones}?limit=100`)).body.data)
    await shop.call("DELETE", `${zones}/${zone.id}`)
}

describe("shipping zones", () => {
  it("answer every documented field, alone and in the list", async () => {
    const created = await createZone({
      regions: { US: ["US-CA", "NV"] },
      postalCodes: { US: ["941*", "94100-94199"] },
      geometryLabels: ["Bay"],
      salesChannelIds: [shop.channelId],
      priority: 3
    })
    expect(created.status).toBe(201)
    const rate = await createRate(created.body.id, {
      rateConfig: { amount: "5" },
      minDeliveryDays: 2,
      maxDeliveryDays: 4
    })
    expect(rate.status).toBe(201)
    expect(rate.body).toEqual({
      id: rate.body.id,
      zoneId: created.body.id,
      name: "Rate",
      description: null,
      type: "FLAT",
      rateConfig: { amount: "5.00" },
      minDeliveryDays: 2,
      maxDeliveryDays: 4,
      handlingTime: null,
      taxStatus: "taxable",
      minOrderAmount: null,
      maxCost: null,
      classCosts: {},
      classCalculationType: "PER_CLASS",
      isActive: true,
      platformSettings: null,
      createdAt: expect.stringMatching(isoTime),
      updatedAt: expect.stringMatching(isoTime)
    })
    const zone = {
      id: created.body.id,
      accountId: shop.accountId,
      storeId: shop.storeId,
      name: "Zone",
      countries: ["US"],
      regions: { US: ["CA", "NV"] },
      postalCodes: { US: ["941*", "94100-94199"] },
      geometry: null,
      hasGeometry: false,
      geometryLabels: ["Bay"],
      regionIds: [],
      salesChannelIds: [shop.channelId],
      priority: 3,
      isActive: true,
      rateSource: "MANUAL",
      platformSettings: null,
      createdAt: created.body.createdAt,
      updatedAt: created.body.updatedAt,
      rates: [rate.body],
      ratesCount: 1,
      _count: { rates: 1 }
    }
    expect((await shop.call("GET", `${zones}/${zone.id}`)).body).toEqual(zone)
    expect((await shop.call("GET", zones)).body).toEqual({
      data: [zone],
      meta: { page: 1, limit: 20, total: 1, totalPages: 1 }
    })
    const renamed = await shop.call("PATCH", `${zones}/${zone.id}`, { body: { name: "Bay" } })
    expect(renamed.body).toEqual({ ...zone, name: "Bay", updatedAt: renamed.body.updatedAt })
    expect((await shop.call("DELETE", `${zones}/${zone.id}`)).body).toEqual({ success: true })
    for (const path of [`${zones}/${zone.id}`, `${zones}/${zone.id}/rates/${rate.body.id}`])
      expect((await shop.call("DELETE", path)).status).toBe(404)
  })

  it("are searched by name, filtered by state and paged", async () => {
    for (const [name, isActive] of [
      ["Alps", true],
      ["Coast", false],
      ["coastal", true]
    ] as const)
      await createZone({ name, isActive })
    const names = async (query: string) => {
      const { status, body } = await shop.call("GET", `${zones}${query}`)
      return [status, body.data?.map((zone: { name: string }) => zone.name).join(), body.meta?.total]
    }
    expect(await names("?search=COAST&sortBy=name")).toEqual([200, expect.stringMatching(/coast.*,.*coast/i), 2])
    expect(await names("?isActive=false")).toEqual([200, "Coast", 1])
    expect(await names("?isActive=true&search=coast")).toEqual([200, "coastal", 1])
    expect((await shop.call("GET", `${zones}?page=2&limit=2`)).body.meta).toEqual({
      page: 2,
      limit: 2,
      total: 3,
      totalPages: 2
    })
    expect((await shop.call("GET", `${zones}?sortBy=nonsense&sortOrder=desc`)).status).toBe(200)
    for (const query of ["?isActive=maybe", "?page=0", "?limit=0", "?limit=-1"])
      expect((await shop.call("GET", `${zones}${query}`)).status).toBe(400)
    await clear()
  })

  it.each([
    ["name", { name: undefined }],
    ["name", { name: " " }],
    ["countries", { countries: undefined }],
    ["countries", { countries: null }],
    ["countries", { countries: "US" }],
    ["countries.1", { countries: ["US", "UK"] }],
    ["regions.ZZ", { regions: { ZZ: ["A"] } }],
    ["regions.US.0", { regions: { US: [" "] } }],
    ["regions.US", { regions: { US: "CA" } }],
    ["postalCodes.US.1", { postalCodes: { US: ["94105", "9*1"] } }],
    ["geometry.type", { geometry: { type: "Point", coordinates: [0, 0] } }],
    ["priority", { priority: -1 }],
    ["priority", { priority: 0.5 }],
    ["priority", { priority: null }],
    ["isActive", { isActive: 1 }],
    ["salesChannelIds.0", { salesChannelIds: ["vc_none"] }],
    ["regionIds.0", { regionIds: ["reg_none"] }]
  ])("refuse a wrong %s, naming it: %j", async (field, body) => {
    const refused = await createZone(body)
    expect([refused.status, refused.body.code, errorFields(refused)]).toEqual([400, "VALIDATION_FAILED", [field]])
    expect((await shop.call("GET", zones)).body.meta.total).toBe(0)
  })

  it("refuse broken polygons and swapped coordinates", async () => {
    const ring = (...positions: ReadonlyArray<readonly [number, number]>) => ({
      type: "Polygon",
      coordinates: [positions]
    })
    const broken = [
      ring([0, 0], [1, 0], [0, 0]),
      ring([0, 0], [1, 0], [1, 1], [0, 1]),
      ring([-33.9, 151.2], [-33.8, 151.2], [-33.8, 151.3], [-33.9, 151.2]),
      { type: "Polygon", coordinates: [] },
      "POLYGON((0 0))"
    ]
    for (const geometry of broken) {
      const refused = await createZone({ geometry })
      expect([refused.status, errorFields(refused).every((field) => field.startsWith("geometry"))]).toEqual([400, true])
    }
    const whole = await createZone({ countries: [], geometry: ring([151, -34], [152, -34], [152, -33], [151, -34]) })
    expect([whole.status, whole.body.hasGeometry, whole.body.geometry.type]).toEqual([201, true, "Polygon"])
    expect(whole.body).not.toHaveProperty("warnings")
    const uncut = await createZone({
      countries: [],
      geometry: ring([170, 40], [-170, 40], [-170, 50], [170, 50], [170, 40])
    })
    expect([uncut.status, uncut.body.warnings.length]).toEqual([201, 1])
    await clear()
  })

  it("do not take another store's sales channel", async () => {
    const foreign = await createZone({ salesChannelIds: [other.channelId] })
    const unknown = await createZone({ salesChannelIds: ["vc_none"] })
    expect([foreign.status, foreign.body.details]).toEqual([400, unknown.body.details])
  })
})

describe("shipping rates", () => {
  it.each([
    ["name", { name: "", type: "FREE" }],
    ["type", { type: "DRONE" }],
    ["rateConfig.amount", { type: "FLAT" }],
    ["rateConfig.amount", { rateConfig: { amount: "5.001" } }],
    ["rateConfig.amount", { rateConfig: { amount: -1 } }],
    ["rateConfig", { rateConfig: [] }],
    ["rateConfig.tiers", { type: "BY_PRICE", rateConfig: { tiers: [] } }],
    [
      "rateConfig.tiers.1.from",
      {
        type: "BY_PRICE",
        rateConfig: {
          tiers: [
            { from: 0, amount: 1 },
            { from: "0.00", amount: 2 }
          ]
        }
      }
    ],
    ["rateConfig.unit", { type: "BY_WEIGHT", rateConfig: { unit: "stone", tiers: [{ upTo: 1, amount: 1 }] } }],
    ["rateConfig.perItem", { type: "BY_ITEM", rateConfig: { base: 1 } }],
    ["rateConfig.location", { type: "PICKUP", rateConfig: { amount: 0 } }],
    [
      "rateConfig.location.address.country",
      { type: "PICKUP", rateConfig: { location: { name: "S", address: { country: "us" } } } }
    ],
    ["minOrderAmount", { type: "FREE", minOrderAmount: "0.001" }],
    ["maxCost", { type: "FREE", maxCost: -5 }],
    ["classCosts.a", { type: "FREE", classCosts: { a: "x" } }],
    ["classCalculationType", { type: "FREE", classCalculationType: "SUM" }],
    ["taxStatus", { type: "FREE", taxStatus: "exempt" }],
    ["handlingTime", { type: "FREE", handlingTime: 1.5 }],
    ["minDeliveryDays", { type: "FREE", minDeliveryDays: -1 }],
    ["maxDeliveryDays", { type: "FREE", minDeliveryDays: 3, maxDeliveryDays: 2 }]
  ])("refuse a wrong %s, naming it: %j", async (field, body) => {
    const zone = await createZone()
    const refused = await createRate(zone.body.id, body)
    expect([refused.status, refused.body.code, errorFields(refused)]).toEqual([400, "VALIDATION_FAILED", [field]])
    expect((await shop.call("GET", `${zones}/${zone.body.id}`)).body.ratesCount).toBe(0)
    await clear()
  })

  it("count amounts in the digits of the store's currency", async () => {
    const options = { key: other.apiKey }
    const zone = await shop.call("POST", zones, { ...options, body: { name: "Japan", countries: ["JP"] } })
    const refused = await shop.call("POST", `${zones}/${zone.body.id}/rates`, {
      ...options,
      body: { name: "R", type: "FLAT", rateConfig: { amount: "5.0" } }
    })
    expect([refused.status, refused.body.details.errors]).toEqual([
      400,
      { "rateConfig.amount": "JPY has 0 fraction digits" }
    ])
    const made = await shop.call("POST", `${zones}/${zone.body.id}/rates`, {
      ...options,
      body: { name: "R", type: "FLAT", rateConfig: { amount: 500 }, maxCost: "1000" }
    })
    expect([made.status, made.body.rateConfig, made.body.maxCost]).toEqual([201, { amount: "500" }, "1000"])
  })

  it("belong to the zone of their path", async () => {
    const [first, second] = [await createZone(), await createZone()]
    const rate = await createRate(first.body.id, { type: "FREE" })
    const elsewhere = `${zones}/${second.body.id}/rates/${rate.body.id}`
    expect((await shop.call("PATCH", elsewhere, { body: { name: "x" } })).status).toBe(404)
    expect((await shop.call("DELETE", elsewhere)).status).toBe(404)
    expect((await createRate("zone_none", { type: "FREE" })).status).toBe(404)
    const own = `${zones}/${first.body.id}/rates/${rate.body.id}`
    expect(
      (await shop.call("PATCH", own, { body: { name: "Post", type: "BY_ITEM", rateConfig: { perItem: "1.5" } } })).body
    ).toMatchObject({
      name: "Post",
      type: "BY_ITEM",
      rateConfig: { base: "0.00", perItem: "1.50" }
    })
    expect((await shop.call("DELETE", own)).body).toEqual({ success: true })
    await clear()
  })
})

describe("what a storefront sees", () => {
  const destinations = async (channelId = shop.channelId) =>
    (await shop.call("GET", `/vc/${channelId}/shipping/destinations`)).body

  it("is where its zones ship, as soon as they change", async () => {
    expect(await destinations()).toEqual({ worldwide: false, countries: [], regions: {} })
    const zone = await createZone({ countries: ["US", "CA"], regions: { US: ["NY", "CA"] } })
    expect(await destinations()).toEqual({ worldwide: false, countries: [], regions: {} })
    await createRate(zone.body.id, { type: "FREE" })
    expect(await destinations()).toEqual({
      worldwide: false,
      countries: [
        { code: "CA", name: "Canada" },
        { code: "US", name: "United States" }
      ],
      regions: {
        US: [
          { code: "CA", name: "California" },
          { code: "NY", name: "New York" }
        ]
      }
    })
    await shop.call("PATCH", `${zones}/${zone.body.id}`, { body: { countries: [], regions: null } })
    const world = await destinations()
    expect([world.worldwide, world.countries.length, world.regions]).toEqual([true, 249, {}])
    await shop.call("PATCH", `${zones}/${zone.body.id}`, { body: { isActive: false } })
    expect(await destinations()).toEqual({ worldwide: false, countries: [], regions: {} })
    expect((await destinations(other.channelId)).countries).toEqual([{ code: "JP", name: "Japan" }])
    await clear()
  })

  it("is where it may pick up", async () => {
    const zone = await createZone()
    const rate = await createRate(zone.body.id, {
      name: "Collect",
      type: "PICKUP",
      rateConfig: {
        amount: 1,
        location: {
          name: "Shop",
          address: { line1: "1 Main St", city: "Town", region: "CA", postalCode: "94105", country: "US" }
        }
      }
    })
    const found = await shop.call("GET", `/vc/${shop.channelId}/pickup-locations`)
    expect([found.status, found.body]).toEqual([
      200,
      {
        pickupLocations: [
          {
            id: rate.body.id,
            name: "Shop",
            rateName: "Collect",
            address: {
              line1: "1 Main St",
              line2: null,
              city: "Town",
              region: "CA",
              postalCode: "94105",
              country: "US"
            },
            phone: null,
            hours: null,
            instructions: null,
            price: "1.00",
            currency: "USD"
          }
        ]
      }
    ])
    expect((await shop.call("GET", `/vc/${other.channelId}/pickup-locations`)).body).toEqual({ pickupLocations: [] })
    expect((await shop.call("GET", "/vc/vc_none/pickup-locations")).status).toBe(404)
    await clear()
  })
})
