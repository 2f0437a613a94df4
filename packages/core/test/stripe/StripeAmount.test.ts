import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { CURRENCIES, currencyExponent } from "../../src/kernel/Currency.ts"
import { fromStripeAmount, toStripeAmount } from "../../src/stripe/StripeAmount.ts"

const taken = CURRENCIES.filter((currency) => {
  try {
    return toStripeAmount(1_000_000n, currency) > 0
  } catch {
    return false
  }
})

describe("amounts for Stripe", () => {
  it.each([
    ["USD", 1_999n, 1_999],
    ["JPY", 500n, 500],
    ["HUF", 1_045n, 1_045],
    ["TWD", 80_045n, 80_045],
    ["ISK", 5n, 500],
    ["UGX", 5n, 500],
    ["MGA", 500n, 5],
    ["KWD", 5_120n, 5_120]
  ])("sends %s %d as %d", (currency, ours, theirs) => {
    expect(toStripeAmount(ours, currency)).toBe(theirs)
    expect(fromStripeAmount(theirs, currency.toLowerCase())).toBe(ours)
  })

  it.each([
    ["a third digit that card networks do not carry", "KWD", 5_124n],
    ["a fraction of a currency that has none at Stripe", "MGA", 501n],
    ["a currency with four digits", "CLF", 10_000n],
    ["a currency with three digits that Stripe does not know", "IQD", 1_000n],
    ["a unit of account", "UYI", 1n],
    ["more than a number holds", "USD", 9_007_199_254_740_992n]
  ])("refuses %s, and never rounds", (_, currency, amount) => {
    expect(() => toStripeAmount(amount, currency)).toThrow(/Stripe/)
  })

  it("refuses what Stripe names in fractions of a currency that we keep whole", () => {
    expect(() => fromStripeAmount(501, "isk")).toThrow("no whole number")
  })

  it("takes every currency of two digits", () => {
    expect(CURRENCIES.filter((code) => currencyExponent(code) === 2 && !taken.includes(code))).toEqual([])
  })

  it("reads back what it sent, in every currency", () => {
    fc.assert(
      fc.property(fc.constantFrom(...taken), fc.bigInt({ min: 1n, max: 10_000_000n }), (currency, amount) => {
        let sent: number
        try {
          sent = toStripeAmount(amount, currency)
        } catch {
          return
        }
        expect(fromStripeAmount(sent, currency.toLowerCase())).toBe(amount)
      })
    )
  })
})
