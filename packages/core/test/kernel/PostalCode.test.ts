import { describe, expect, it } from "vitest"
import { isExactPostalCode, normalizePostalCode } from "@effect-commerce/core/kernel/PostalCode"

describe("postal codes", () => {
  it.each([
    ["sw1a 1aa", "SW1A1AA"],
    ["k1a-0b1", "K1A 0B1"],
    ["1012 ab", "1012AB"],
    ["100-0001", "1000001"],
    ["80 331", "80-331"],
    [" FL 07 ", "fl07"],
    ["LV-1073", "lv1073"]
  ])("%s equals %s", (a, b) => {
    expect(normalizePostalCode(a)).toBe(normalizePostalCode(b))
  })

  it.each([
    ["C1070AAM", "C1070AAM"],
    ["40301-110", "40301110"],
    ["95014-1234", "950141234"],
    ["GIR 0AA", "GIR0AA"],
    ["KY1-1100", "KY11100"],
    ["94\u00a0105", "94105"],
    ["94\u2011105", "94105"],
    ["", ""]
  ])("%s is compared as %s", (input, normalized) => {
    expect(normalizePostalCode(input)).toBe(normalized)
  })

  it("tells an exact code from a pattern", () => {
    expect(["80331", "SW1A1AA", "1000001"].map(isExactPostalCode)).toEqual([true, true, true])
    expect(["803*", "*", "94100...94199", "803?", "803%", "", "80331,80333"].map(isExactPostalCode)).not.toContain(true)
  })
})
