import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formatRate, parseRate, type Rate, scaledRate } from "@effect-commerce/core/kernel/Rate"
import { law } from "./laws.ts"

const rate = (input: unknown): Rate => {
  const result = parseRate(input)
  if ("_tag" in result) throw new Error(result.message)
  return result
}

describe("Rate", () => {
  it.each([
    ["8.875", 8875n, 3, "8.875"],
    [8.875, 8875n, 3, "8.875"],
    ["19.00", 19n, 0, "19"],
    [19, 19n, 0, "19"],
    ["0", 0n, 0, "0"],
    [-0, 0n, 0, "0"],
    ["-0.0", 0n, 0, "0"],
    ["0.50", 5n, 1, "0.5"],
    ["0.005", 5n, 3, "0.005"],
    ["100", 100n, 0, "100"],
    ["100.000000", 100n, 0, "100"],
    [0.1, 1n, 1, "0.1"]
  ])("%s is exact and prints without trailing zeros", (input, value, scale, text) => {
    expect(rate(input)).toEqual({ value, scale })
    expect(formatRate(rate(input))).toBe(text)
  })

  it.each([
    ["100.001", "range"],
    [101, "range"],
    [-1, "range"],
    ["-0.001", "range"],
    [Number.NaN, "format"],
    [Number.POSITIVE_INFINITY, "format"],
    [1e-7, "format"],
    ["19%", "format"],
    ["", "format"],
    ["1".repeat(41), "format"],
    ["0.1234567890123", "fraction_digits"],
    [null, "type"],
    [true, "type"],
    [{}, "type"]
  ])("refuses %s as %s", (input, reason) => {
    expect(parseRate(input)).toMatchObject({ _tag: "RateInvalid", reason })
  })

  it("can be compared at a common scale", () => {
    expect(scaledRate(rate("8.875"), 4)).toBe(88750n)
    expect(scaledRate(rate("19"), 3)).toBe(19000n)
  })

  it("is read back as it was written", () => {
    law(fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 8n }), fc.integer({ min: 6, max: 12 })), ([value, scale]) => {
      const text = `${value / 10n ** BigInt(scale)}.${(value % 10n ** BigInt(scale)).toString().padStart(scale, "0")}`
      const parsed = rate(text)
      expect(scaledRate(parsed, scale)).toBe(value)
      expect(rate(formatRate(parsed))).toEqual(parsed)
      expect(formatRate(parsed)).not.toMatch(/\.$|\.\d*0$/)
    })
  })
})
