import { describe, expect, it } from "vitest"
import {
  formatMoney,
  isStorableMoney,
  MAX_MINOR,
  MIN_MINOR,
  moneyToNumber,
  parseAmount,
  parseMoney
} from "@effect-commerce/core/kernel/Money"

const reasonOf = (input: unknown, currency = "EUR") => {
  const result = parseMoney(input, currency)
  return typeof result === "bigint" ? result : result.reason
}

describe("reading an amount", () => {
  it.each([
    ["19.99", "EUR", 1999n],
    [19.99, "EUR", 1999n],
    ["19.9", "EUR", 1990n],
    ["19", "EUR", 1900n],
    [0, "EUR", 0n],
    [-0, "EUR", 0n],
    ["-0.00", "EUR", 0n],
    [-5.5, "EUR", -550n],
    ["007.10", "EUR", 710n],
    [1.1, "KWD", 1100n],
    ["1.234", "KWD", 1234n],
    ["1500", "JPY", 1500n],
    [1500, "JPY", 1500n],
    ["1.2345", "CLF", 12345n],
    [1.005, "IQD", 1005n],
    [9999999999999.99, "EUR", 999999999999999n],
    ["92233720368547758.07", "EUR", MAX_MINOR],
    ["-92233720368547758.08", "EUR", MIN_MINOR]
  ])("%s %s is %s minor units", (input, currency, minor) => {
    expect(parseMoney(input, currency)).toBe(minor)
  })

  it.each([
    [Number.NaN, "format"],
    [Number.POSITIVE_INFINITY, "format"],
    ["NaN", "format"],
    ["1e3", "format"],
    [1e21, "format"],
    [1e-7, "format"],
    ["", "format"],
    [" 1", "format"],
    ["1\n", "format"],
    ["+1", "format"],
    ["1.", "format"],
    [".5", "format"],
    ["1,50", "format"],
    ["0x10", "format"],
    ["--1", "format"],
    ["٣", "format"],
    ["9".repeat(1_000_000), "format"],
    [null, "type"],
    [undefined, "type"],
    [true, "type"],
    [5n, "type"],
    [{ valueOf: () => 1 }, "type"],
    [["1"], "type"],
    ["1.999", "fraction_digits"],
    ["1.990", "fraction_digits"],
    [0.1 + 0.2, "fraction_digits"],
    ["92233720368547758.08", "range"],
    ["-92233720368547758.09", "range"],
    [10000000000000, "range"]
  ])("refuses %s as %s", (input, reason) => {
    expect(reasonOf(input)).toBe(reason)
  })

  it("refuses fraction digits that the currency does not have", () => {
    expect(reasonOf("1.0", "JPY")).toBe("fraction_digits")
    expect(reasonOf("1.2345", "KWD")).toBe("fraction_digits")
    expect(parseMoney("1.999", "EUR")).toEqual({
      _tag: "MoneyInvalid",
      reason: "fraction_digits",
      message: "EUR has 2 fraction digits"
    })
  })

  it("refuses a price below zero where amounts must not be negative", () => {
    expect(parseAmount("-0.01", "EUR")).toMatchObject({ reason: "negative" })
    expect(parseAmount("-0.00", "EUR")).toBe(0n)
    expect(parseAmount("0.01", "EUR")).toBe(1n)
    expect(parseAmount("x", "EUR")).toMatchObject({ reason: "format" })
  })
})

describe("writing an amount", () => {
  it.each([
    [0n, "EUR", "0.00"],
    [-0n, "EUR", "0.00"],
    [5n, "EUR", "0.05"],
    [-5n, "EUR", "-0.05"],
    [1050n, "EUR", "10.50"],
    [1050n, "JPY", "1050"],
    [-1n, "JPY", "-1"],
    [1n, "KWD", "0.001"],
    [12345n, "CLF", "1.2345"],
    [MAX_MINOR, "EUR", "92233720368547758.07"],
    [MIN_MINOR, "EUR", "-92233720368547758.08"]
  ])("%s minor units of %s are %s", (minor, currency, text) => {
    expect(formatMoney(minor, currency)).toBe(text)
  })

  it("gives the breakdown plain numbers", () => {
    expect(moneyToNumber(1999n, "EUR")).toBe(19.99)
    expect(Object.is(moneyToNumber(0n, "EUR"), 0)).toBe(true)
    expect(moneyToNumber(1999n, "JPY")).toBe(1999)
  })

  it("says whether a sum can be stored", () => {
    expect([MAX_MINOR, MIN_MINOR, 0n].map(isStorableMoney)).toEqual([true, true, true])
    expect([MAX_MINOR + 1n, MIN_MINOR - 1n].map(isStorableMoney)).toEqual([false, false])
  })
})
