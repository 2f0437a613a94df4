import { describe, expect, it } from "vitest"
import {
  canPurchase,
  isInStock,
  isLowStock,
  type StockFacts,
  unitsAvailable,
  unitsFree
} from "../../src/kernel/Availability.ts"

const tracked: StockFacts = {
  trackingMode: "TRACKED",
  backorderMode: "DENY",
  backorderLimit: null,
  total: 10,
  reserved: 4
}

describe("what can be bought", () => {
  it.each([
    ["tracked", {}, 6, true, true, 6],
    ["all held", { reserved: 10 }, 0, false, false, 0],
    ["nothing there", { total: 0, reserved: 0 }, 0, false, false, 0],
    ["limited", { total: 0, reserved: 0, backorderMode: "LIMITED", backorderLimit: 3 }, 3, true, false, 0],
    ["limited, used up", { total: -3, reserved: 0, backorderMode: "LIMITED", backorderLimit: 3 }, 0, false, false, 0],
    ["limited without a limit", { total: 0, reserved: 0, backorderMode: "LIMITED" }, 0, false, false, 0],
    ["a limit that does not hold", { total: 0, reserved: 0, backorderLimit: 3 }, 0, false, false, 0],
    ["any backorder", { total: -50, reserved: 0, backorderMode: "ALLOW" }, Number.POSITIVE_INFINITY, true, false, 0],
    ["untracked", { total: 0, reserved: 0, trackingMode: "UNTRACKED" }, Number.POSITIVE_INFINITY, true, true, 0],
    ["disabled", { trackingMode: "DISABLED", backorderMode: "ALLOW" }, 0, false, false, 6]
  ] as const)("%s", (_name, change, units, buyable, inStock, free) => {
    const stock = { ...tracked, ...change }
    expect([unitsAvailable(stock), canPurchase(stock), isInStock(stock), unitsFree(stock)]).toEqual([
      units,
      buyable,
      inStock,
      free
    ])
  })

  it("counts what the asker holds as the asker's, and nothing where no row is", () => {
    expect([unitsAvailable(tracked, 3), unitsAvailable({ ...tracked, reserved: 10 }, 2)]).toEqual([9, 2])
    expect([unitsAvailable(null), canPurchase(null), isInStock(null), unitsFree(null), isLowStock(null, 5)]).toEqual([
      0,
      false,
      false,
      0,
      false
    ])
  })

  it("is low from the threshold down, of what is counted and has one", () => {
    expect([
      isLowStock(tracked, 6),
      isLowStock(tracked, 5),
      isLowStock(tracked, null),
      isLowStock({ ...tracked, trackingMode: "UNTRACKED" }, 6)
    ]).toEqual([true, false, false, false])
  })
})
