import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { divideRounded, ROUNDING_MODES, type RoundingMode } from "@effect-commerce/core/kernel/Rounding"
import { law } from "./laws.ts"

describe("divideRounded", () => {
  it.each<[bigint, bigint, Record<RoundingMode, bigint>]>([
    [5n, 10n, { half_up: 1n, half_even: 0n, half_down: 0n }],
    [15n, 10n, { half_up: 2n, half_even: 2n, half_down: 1n }],
    [25n, 10n, { half_up: 3n, half_even: 2n, half_down: 2n }],
    [-5n, 10n, { half_up: -1n, half_even: 0n, half_down: 0n }],
    [-25n, 10n, { half_up: -3n, half_even: -2n, half_down: -2n }],
    [25n, -10n, { half_up: -3n, half_even: -2n, half_down: -2n }],
    [-15n, -10n, { half_up: 2n, half_even: 2n, half_down: 1n }],
    [24n, 10n, { half_up: 2n, half_even: 2n, half_down: 2n }],
    [26n, 10n, { half_up: 3n, half_even: 3n, half_down: 3n }],
    [1n, 3n, { half_up: 0n, half_even: 0n, half_down: 0n }],
    [2n, 3n, { half_up: 1n, half_even: 1n, half_down: 1n }],
    [0n, 7n, { half_up: 0n, half_even: 0n, half_down: 0n }],
    [21n, 7n, { half_up: 3n, half_even: 3n, half_down: 3n }]
  ])("%s / %s", (numerator, denominator, expected) => {
    for (const mode of ROUNDING_MODES) expect(divideRounded(numerator, denominator, mode)).toBe(expected[mode])
  })

  it("refuses to divide by zero", () => {
    expect(() => divideRounded(1n, 0n, "half_up")).toThrow(RangeError)
  })

  it("is nearest, mirrors negatives, and the modes differ on exact halves only", () => {
    const big = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })
    const small = fc.bigInt({ min: -20n, max: 20n })
    const numerator = fc.oneof(big, small)
    const denominator = fc.oneof(big, small).filter((value) => value !== 0n)
    law(fc.tuple(numerator, denominator), ([n, d]) => {
      const results = ROUNDING_MODES.map((mode) => divideRounded(n, d, mode))
      for (const [index, mode] of ROUNDING_MODES.entries()) {
        const error = 2n * (n - (results[index] ?? 0n) * d)
        const size = d < 0n ? -d : d
        expect(error <= size && error >= -size).toBe(true)
        expect(divideRounded(-n, d, mode)).toBe(-(results[index] ?? 0n))
      }
      const isHalf = (2n * n) % d === 0n && n % d !== 0n
      expect(new Set(results).size > 1).toBe(isHalf)
    })
  })
})
