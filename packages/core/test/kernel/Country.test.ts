import { describe, expect, it } from "vitest"
import { COUNTRY_CODES, countryName, isCountry, normaliseCountry } from "../../src/kernel/Country.ts"

describe("Country", () => {
  it("lists the 249 codes of ISO 3166-1, each once, in order, frozen", () => {
    expect(COUNTRY_CODES).toHaveLength(249)
    expect(new Set(COUNTRY_CODES).size).toBe(249)
    expect([...COUNTRY_CODES].sort()).toEqual(COUNTRY_CODES)
    expect(COUNTRY_CODES.every((code) => /^[A-Z]{2}$/.test(code))).toBe(true)
    expect(Object.isFrozen(COUNTRY_CODES)).toBe(true)
  })

  it.each(["US", "DE", "GB", "SJ", "AX", "UM", "GR"])("accepts %s", (code) => {
    expect(isCountry(code)).toBe(true)
  })

  it.each([
    "XK",
    "EL",
    "XI",
    "UK",
    "IC",
    "EU",
    "AN",
    "YU",
    "ZZ",
    "XX",
    "*",
    "",
    "D",
    "DEU",
    "de",
    " DE",
    "276",
    "__proto__"
  ])("refuses %j, and maps it to nothing", (code) => {
    expect(isCountry(code)).toBe(false)
  })

  it("accepts Kosovo only where the store allows it", () => {
    expect(isCountry("XK", { allowKosovo: true })).toBe(true)
    expect(isCountry("XK", { allowKosovo: false })).toBe(false)
    expect(isCountry("EL", { allowKosovo: true })).toBe(false)
  })

  it("normalises the case people type", () => {
    expect(normaliseCountry(" de ")).toBe("DE")
  })

  it("names countries in the shopper's language", () => {
    expect(countryName("DE")).toBe("Germany")
    expect(countryName("DE", "de")).toBe("Deutschland")
    expect(countryName("DE", "fr-CA")).toBe("Allemagne")
    expect(countryName("XK", "en")).toBe("Kosovo")
  })

  it("falls back to English for a locale that is unknown or malformed, and to the code for an unknown country", () => {
    expect(countryName("US", "xx")).toBe("United States")
    expect(countryName("US", "not a locale")).toBe("United States")
    expect(countryName("US", "")).toBe("United States")
    expect(countryName("ZZ", "en")).toBe("ZZ")
    expect(countryName("nonsense", "en")).toBe("nonsense")
  })

  it("has an English name for every code", () => {
    expect(COUNTRY_CODES.filter((code) => countryName(code, "en") === code)).toEqual([])
  })

  it("still answers after more locales than its cache holds", () => {
    for (let i = 0; i < 100; i++) countryName("FR", `en-x-${String(i).padStart(4, "a")}`)
    expect(countryName("FR", "es")).toBe("Francia")
  })
})
