import { describe, expect, it } from "vitest"
import { allocate } from "@effect-commerce/core/kernel/Allocation"
import { divideRounded } from "@effect-commerce/core/kernel/Rounding"

const split = (total: number, weights: ReadonlyArray<number>, caps?: ReadonlyArray<number>) =>
  allocate(BigInt(total), weights.map(BigInt), caps?.map(BigInt)).map(Number)

describe("allocate", () => {
  it.each([
    [5, [70, 30], [4, 1]],
    [5, [30, 70], [2, 3]],
    [800, [1, 1, 1], [267, 267, 266]],
    [4, [1, 1, 1], [2, 1, 1]],
    [1000, [1999, 1000, 99], [645, 323, 32]],
    [1000, [1999, 500, 1], [800, 200, 0]],
    [100, [5, 100], [5, 95]],
    [1, [1, 1, 1], [1, 0, 0]],
    [1000, [5950, 1070], [848, 152]],
    [0, [3, 4], [0, 0]],
    [0, [], []],
    [7, [0, 0], [4, 3]],
    [7, [0, 5, 0], [0, 7, 0]],
    [-5, [70, 30], [-4, -1]]
  ])("%s over %j is %j", (total, weights, parts) => {
    expect(split(total, weights)).toEqual(parts)
  })

  it("takes a coupon percentage once on the eligible subtotal, then splits it", () => {
    expect(divideRounded(10n * 10n * 105n, 100n, "half_up")).toBe(105n)
    expect(
      split(
        105,
        Array.from({ length: 10 }, () => 105)
      )
    ).toEqual([11, 11, 11, 11, 11, 10, 10, 10, 10, 10])
    expect(divideRounded(10n * 3n * 33n, 100n, "half_up")).toBe(10n)
    expect(split(10, [33, 33, 33])).toEqual([4, 3, 3])
    expect(divideRounded(25n * 1999n, 100n, "half_up")).toBe(500n)
  })

  it("gives no part more than its line and passes on what a full line cannot take", () => {
    expect(split(10, [1, 1, 1], [2, 10, 10])).toEqual([2, 4, 4])
    expect(split(10, [8, 1, 1], [3, 3, 9])).toEqual([3, 3, 4])
    expect(split(10, [1, 1, 1], [10, 0, 0])).toEqual([10, 0, 0])
  })

  it("gives everything there is room for when the total is larger", () => {
    expect(split(100, [1, 1], [30, 40])).toEqual([30, 40])
  })

  it("lets lines of weight zero take a rest that has no other place", () => {
    expect(split(10, [1, 0, 0], [4, 9, 9])).toEqual([4, 3, 3])
  })

  it("refuses nonsense instead of losing money", () => {
    expect(() => split(1, [])).toThrow(RangeError)
    expect(() => split(1, [-1, 2])).toThrow(RangeError)
    expect(() => split(1, [1, 2], [1])).toThrow(RangeError)
    expect(() => split(1, [1, 2], [-1, 5])).toThrow(RangeError)
  })
})
