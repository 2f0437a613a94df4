import { describe, expect, it } from "vitest"
import type { NewOrder } from "../../src/order/Order.ts"
import { decodeDraft, encodeDraft } from "../../src/order/OrderDraft.ts"

const roundTrip = (value: unknown) => decodeDraft(JSON.parse(encodeDraft(value as NewOrder)))

describe("a drafted order", () => {
  it("keeps amounts beyond what a double holds, and times to the millisecond", () => {
    const order = { totalAmount: 9_007_199_254_740_993n, items: [{ unitPrice: -1n, tax: 0n }], createdAt: new Date("2026-01-02T03:04:05.678Z") }
    expect(roundTrip(order)).toEqual(order)
  })

  it("keeps a shopper's JSON that looks like its own marks", () => {
    const metadata = { $bigint: "not a number", nested: { $date: "x" }, list: [{ $object: { $bigint: "1" } }, null, 1.5, "text"] }
    expect(roundTrip({ metadata, bare: { $bigint: "DROP" } })).toEqual({ metadata, bare: { $bigint: "DROP" } })
  })
})
