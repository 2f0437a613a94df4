import { describe, expect, it } from "vitest"
import { normalizePostalCode } from "../../src/kernel/PostalCode.ts"
import { matchesPostalPattern, readPostalPattern } from "../../src/zone/PostalPattern.ts"

const matches = (country: string, pattern: string, code: string): boolean =>
  matchesPostalPattern(readPostalPattern(country, pattern), normalizePostalCode(code))

describe("Postal patterns of a zone", () => {
  it.each([
    ["GB", "sw1a 1aa", "SW1A1AA"],
    ["CA", "k1a-0b1", "K1A 0B1"],
    ["NL", "1012 ab", "1012AB"],
    ["JP", "100-0001", "1000001"]
  ])("in %s %j and %j are the same code, either way round", (country, a, b) => {
    expect(matches(country, a, b)).toBe(true)
    expect(matches(country, b, a)).toBe(true)
  })

  it.each([
    ["94105", true],
    ["94100", true],
    ["94199", true],
    ["94200", false],
    ["94099", false],
    ["941050", false],
    ["9410", false],
    [" 94 105", true],
    ["9410A", false],
    ["", false]
  ])("the range 94100-94199 and the code %j: %s", (code, expected) => {
    expect(matches("US", "94100-94199", code)).toBe(expected)
    expect(matches("US", " 94100 - 94199 ", code)).toBe(expected)
  })

  it.each([
    ["PL", "00-950"],
    ["PT", "2725-079"],
    ["BR", "40301-110"],
    ["JP", "154-0023"],
    ["US", "95014-1234"],
    ["IR", "11936-12345"]
  ])("in %s %j is one code, not a range", (country, pattern) => {
    expect(readPostalPattern(country, pattern)).toEqual({ kind: "exact", code: pattern.replace("-", "") })
    expect(matches(country, pattern, pattern)).toBe(true)
    expect(matches(country, pattern, pattern.split("-")[0] ?? "")).toBe(false)
    expect(matches(country, pattern, pattern.split("-")[1] ?? "")).toBe(false)
  })

  it("outside Iran two groups of five digits are a range", () => {
    expect(readPostalPattern("DE", "11936-12345")).toEqual({ kind: "range", low: "11936", high: "12345" })
    expect(matches("DE", "11936-12345", "12000")).toBe(true)
    expect(matches("IR", "11936-12345", "12000")).toBe(false)
  })

  it("a range of one code, and leading zeros kept", () => {
    expect(matches("US", "02108-02108", "02108")).toBe(true)
    expect(matches("US", "00100-00999", "00501")).toBe(true)
    expect(matches("US", "00100-00999", "501")).toBe(false)
  })

  it("a range upside down is one code, and matches no real one", () => {
    expect(readPostalPattern("US", "94199-94100")).toEqual({ kind: "exact", code: "9419994100" })
    expect(matches("US", "94199-94100", "94150")).toBe(false)
  })

  it.each([
    ["94105", true],
    ["94105-1234", true],
    ["9410", true],
    ["941", true],
    ["94", false],
    ["94200", false],
    ["", false]
  ])("the prefix 941* and the code %j: %s", (code, expected) => {
    expect(matches("US", "941*", code)).toBe(expected)
  })

  it("prefixes ignore case and spaces", () => {
    expect(matches("GB", "sw1a *", "SW1A 1AA")).toBe(true)
    expect(matches("GB", "SW1A*", "sw1a1aa")).toBe(true)
    expect(matches("GB", "SW1A*", "SW1P 3BU")).toBe(false)
  })

  it("* alone is any code, also none", () => {
    expect(matches("AE", "*", "")).toBe(true)
    expect(matches("US", " * ", "94105")).toBe(true)
  })

  it("an exact code is exact: ZIP+4 is another code", () => {
    expect(matches("US", "94105", "94105-1234")).toBe(false)
  })

  it.each([
    ["", "must not be empty"],
    [" - ", "must not be empty"],
    ["9*1", "may hold one * only, at the end"],
    ["*94", "may hold one * only, at the end"],
    ["94**", "may hold one * only, at the end"],
    ["9*1*", "may hold one * only, at the end"],
    ["94100–94199", "may hold letters, digits, spaces and hyphens only"],
    ["94100..94199", "may hold letters, digits, spaces and hyphens only"],
    ["1".repeat(65), "must have at most 64 characters"]
  ])("%j is no pattern and matches nothing", (pattern, problem) => {
    expect(readPostalPattern("US", pattern)).toEqual({ kind: "none", problem })
    for (const code of ["", "94105", pattern]) expect(matches("US", pattern, code)).toBe(false)
  })

  it.each([
    "AD AD100",
    "AI 2640",
    "AR C1070AAM",
    "BM FL 07",
    "BR 40301-110",
    "CA H3Z 2Y7",
    "CZ 100 00",
    "DE 26133",
    "FR 33380",
    "GB EC1Y 8SY",
    "GB GIR 0AA",
    "GR 151 24",
    "IE A65 F4E2",
    "IN 110034",
    "IR 11936-12345",
    "JP 154-0023",
    "KY KY1-1100",
    "LI 9485",
    "LI 9498",
    "LV LV-1073",
    "MT NXR 01",
    "MU 42602",
    "NL 1234 AB",
    "US 95014",
    "US 95014-1234"
  ])("%s written as people write it is an exact code and matches itself", (line) => {
    const [country, code] = [line.slice(0, 2), line.slice(3)]
    expect(readPostalPattern(country, code).kind).toBe("exact")
    expect(matches(country, code, code.toLowerCase())).toBe(true)
    expect(matches(country, code.toLowerCase().replace(/[ -]/g, ""), code)).toBe(true)
    expect(matches(country, code, `${code}1`)).toBe(false)
  })

  it("9485-9498 covers Liechtenstein", () => {
    expect(matches("LI", "9485-9498", "9490")).toBe(true)
    expect(matches("LI", "9485-9498", "9499")).toBe(false)
  })
})
