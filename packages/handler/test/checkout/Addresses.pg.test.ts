import type { AddressProvider, AddressSearch, PlaceRequest } from "@effect-commerce/core/shipping/AddressProvider"
import { Effect } from "effect"
import { createServer } from "node:http"
import { once } from "node:events"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { wayfinder } from "../../../../examples/taxes-and-addresses/addresses.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

const market = {
  line1: "12 Market Street",
  city: "San Francisco",
  region: "US-CA",
  postalCode: "94105",
  country: "us",
  lat: 37.79,
  lng: -122.4,
  formattedAddress: "12 Market Street, San Francisco"
}
/** What the provider is asked, and what it answers next. */
const searches: Array<AddressSearch> = []
const places: Array<PlaceRequest> = []
let suggested: () => Effect.Effect<unknown, unknown> = () => Effect.succeed([])
let found: () => Effect.Effect<unknown, unknown> = () => Effect.undefined
const provider = {
  name: "tests",
  suggest: (search: AddressSearch) => {
    searches.push(search)
    return suggested()
  },
  find: (place: PlaceRequest) => {
    places.push(place)
    return found()
  }
} as AddressProvider

let shop: TestCommerce
let zone: string
let region: string
beforeAll(async () => {
  shop = await openTestCommerce({ addresses: { provider, timeout: 100 } })
  const made = await shop.call("POST", "/v1/regions", { body: { name: "West", currency: "USD", countries: ["US"] } })
  region = made.body.id
  const { body } = await shop.call("POST", "/v1/shipping/zones", {
    body: { name: "California", countries: ["US"], regions: { US: ["CA"] } }
  })
  zone = body.id
})
afterAll(() => shop.close())
afterEach(() => {
  vi.restoreAllMocks()
  searches.length = 0
  places.length = 0
})

const suggest = (query: string, headers: Record<string, string> = {}) =>
  shop.call("GET", `/vc/${shop.channelId}/checkout/address-suggestions${query}`, { headers })
const details = (query: string) => shop.call("GET", `/vc/${shop.channelId}/checkout/address-details${query}`)
/** What is logged of a provider that fails. */
const warned = () => {
  const lines: Array<string> = []
  for (const name of ["log", "warn", "error"] as const)
    vi.spyOn(console, name).mockImplementation((...line) => void lines.push(line.join(" ")))
  return lines
}

describe("suggestions of addresses", () => {
  it("are the provider's, asked in the shopper's language and near the shopper", async () => {
    suggested = () => Effect.succeed([{ placeId: "p1", description: "12 Market Street" }])
    const { status, body } = await suggest("?q=%2012+Mark&sessionToken=s1&lat=37.7&lng=-122.4", {
      "accept-language": "de-CH, en;q=0.5"
    })
    expect([status, body]).toEqual([200, { suggestions: [{ placeId: "p1", description: "12 Market Street" }] }])
    expect(searches).toEqual([
      {
        storeId: shop.storeId,
        query: "12 Mark",
        sessionToken: "s1",
        near: { lat: 37.7, lng: -122.4 },
        languages: expect.arrayContaining(["de-CH", "en"])
      }
    ])
    await suggest("?q=Main&lat=37.7")
    expect(searches[1]).toMatchObject({ query: "Main", sessionToken: null, near: null })
  })

  it("are none for nothing typed, and the provider is not asked", async () => {
    for (const query of ["", "?q=", "?q=%20%20"]) expect((await suggest(query)).body).toEqual({ suggestions: [] })
    expect(searches).toEqual([])
  })

  it("are at most ten, each with an id that can be sent back and a line to show", async () => {
    const row = (placeId: unknown, description: unknown = "A place") => ({ placeId, description })
    suggested = () =>
      Effect.succeed([row(""), row(7), row("x".repeat(1_001)), row("p", null), row("long", "y".repeat(600))])
    expect((await suggest("?q=a")).body).toEqual({
      suggestions: [{ placeId: "long", description: expect.stringMatching(/^y{400,500}/) }]
    })
    suggested = () => Effect.succeed(Array.from({ length: 50 }, (_, i) => row(`p${i}`)))
    expect((await suggest("?q=a")).body.suggestions).toHaveLength(10)
  })

  it.each([
    ["q", `?q=${"x".repeat(201)}`],
    ["lat", "?q=a&lat=91&lng=0"],
    ["lng", "?q=a&lat=0&lng=east"]
  ])("refuse a %s out of its bounds, and the provider is not asked", async (field, query) => {
    const { status, body } = await suggest(query)
    expect([status, body.code, Object.keys(body.details.errors)]).toEqual([400, "VALIDATION_FAILED", [field]])
    expect(searches).toEqual([])
  })

  it.each<[string, () => Effect.Effect<unknown, unknown>, string]>([
    ["fails", () => Effect.fail(new Error("quota used up")), "quota used up"],
    ["is silent", () => Effect.never, "no answer in 100 ms"],
    ["breaks", () => Effect.die(new Error("no such method")), "no such method"],
    [
      "throws",
      () => {
        throw new Error("thrown at once")
      },
      "thrown at once"
    ],
    ["is of another kind", () => Promise.resolve([]) as never, "must be an effect"]
  ])("are none where the provider %s: the log says why, and the checkout goes on", async (_what, answer, reason) => {
    suggested = answer
    const lines = warned()
    expect(await suggest("?q=Main")).toMatchObject({ status: 200, body: { suggestions: [] } })
    expect(lines.join("\n")).toContain(reason)
    expect(lines.join("\n")).not.toContain("Main")
    const shopper = shopperOf(shop)
    const id = await shopper.checkout(await shopper.cart([await shopper.product(), 1]))
    expect((await shop.call("GET", `${shopper.at}/checkout/${id}`)).body.shippingAddress.line1).toBe("1 Main St")
  })
})

