import { describe, expect, it } from "vitest"
import { destinationsOf, type DestinationZone } from "../../src/zone/Destinations.ts"

const ON = [{ isActive: true }]
const zone = (fields: Partial<DestinationZone> = {}): DestinationZone => ({
  countries: [],
  regions: {},
  geometry: null,
  salesChannelIds: [],
  isActive: true,
  rates: ON,
  ...fields
})

describe("Where a channel ships to", () => {
  it("lists the countries of the zones that can sell, by name", () => {
    expect(destinationsOf([zone({ countries: ["US", "DE"] }), zone({ countries: ["AT", "US"] })], "vc_1")).toEqual({
      worldwide: false,
      countries: [
        { code: "AT", name: "Austria" },
        { code: "DE", name: "Germany" },
        { code: "US", name: "United States" }
      ],
      regions: {}
    })
  })

  it("leaves out inactive zones, other channels, and zones without an active rate", () => {
    const zones = [
      zone({ countries: ["US"], isActive: false }),
      zone({ countries: ["DE"], salesChannelIds: ["vc_2"] }),
      zone({ countries: ["AT"], rates: [] }),
      zone({ countries: ["CH"], rates: [{ isActive: false }] }),
      zone({ countries: ["FR"], rates: [{ isActive: false }, { isActive: true }], salesChannelIds: ["vc_1"] })
    ]
    expect(destinationsOf(zones, "vc_1")).toEqual({
      worldwide: false,
      countries: [{ code: "FR", name: "France" }],
      regions: {}
    })
    expect(destinationsOf(zones, "1").countries).toEqual([{ code: "FR", name: "France" }])
  })

  it("names the regions of a country that is served in part, joined over its zones", () => {
    const west = zone({ countries: ["US", "CA"], regions: { US: ["CA", "US-NV"], CA: [] } })
    const east = zone({ countries: ["US"], regions: { US: ["NY", "CA"] } })
    const found = destinationsOf([west, east], "vc_1")
    expect(found.regions).toEqual({
      US: [
        { code: "CA", name: "California" },
        { code: "NV", name: "Nevada" },
        { code: "NY", name: "New York" }
      ]
    })
    expect(found.countries.map(({ code }) => code)).toEqual(["CA", "US"])
  })

  it("has no regions for a country that some zone serves whole, whichever comes first", () => {
    const part = zone({ countries: ["US"], regions: { US: ["CA"] } })
    const whole = zone({ countries: ["US"] })
    expect(destinationsOf([part, whole], "vc_1").regions).toEqual({})
    expect(destinationsOf([whole, part], "vc_1").regions).toEqual({})
  })

  it("worldwide lists every country", () => {
    const found = destinationsOf([zone({ regions: { CA: ["ON"] } })], "vc_1")
    expect(found.worldwide).toBe(true)
    expect(found.countries).toHaveLength(249)
    expect(found.regions).toEqual({ CA: [{ code: "ON", name: "Ontario" }] })
  })

  it("a polygon alone names no country, and is not the world", () => {
    const drawn = zone({ geometry: { type: "Polygon", coordinates: [] } })
    expect(destinationsOf([drawn], "vc_1")).toEqual({ worldwide: false, countries: [], regions: {} })
  })

  it("speaks the shopper's language, and survives a locale that is none", () => {
    expect(destinationsOf([zone({ countries: ["DE"] })], "vc_1", "de").countries).toEqual([
      { code: "DE", name: "Deutschland" }
    ])
    expect(destinationsOf([zone({ countries: ["DE"] })], "vc_1", "%%").countries).toEqual([
      { code: "DE", name: "Germany" }
    ])
  })

  it("a store without zones ships nowhere", () => {
    expect(destinationsOf([], "vc_1")).toEqual({ worldwide: false, countries: [], regions: {} })
  })
})
