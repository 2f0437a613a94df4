import { describe, expect, it } from "vitest"
import { explain, type TraceEntry, unroundedText } from "@effect-commerce/core/kernel/Trace"

const entry: TraceEntry = {
  step: "tax",
  target: "line_1",
  sources: ["rate_de"],
  formula: "amount x 19 / (100 + 19)",
  numerator: 1600n * 19n,
  denominator: 119n,
  roundingPoint: "line",
  roundingMode: "half_up",
  amount: 255n
}

describe("an explanation", () => {
  it("names the rate, the formula, the unrounded value and where it was rounded", () => {
    expect(explain(entry, "EUR")).toBe(
      "tax line_1 [rate_de]: amount x 19 / (100 + 19) = 2.55462185, line half_up -> 2.55"
    )
  })

  it("leaves out what was not needed", () => {
    const exact: TraceEntry = {
      ...entry,
      step: "prices",
      sources: [],
      formula: "quantity x unit price",
      numerator: 1600n,
      denominator: 1n,
      roundingPoint: "none",
      roundingMode: null,
      amount: 1600n
    }
    expect(explain(exact, "EUR")).toBe("prices line_1: quantity x unit price = 16.00000000 -> 16.00")
    expect(explain({ ...exact, roundingPoint: "cap" }, "EUR")).toContain("16.00000000, cap -> 16.00")
  })

  it("follows the digits of the currency and keeps the sign", () => {
    expect(unroundedText({ ...entry, numerator: -5n, denominator: 10n }, "JPY")).toBe("-0.500000")
    expect(unroundedText({ ...entry, numerator: 1n, denominator: 3n }, "KWD")).toBe("0.000333333")
  })
})
