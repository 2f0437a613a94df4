import { describe, expect, it } from "vitest"
import { paymentPlanOf } from "../../src/tender/PaymentPlan.ts"
import type { OrderPayment } from "../../src/order/Order.ts"

const row = (method: string, reference: string | null, amount: bigint): OrderPayment => {
  const captured = reference === null ? 0n : amount
  const status = reference === null ? "pending" : "captured"
  const none = { refunded: 0n, surplus: 0n, failure: null, paidAt: null }
  return { id: "pay", provider: method, method, reference, status, amount, captured, ...none }
}

describe("what pays for an order", () => {
  it("is the tenders by kind and source, each source once, and one charge for the rest", () => {
    const payments = [
      row("test", null, 1_000n),
      row("points", "b", 200n),
      row("card", "z", 100n),
      row("points", "a", 300n),
      row("points", "b", 50n)
    ]
    expect(paymentPlanOf({ totalAmount: 1_650n, capturedAmount: 650n, payments })).toEqual({
      tenders: [
        { kind: "card", sourceId: "z", amount: 100n },
        { kind: "points", sourceId: "a", amount: 300n },
        { kind: "points", sourceId: "b", amount: 250n }
      ],
      charge: 1_000n
    })
  })

  it("is one charge where there is no tender, and nothing for a free order", () => {
    expect(paymentPlanOf({ totalAmount: 900n, capturedAmount: 0n, payments: [row("test", null, 900n)] })).toEqual({
      tenders: [],
      charge: 900n
    })
    expect(paymentPlanOf({ totalAmount: 0n, capturedAmount: 0n, payments: [row("free", null, 0n)] })).toEqual({
      tenders: [],
      charge: 0n
    })
  })
})
