import { describe, expect, it } from "vitest"
import { compileZones, type MatchableZone, type ZoneAddress } from "../../src/zone/ZoneMatcher.ts"

const zone = (id: string, fields: Partial<MatchableZone> = {}): MatchableZone => ({
  id,
  countries: [],
  regions: {},
  postalCodes: {},
  geometry: null,
  regionIds: [],
  salesChannelIds: [],
  priority: 0,
  createdAt: new Date(0),
  isActive: true,
  ...fields
})
const square = (west: number, south: number, east: number, north: number) => ({
  type: "Polygon",
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south]
    ]
  ]
})
const winner = (
  zones: ReadonlyArray<MatchableZone>,
  address: ZoneAddress,
  channel: string | null = "vc_1",
  market?: string | null
) => compileZones(zones).match(address, channel, market)?.zone.id

describe("Which zone serves an address", () => {
  it("countries, then regions, then postal codes, each narrowing", () => {
    const bavaria = [zone("by", { countries: ["DE", "AT"], regions: { DE: ["BY"] }, postalCodes: { DE: ["80*"] } })]
    expect(winner(bavaria, { country: "DE", region: "BY", postalCode: "80331" })).toBe("by")
    expect(winner(bavaria, { country: "de", region: "de-by", postalCode: "80 331" })).toBe("by")
    expect(winner(bavaria, { country: "DE", region: "BE", postalCode: "80331" })).toBeUndefined()
    expect(winner(bavaria, { country: "DE", region: "BY", postalCode: "90402" })).toBeUndefined()
    expect(winner(bavaria, { country: "DE", region: null, postalCode: "80331" })).toBeUndefined()
    expect(winner(bavaria, { country: "DE", region: "BY" })).toBeUndefined()
    expect(winner(bavaria, { country: "AT", region: "7", postalCode: "6020" })).toBe("by")
    expect(winner(bavaria, { country: "FR" })).toBeUndefined()
  })

  it("region lists may be written DE-BY, and keys in lower case", () => {
    expect(
      winner([zone("by", { countries: ["de"], regions: { de: ["DE-BY"] } })], { country: "DE", region: "by" })
    ).toBe("by")
  })

  it("an empty region or pattern list restricts nothing", () => {
    expect(
      winner([zone("us", { countries: ["US"], regions: { US: [] }, postalCodes: { US: [] } })], { country: "US" })
    ).toBe("us")
  })

  it("a list of worthless patterns lets nobody in", () => {
    expect(
      winner([zone("us", { countries: ["US"], postalCodes: { US: ["9*1", ""] } })], {
        country: "US",
        postalCode: "9*1"
      })
    ).toBeUndefined()
    expect(winner([zone("us", { countries: ["US"], regions: { US: [""] } })], { country: "US" })).toBeUndefined()
  })

  it("the lower priority number wins, then the older zone, then the lower id; never the more specific one", () => {
    const exact = { countries: ["US"], postalCodes: { US: ["94105"] } }
    const address = { country: "US", postalCode: "94105" }
    expect(winner([zone("exact", { ...exact, priority: 1 }), zone("broad", { countries: ["US"] })], address)).toBe(
      "broad"
    )
    expect(
      winner(
        [
          zone("young", { ...exact, createdAt: new Date(2) }),
          zone("old", { countries: ["US"], createdAt: new Date(1) })
        ],
        address
      )
    ).toBe("old")
    expect(
      winner([zone("b", exact), zone("a", { countries: ["US"] }), zone("c", { countries: ["US"] })], address)
    ).toBe("a")
  })

  it("an inactive zone is passed over", () => {
    const matcher = compileZones([
      zone("off", { countries: ["US"], isActive: false }),
      zone("on", { countries: ["US"], priority: 9 })
    ])
    expect(matcher.match({ country: "US" }, null)?.zone.id).toBe("on")
    expect(matcher.activeZones).toBe(1)
    expect(compileZones([zone("off", { isActive: false })]).activeZones).toBe(0)
  })

  it("channels: none listed means all; ids count with and without vc_", () => {
    const zones = [
      zone("one", { countries: ["US"], salesChannelIds: ["vc_1"] }),
      zone("bare", { countries: ["US"], salesChannelIds: ["2"] })
    ]
    expect(winner(zones, { country: "US" }, "vc_1")).toBe("one")
    expect(winner(zones, { country: "US" }, "1")).toBe("one")
    expect(winner(zones, { country: "US" }, "vc_2")).toBe("bare")
    expect(winner(zones, { country: "US" }, "vc_3")).toBeUndefined()
    expect(winner(zones, { country: "US" }, null)).toBeUndefined()
    expect(winner([zone("all", { countries: ["US"] })], { country: "US" }, null)).toBe("all")
  })

  it("markets: none listed means any; a checkout without a market gets only unrestricted zones", () => {
    const zones = [
      zone("eu", { countries: ["DE"], regionIds: ["reg_eu"] }),
      zone("any", { countries: ["DE"], priority: 1 })
    ]
    expect(winner(zones, { country: "DE" }, "vc_1", "reg_eu")).toBe("eu")
    expect(winner(zones, { country: "DE" }, "vc_1", "reg_us")).toBe("any")
    expect(winner(zones, { country: "DE" }, "vc_1", null)).toBe("any")
    expect(winner(zones, { country: "DE" }, "vc_1")).toBe("any")
  })

  it("an empty country list covers the world, but real countries only", () => {
    const rest = [zone("us", { countries: ["US"] }), zone("rest", { priority: 9, regions: { CA: ["ON"] } })]
    expect(winner(rest, { country: "US" })).toBe("us")
    expect(winner(rest, { country: "NZ" })).toBe("rest")
    expect(winner(rest, { country: "CA", region: "ON" })).toBe("rest")
    expect(winner(rest, { country: "CA", region: "QC" })).toBeUndefined()
    for (const country of ["ZZ", "", "UK", "EL"]) expect(winner(rest, { country })).toBeUndefined()
  })

  it("with a polygon and no country the polygon alone counts", () => {
    const drawn = [zone("city", { geometry: square(11, 48, 12, 49) })]
    expect(winner(drawn, { country: "DE", lng: 11.5, lat: 48.1 })).toBe("city")
    expect(winner(drawn, { country: "DE", lng: 12, lat: 49 })).toBe("city")
    expect(winner(drawn, { country: "DE", lng: 13, lat: 48.1 })).toBeUndefined()
    expect(winner(drawn, { country: "DE" })).toBeUndefined()
    expect(winner(drawn, { country: "DE", lng: 11.5 })).toBeUndefined()
    expect(winner(drawn, { country: "DE", lng: Number.NaN, lat: 48.1 })).toBeUndefined()
  })

  it("country list OR polygon: either is enough", () => {
    const both = [zone("both", { countries: ["AT"], geometry: square(11, 48, 12, 49) })]
    expect(winner(both, { country: "AT" })).toBe("both")
    expect(winner(both, { country: "AT", lng: 0, lat: 0 })).toBe("both")
    expect(winner(both, { country: "DE", lng: 11.5, lat: 48.1 })).toBe("both")
    expect(winner(both, { country: "DE", lng: 0, lat: 0 })).toBeUndefined()
  })

  it("priority holds between polygons and lists", () => {
    const list = zone("list", { countries: ["DE"], priority: 1 })
    const drawn = (priority: number) => zone("drawn", { geometry: square(11, 48, 12, 49), priority })
    const address = { country: "DE", lng: 11.5, lat: 48.1 }
    expect(winner([list, drawn(0)], address)).toBe("drawn")
    expect(winner([list, drawn(2)], address)).toBe("list")
  })

  it("a geometry that is none covers nothing, and does not open the world", () => {
    expect(
      winner([zone("bad", { geometry: { type: "Point", coordinates: [1, 2] } })], { country: "DE", lng: 1, lat: 2 })
    ).toBeUndefined()
  })

  it("says why", () => {
    const why = (zones: ReadonlyArray<MatchableZone>, address: ZoneAddress) => {
      const match = compileZones(zones).match(address, null)
      return [match?.coverage, match?.explanation]
    }
    expect(why([zone("z", { countries: ["US"] })], { country: "us" })).toEqual(["country", "country US is listed"])
    expect(why([zone("z", { countries: ["US"], regions: { US: ["CA"] } })], { country: "US", region: "ca" })).toEqual([
      "region",
      "region CA of US is listed"
    ])
    expect(
      why([zone("z", { countries: ["US"], postalCodes: { US: ["941*"] } })], { country: "US", postalCode: "94 105" })
    ).toEqual(["postalCode", "postal code 94105 of US matches 941*"])
    expect(why([zone("z", { geometry: square(11, 48, 12, 49) })], { country: "DE", lng: 11.5, lat: 48.1 })).toEqual([
      "polygon",
      "point [11.5, 48.1] lies in the polygon"
    ])
    expect(why([zone("z")], { country: "NZ" })).toEqual(["worldwide", "the zone covers every country, NZ included"])
  })

  it("hands back the very zone it was given", () => {
    const mine = { ...zone("mine", { countries: ["US"] }), name: "Domestic" }
    expect(compileZones([mine]).match({ country: "US" }, null)?.zone).toBe(mine)
  })

  it("countries that have no postal codes need none", () => {
    const none =
      "AE AG AO AW BF BJ BO BS BW BZ CD CF CG CI CM DJ DM FJ GA GD GH GM HK JM KI KM KN LC LY ML MO MW".split(" ")
    const matcher = compileZones([zone("z", { countries: none })])
    for (const country of none) expect(matcher.match({ country }, null)?.zone.id).toBe("z")
  })

  it("territories outside the EU's VAT area by their postal codes, everything else by country", () => {
    const outside = zone("outside", {
      countries: ["AX", "FO", "GL", "GP", "GF", "MQ", "RE", "YT", "MF", "ES", "DE", "IT", "GR"],
      postalCodes: { ES: ["35*", "38*", "51*", "52*"], DE: ["78266", "27498"], IT: ["23041", "22061"], GR: ["63086"] }
    })
    const inside = zone("inside", { countries: ["ES", "DE", "IT", "GR", "FR", "MC", "FI"], priority: 1 })
    const served = (country: string, postalCode?: string) => winner([outside, inside], { country, postalCode })
    const cases = [
      ["AX"],
      ["FO"],
      ["GL"],
      ["GP"],
      ["GF"],
      ["MQ"],
      ["RE"],
      ["YT"],
      ["MF"],
      ["ES", "35001"],
      ["ES", "38003"],
      ["ES", "51001"],
      ["ES", "52002"],
      ["DE", "78266"],
      ["DE", "27498"],
      ["IT", "23041"],
      ["IT", "22061"],
      ["GR", "630 86"]
    ] as const
    for (const [country, code] of cases)
      expect([country, code, served(country, code)]).toEqual([country, code, "outside"])
    for (const [country, code] of [
      ["ES", "28001"],
      ["DE", "78267"],
      ["IT", "23042"],
      ["GR", "151 24"],
      ["FR", "33380"],
      ["MC", "98000"],
      ["FI", "00100"]
    ] as const)
      expect([country, code, served(country, code)]).toEqual([country, code, "inside"])
  })

  it("keeps its speed with twenty thousand zones: a question touches only what holds the address", () => {
    const zones = Array.from({ length: 20_000 }, (_, i) =>
      zone(`zone_${i}`, {
        countries: ["US"],
        postalCodes: { US: [String(i).padStart(5, "0")] },
        salesChannelIds: ["vc_1"],
        priority: i
      })
    )
    let looked = 0
    const counted = zones.map((each) => new Proxy(each, { get: (target, key) => (looked++, Reflect.get(target, key)) }))
    const matcher = compileZones(counted)
    looked = 0
    expect(matcher.match({ country: "US", postalCode: "19999" }, "vc_1")?.zone.id).toBe("zone_19999")
    expect(looked).toBeLessThan(10)
  })
})
