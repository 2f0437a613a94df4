import { describe, expect, it } from "vitest"
import { COUNTRY_CODES, isCountry } from "../../src/kernel/Country.ts"
import { SUBDIVISION_OVERRIDES } from "../../src/kernel/internal/subdivisionOverrides.ts"
import { SUBDIVISION_TABLE } from "../../src/kernel/internal/subdivisionTable.ts"
import { isSubdivision, normaliseRegion, subdivisionName, subdivisions } from "../../src/kernel/Subdivisions.ts"

const codes = (country: string): ReadonlyArray<string> => subdivisions(country).map(({ code }) => code)

describe("Subdivisions", () => {
  it.each([
    ["CA", 13],
    ["DE", 16],
    ["FR", 127],
    ["GB", 220],
    ["IT", 126],
    ["ES", 69],
    ["AU", 8],
    ["BR", 27],
    ["IN", 36],
    ["JP", 47],
    ["CN", 34],
    ["MX", 32]
  ])("%s has the %i subdivisions of ISO 3166-2", (country, count) => {
    expect(codes(country)).toHaveLength(count)
    expect(new Set(codes(country)).size).toBe(count)
  })

  it("the United States have the 57 of ISO and the three armed-forces states of the postal service", () => {
    const military = ["AA", "AE", "AP"]
    expect(codes("US").filter((code) => !military.includes(code))).toHaveLength(57)
    for (const code of [...military, "DC", "PR", "GU", "VI", "AS", "MP", "UM", "CA", "NY"])
      expect(codes("US")).toContain(code)
    for (const gone of ["FM", "MH", "PW"]) expect(codes("US")).not.toContain(gone)
  })

  it("knows regions and provinces, communities, departments and nations", () => {
    expect(subdivisionName("IT", "25")).toBe("Lombardia")
    expect(subdivisionName("IT", "RM")).toBe("Roma")
    expect(subdivisionName("ES", "CN")).toBe("Canarias")
    expect(subdivisionName("ES", "GC")).toBe("Las Palmas")
    expect(subdivisionName("FR", "IDF")).toBe("Île-de-France")
    expect(subdivisionName("FR", "2A")).toBe("Corse-du-Sud")
    expect(subdivisionName("GB", "SCT")).toBe("Scotland")
    expect(subdivisionName("DE", "BY")).toBe("Bayern")
    expect(subdivisionName("CA", "QC")).toBe("Quebec")
    expect(subdivisionName("ZA", "KZN")).toBe("KwaZulu-Natal")
  })

  it.each([
    ["DE", "BY", "BY"],
    ["DE", "DE-BY", "BY"],
    ["de", "de-by", "BY"],
    ["DE", " by ", "BY"],
    ["DE", "AT-1", "AT-1"],
    ["US", "California", "CALIFORNIA"],
    ["DK", "DK-84", "84"],
    ["DE", "", ""],
    ["", "-BY", "-BY"]
  ])("in %j the region %j is compared as %j", (country, region, expected) => {
    expect(normaliseRegion(country, region)).toBe(expected)
  })

  it("normalising twice changes nothing more, for every code we hold", () => {
    for (const country of COUNTRY_CODES) {
      for (const { code } of subdivisions(country)) {
        expect(normaliseRegion(country, code)).toBe(code)
        expect(normaliseRegion(country, `${country}-${code}`.toLowerCase())).toBe(code)
      }
    }
  })

  it("answers membership without claiming to be complete", () => {
    expect(isSubdivision("DE", "DE-BY")).toBe(true)
    expect(isSubdivision("DE", "XX")).toBe(false)
    expect(isSubdivision("ZZ", "BY")).toBe(false)
    expect(subdivisionName("ZZ", "by")).toBe("BY")
  })

  it("is empty for countries without subdivisions, unknown countries and names of the prototype", () => {
    for (const country of ["SG2", "ZZ", "", "constructor", "__proto__", "toString"])
      expect(subdivisions(country)).toEqual([])
  })

  it("lists by name, and the same frozen list each time", () => {
    const list = subdivisions("de")
    expect(list[0]).toEqual({ code: "BW", name: "Baden-Württemberg" })
    expect(list.at(-1)).toEqual({ code: "TH", name: "Thüringen" })
    expect(subdivisions("DE")).toBe(list)
    expect(Object.isFrozen(list)).toBe(true)
  })

  it("every row of the tables is well formed: a real country, codes of one to three characters, a name", () => {
    for (const country of new Set([...Object.keys(SUBDIVISION_TABLE), ...Object.keys(SUBDIVISION_OVERRIDES)])) {
      expect(isCountry(country, { allowKosovo: true })).toBe(true)
      const bad = subdivisions(country).filter(({ code, name }) => !/^[A-Z0-9]{1,3}$/.test(code) || name.trim() === "")
      expect({ country, bad }).toEqual({ country, bad: [] })
    }
  })

  it("every dropped code was there to drop", () => {
    for (const [country, { drop = [] }] of Object.entries(SUBDIVISION_OVERRIDES)) {
      const source = (SUBDIVISION_TABLE[country] ?? "").split("|").map((entry) => entry.split(" ")[0])
      for (const code of drop) expect(source).toContain(code)
    }
  })
})
