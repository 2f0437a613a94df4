import { Result } from "effect"
import { describe, expect, it } from "vitest"
import type { StockRow } from "../../src/inventory/InventoryRepository.ts"
import { adjustStock, changeStock } from "../../src/inventory/StockChange.ts"

const row: StockRow = {
  key: "prod_1",
  productId: "prod_1",
  variantId: null,
  trackingMode: "TRACKED",
  backorderMode: "DENY",
  backorderLimit: null,
  total: 10,
  reserved: 4,
  lowStockThreshold: 2,
  lastInventorySyncAt: null,
  updatedAt: new Date(0)
}
const outcome = <A extends StockRow, E extends { readonly _tag: string }>(result: Result.Result<A, E>) =>
  Result.isSuccess(result) ? result.success.total : result.failure._tag
const reduce = (delta: number, from: Partial<StockRow> = {}) =>
  outcome(adjustStock({ ...row, ...from }, { delta, reason: "other" }))

describe("a change of stock", () => {
  it("leaves what is not named as it is and clears with null", () => {
    expect(Result.getOrThrow(changeStock(row, {}))).toEqual(row)
    expect(Result.getOrThrow(changeStock(row, { lowStockThreshold: null, total: 4 }))).toEqual({
      ...row,
      lowStockThreshold: null,
      total: 4
    })
  })

  it.each([
    [{ total: 4 }, 4],
    [{ total: 3 }, "StockBelowReserved"],
    [{ total: 3, backorderMode: "ALLOW" }, 3],
    [{ total: 3, backorderMode: "LIMITED" }, "StockBelowReserved"],
    [{ total: 3, backorderMode: "LIMITED", backorderLimit: 1 }, 3],
    [{ total: 2, backorderMode: "LIMITED", backorderLimit: 1 }, "StockBelowReserved"],
    [{ total: 0, trackingMode: "UNTRACKED" }, 0],
    [{ total: 0, trackingMode: "DISABLED" }, 0]
  ] as const)("keeps what is held covered: %o", (change, expected) => {
    expect(outcome(changeStock(row, change))).toBe(expected)
  })

  it("compares the total it was told, first", () => {
    expect(outcome(changeStock(row, { total: 0, expectedTotal: 9 }))).toBe("StockTotalMismatch")
    expect(outcome(changeStock({ ...row, total: -3, reserved: 0 }, { total: 5, expectedTotal: -3 }))).toBe(5)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, -1, 0.5])("takes no count of %d", (value) => {
    for (const field of ["total", "backorderLimit", "lowStockThreshold"])
      expect(outcome(changeStock(row, { [field]: value }))).toBe("StockValueInvalid")
  })
})

describe("an adjustment", () => {
  it.each([0, 0.5, 2 ** 31, -(2 ** 31), 1e15])("refuses %d, saying what it takes", (delta) => {
    const refused = Result.getOrThrow(Result.flip(adjustStock(row, { delta, reason: "other" })))
    expect(refused).toMatchObject({
      errors: { delta: "must be a whole number from -2147483647 to 2147483647, and not 0" }
    })
  })

  it("stops at zero, and at what is held", () => {
    expect([reduce(-6), reduce(-7), reduce(-10, { reserved: 0 }), reduce(-11, { reserved: 0 })]).toEqual([
      4,
      "StockBelowReserved",
      0,
      "StockValueInvalid"
    ])
  })

  it("brings a row that owes units nearer to zero, and never further from it", () => {
    const owing = { total: -5, reserved: 0, backorderMode: "ALLOW" } as const
    expect([reduce(3, owing), reduce(9, owing), reduce(-1, owing)]).toEqual([-2, 4, "StockValueInvalid"])
  })
})
