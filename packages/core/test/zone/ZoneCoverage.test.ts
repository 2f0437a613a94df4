import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { checkZoneCoverage, type ZoneCoverageInput } from "../../src/zone/ZoneCoverage.ts"

const input = (fields: Partial<ZoneCoverageInput>): ZoneCoverageInput => ({
  countries: [],
  regions: {},
  postalCodes: {},
  geometry: null,
  ...fields
})
const errors = (fields: Partial<ZoneCoverageInput>): unknown =>
  Result.match(checkZoneCoverage(input(fields)), { onFailure: (found) => found, onSuccess: () => "accepted" })
const UNCUT = {
  type: "Polygon",
  coordinates: [
    [
      [170, 40],
      [-170, 40],
      [-170, 50],
      [170, 50],
      [170, 40]
    ]
  ]
}

describe("What a zone may cover", () => {
  it("stores regions bare and patterns trimmed, each once; geometry untouched", () => {
    const checked = Result.getOrThrow(
      checkZoneCoverage(
        input({
          countries: ["DE", "DE"],
          regions: { DE: ["DE-BY", "by"] },
          postalCodes: { DE: [" 80* ", "80*", "94100 - 94199"] }
        })
      )
    )
    expect(checked).toEqual({
      countries: ["DE"],
      regions: { DE: ["BY"] },
      postalCodes: { DE: ["80*", "94100 - 94199"] },
      geometry: null,
      warnings: []
    })
  })

  it("keeps a region our table does not know", () => {
    expect(Result.getOrThrow(checkZoneCoverage(input({ countries: ["BS"], regions: { BS: ["QQ"] } }))).regions).toEqual(
      { BS: ["QQ"] }
    )
  })

  it("warns of a polygon that seems uncut and of restrictions without effect", () => {
    const checked = Result.getOrThrow(
      checkZoneCoverage(
        input({ countries: ["DE"], regions: { AT: ["7"] }, postalCodes: { CH: ["8*"] }, geometry: UNCUT })
      )
    )
    expect(checked.geometry).toBe(UNCUT)
    expect(checked.warnings).toEqual([
      "regions.AT has no effect: AT is not among the countries",
      "postalCodes.CH has no effect: CH is not among the countries",
      "geometry.coordinates.0: crosses the antimeridian? cut it into a MultiPolygon (RFC 7946, section 3.1.9)"
    ])
  })

  it("for a worldwide zone the maps narrow, so nothing is without effect", () => {
    expect(Result.getOrThrow(checkZoneCoverage(input({ regions: { CA: ["ON"] } }))).warnings).toEqual([])
  })

  it("reports every wrong field by its path", () => {
    expect(
      errors({
        countries: ["US", "UK", "us", "*"],
        regions: { US: ["CA", " "], EL: ["I"] },
        postalCodes: { US: ["94105", "9*1", ""], XX: [] },
        geometry: { type: "Point", coordinates: [1, 2] }
      })
    ).toEqual({
      "countries.1": "must be an ISO 3166-1 alpha-2 code such as US",
      "countries.2": "must be an ISO 3166-1 alpha-2 code such as US",
      "countries.3": "must be an ISO 3166-1 alpha-2 code such as US",
      "regions.US.1": "must not be empty",
      "regions.EL": "must be an ISO 3166-1 alpha-2 code such as US",
      "postalCodes.US.1": "may hold one * only, at the end",
      "postalCodes.US.2": "must not be empty",
      "postalCodes.XX": "must be an ISO 3166-1 alpha-2 code such as US",
      "geometry.type": "must be Polygon or MultiPolygon"
    })
  })

  it("Kosovo only where the store allows it", () => {
    expect(errors({ countries: ["XK"] })).toEqual({ "countries.0": "must be an ISO 3166-1 alpha-2 code such as US" })
    expect(Result.isSuccess(checkZoneCoverage(input({ countries: ["XK"] }), { allowKosovo: true }))).toBe(true)
  })
})
