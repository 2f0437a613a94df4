import { describe, expect, it } from "vitest"
import { chargeOf, claimsOf } from "../../src/claim/PaymentPlan.ts"
import type { OrderPayment } from "../../src/order/Order.ts"

const row = (method: string, reference: string | null, amount: bigint): OrderPayment => {
  const captured = reference === null ? 0n : amount
  const status = reference === null ? "pending" : "captured"
  const none = { refunded: 0n, surplus: 0n, failure: null, paidAt: null }
  return { id: "pay", provider: method, method, reference, status, amount, captured, ...none }
}

const adjusted = (
  kind: string,
  sourceId: string,
  part: "rule_discount" | "discount" | "tax",
  reason: string | null
) => ({
  kind,
  sourceId,
  part,
  reason
})

describe("what an order claims", () => {
  it("is its tenders and one use of each discount, by kind and source, each source once", () => {
    const payments = [
      row("test", null, 1_000n),
      row("points", "b", 200n),
      row("card", "z", 100n),
      row("points", "a", 300n),
      row("points", "b", 50n)
    ]
    const adjustments = [
      adjusted("promotion", "p2", "rule_discount", "Summer"),
      adjusted("promotion", "p1", "rule_discount", "Spring"),
      adjusted("promotion", "p2", "rule_discount", "Summer"),
      adjusted("coupon", "c1", "discount", "Welcome"),
      adjusted("manual_discount", "discountAmount", "discount", null),
      adjusted("manual_tax", "taxAmount", "tax", null)
    ]
    expect(claimsOf({ payments, adjustments })).toEqual([
      { kind: "card", sourceId: "z", amount: 100n, name: "card", isTender: true },
      { kind: "coupon", sourceId: "c1", amount: 0n, name: "Welcome", isTender: false },
      { kind: "points", sourceId: "a", amount: 300n, name: "points", isTender: true },
      { kind: "points", sourceId: "b", amount: 250n, name: "points", isTender: true },
      { kind: "promotion", sourceId: "p1", amount: 0n, name: "Spring", isTender: false },
      { kind: "promotion", sourceId: "p2", amount: 0n, name: "Summer", isTender: false }
    ])
    expect(chargeOf({ totalAmount: 1_650n, capturedAmount: 650n })).toBe(1_000n)
  })

  it("is nothing where there is neither a tender nor a discount", () => {
    expect(claimsOf({ payments: [row("test", null, 900n)], adjustments: [] })).toEqual([])
  })
})