describe("the address of a suggestion", () => {
  it("is returned as addresses are written here, with whether the store ships there", async () => {
    found = () => Effect.succeed(market)
    const { status, body } = await details("?placeId=p1&sessionToken=s1")
    expect([status, body]).toEqual([200, { address: { ...market, region: "CA", country: "US" }, inZone: true }])
    expect(places).toMatchObject([{ storeId: shop.storeId, placeId: "p1", sessionToken: "s1" }])
    found = () => Effect.succeed({ ...market, region: "NV" })
    expect((await details("?placeId=p2")).body.inZone).toBe(false)
  })

  it("is judged by the zones of the channel and the region", async () => {
    found = () => Effect.succeed(market)
    const change = (body: object) => shop.call("PATCH", `/v1/shipping/zones/${zone}`, { body })
    await change({ regionIds: [region] })
    const abroad = await shop.call("POST", "/v1/regions", {
      body: { name: "Canada", currency: "USD", countries: ["CA"], isActive: true }
    })
    // Without a region it is that of the address's country, as in a checkout.
    expect((await details("?placeId=p1")).body.inZone).toBe(true)
    expect((await details(`?placeId=p1&regionId=${region}`)).body.inZone).toBe(true)
    expect((await details(`?placeId=p1&regionId=${abroad.body.id}`)).body.inZone).toBe(false)
    const unknown = await details("?placeId=p1&regionId=region_none")
    expect([unknown.status, Object.keys(unknown.body.details.errors)]).toEqual([400, ["regionId"]])
    const other = await shop.call("POST", "/v1/sales-channels", { body: { name: "Other" } })
    await change({ regionIds: [], salesChannelIds: [other.body.id] })
    expect((await details("?placeId=p1")).body.inZone).toBe(false)
    await change({ salesChannelIds: [] })
    const ring = [
      [-122.5, 37.7],
      [-122.3, 37.7],
      [-122.3, 37.9],
      [-122.5, 37.9],
      [-122.5, 37.7]
    ]
    await change({ countries: [], regions: {}, geometry: { type: "Polygon", coordinates: [ring] } })
    expect((await details("?placeId=p1")).body.inZone).toBe(true)
    found = () => Effect.succeed({ ...market, lat: 38 })
    expect((await details("?placeId=p1")).body.inZone).toBe(false)
  })

  it("is 404 for a place that the provider does not know, and for an id that is none", async () => {
    found = () => Effect.undefined
    const unknown = await details("?placeId=gone")
    expect([unknown.status, unknown.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    for (const query of ["", "?placeId=", `?placeId=${"x".repeat(1_001)}`])
      expect((await details(query)).status).toBe(400)
    expect(places).toHaveLength(1)
  })

  it.each<[string, () => Effect.Effect<unknown, unknown>]>([
    ["fails", () => Effect.fail(new Error("quota used up"))],
    ["is silent", () => Effect.never],
    ["returns half an address", () => Effect.succeed({ ...market, city: undefined })],
    ["returns a country that is none", () => Effect.succeed({ ...market, country: "XX" })],
    ["returns a place off the map", () => Effect.succeed({ ...market, lat: 91 })]
  ])("is 503 where the provider %s: nobody is told that there is no such place", async (_what, answer) => {
    found = answer
    warned()
    const { status, body, headers } = await details("?placeId=p1")
    expect([status, body.code, headers.get("retry-after")]).toEqual([503, "SERVICE_TEMPORARILY_UNAVAILABLE", "1"])
    expect(body.message).not.toContain("quota")
  })
})

describe("the provider of the guide", () => {
  it("asks its company, and reads what it answers", async () => {
    const asked: Array<string> = []
    const company = createServer((request, response) => {
      asked.push(`${request.headers.authorization} ${request.url}`)
      const path = new URL(request.url ?? "", "http://company").pathname
      const body =
        path === "/search"
          ? { results: [{ ref: "w/1", label: "12 Market Street" }] }
          : {
              street: "Market Street",
              houseNumber: null,
              town: "San Francisco",
              subdivision: "CA",
              postcode: null,
              countryCode: "US",
              position: [-122.4, 37.79],
              label: "Market Street"
            }
      response.statusCode = path === "/places/gone" ? 404 : path === "/places/broken" ? 500 : 200
      response.end(JSON.stringify(body))
    })
    company.listen(0, "127.0.0.1")
    await once(company, "listening")
    const address = company.address()
    const apiBase = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
    const own = wayfinder({ apiBase, apiKey: "secret" })
    const search = { storeId: "s", query: "12 Mark", sessionToken: "t", near: { lat: 1, lng: 2 }, languages: ["de"] }
    expect(await Effect.runPromise(own.suggest(search) as Effect.Effect<unknown>)).toEqual([
      { placeId: "w/1", description: "12 Market Street" }
    ])
    const find = (placeId: string) =>
      Effect.runPromise(
        Effect.result(
          own.find({ storeId: "s", placeId, sessionToken: null, languages: [] }) as Effect.Effect<unknown, Error>
        )
      )
    expect(await find("w/1")).toMatchObject({
      success: {
        line1: "Market Street",
        city: "San Francisco",
        region: "CA",
        postalCode: "",
        country: "US",
        lat: 37.79,
        lng: -122.4,
        formattedAddress: "Market Street"
      }
    })
    expect(await find("gone")).toMatchObject({ success: undefined })
    expect(await find("broken")).toMatchObject({ failure: { message: "Wayfinder has answered 500" } })
    expect(asked.slice(0, 2)).toEqual([
      "Bearer secret /search?text=12+Mark&language=de&near=2%2C1&session=t",
      "Bearer secret /places/w%2F1?language=en"
    ])
    company.close()
  })
})
