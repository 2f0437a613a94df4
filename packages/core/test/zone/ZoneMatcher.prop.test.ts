import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compileZones } from "../../src/zone/ZoneMatcher.ts"
import { type OracleAddress, type OracleZone, oracleMatch } from "./bruteForceZones.ts"

const RUNS = 3000
const COUNTRIES = ["US", "DE", "IR", "JP"]
const country = fc.constantFrom(...COUNTRIES)
const region = fc.constantFrom("BY", "CA", "US-CA", "DE-BY", "13", "by")
const pattern = fc.constantFrom(
  "94105",
  "941*",
  "94100-94199",
  "9410*",
  "*",
  "94-105",
  "00100-00150",
  "94100 - 94110",
  "94199-94100",
  "154-0023",
  "11936-12345",
  "sw1a 1aa",
  "9*1",
  "",
  "94150-94160",
  "10-20",
  "94105-1234"
)
const code = fc.constantFrom(
  "94105",
  "94 105",
  "94105-1234",
  "94100",
  "94155",
  "94200",
  "00120",
  "154-0023",
  "1540023",
  "12000",
  "11936-12345",
  "SW1A1AA",
  "15",
  "",
  "9410"
)
const listsOf = (item: fc.Arbitrary<string>) =>
  fc.dictionary(country, fc.array(item, { maxLength: 3 }), { maxKeys: 2, noNullPrototype: true })

const whole = fc.integer({ min: -6, max: 6 })
const ring = fc
  .array(fc.tuple(whole, whole), { minLength: 3, maxLength: 6 })
  .map((points) => [...points, points[0] ?? [0, 0]])
const geometry = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.array(ring, { minLength: 1, maxLength: 2 }).map((coordinates) => ({ type: "Polygon", coordinates }))
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.array(ring, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
      .map((coordinates) => ({ type: "MultiPolygon", coordinates }))
  }
)
const ids = (...values: ReadonlyArray<string>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.subarray([...values]) })

const zone = fc.record({
  countries: fc.subarray(COUNTRIES),
  regions: listsOf(region),
  postalCodes: listsOf(pattern),
  geometry,
  regionIds: ids("reg_1", "reg_2"),
  salesChannelIds: ids("vc_1", "vc_2"),
  priority: fc.integer({ min: 0, max: 2 }),
  createdAt: fc.constantFrom(new Date(1), new Date(2)),
  isActive: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) })
})
const zones = fc
  .array(zone, { maxLength: 12 })
  .map(
    (list): ReadonlyArray<OracleZone> =>
      list.map((fields, i) => ({ ...fields, id: `zone_${String((i * 7) % 13).padStart(2, "0")}` }))
  )
const address: fc.Arbitrary<OracleAddress> = fc.record({
  country: fc.constantFrom("US", "us", " DE", "IR", "JP", "FR"),
  region: fc.option(region),
  postalCode: fc.option(code),
  lat: fc.option(whole),
  lng: fc.option(whole)
})

describe("Zone matching agrees with the rules read one by one", () => {
  it("on random stores, addresses, channels and markets", () => {
    let served = 0
    let polygons = 0
    fc.assert(
      fc.property(
        zones,
        fc.array(address, { minLength: 1, maxLength: 5 }),
        fc.option(fc.constantFrom("vc_1", "vc_2", "vc_3")),
        fc.option(fc.constantFrom("reg_1", "reg_3")),
        (store, addresses, channel, market) => {
          const matcher = compileZones(store)
          for (const to of addresses) {
            const found = matcher.match(to, channel, market)
            expect(found?.zone.id).toBe(oracleMatch(store, to, channel, market))
            if (found !== undefined) served++
            if (found?.coverage === "polygon") polygons++
          }
        }
      ),
      { numRuns: RUNS }
    )
    expect(served).toBeGreaterThan(RUNS / 4)
    expect(polygons).toBeGreaterThan(RUNS / 40)
  })

  it("whatever the order in which the zones were read", () => {
    fc.assert(
      fc.property(zones, address, (store, to) => {
        const forward = compileZones(store).match(to, "vc_1")?.zone.id
        expect(compileZones([...store].reverse()).match(to, "vc_1")?.zone.id).toBe(forward)
      }),
      { numRuns: 500 }
    )
  })
})

describe("Postal ranges in bulk", () => {
  it("finds the first zone among many overlapping ranges", () => {
    const five = (n: number): string => String(n).padStart(5, "0")
    const range = fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 60 }))
    fc.assert(
      fc.property(fc.array(range, { maxLength: 60 }), fc.integer({ min: 0, max: 380 }), (ranges, probe) => {
        const store = ranges.map(
          ([low, width], i): OracleZone => ({
            id: `zone_${five(i)}`,
            countries: ["US"],
            regions: {},
            postalCodes: { US: [`${five(low)}-${five(low + width)}`] },
            geometry: null,
            regionIds: [],
            salesChannelIds: [],
            priority: (i * 31) % 60,
            createdAt: new Date(0),
            isActive: true
          })
        )
        const to = { country: "US", postalCode: five(probe) }
        expect(compileZones(store).match(to, null)?.zone.id).toBe(oracleMatch(store, to, null, null))
      }),
      { numRuns: 1000 }
    )
  })
})
