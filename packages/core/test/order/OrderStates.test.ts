import { describe, expect, it } from "vitest"
import { orderStatuses } from "../../src/order/Order.ts"
import {
  financialStatusOf,
  fulfillmentStatusOf,
  isLegalMove,
  movedTo,
  openUnits,
  type OrderLedger
} from "../../src/order/OrderStates.ts"

/** Each row is a status, each column the next one: y where the move is legal. */
const columns = ["PROCESSING", "PAID", "SHIPPED", "DELIVERED", "CANCELLED", "PARTIALLY_REFUNDED", "REFUNDED"] as const
const table = {
  PENDING: "y y - - y - -",
  PAID: "y - y y y - y",
  PROCESSING: "- y y y y y y",
  SHIPPED: "- - - y - y y",
  DELIVERED: "- - - - - y y",
  PARTIALLY_REFUNDED: "- - y y - y y",
  CANCELLED: "- - - - - - -",
  REFUNDED: "- - - - - - -"
}

describe("the status of an order", () => {
  it.each(orderStatuses)("moves from %s as the table says, and never to PENDING", (from) => {
    const legal = columns.map((to) => (isLegalMove(from, to) ? "y" : "-")).join(" ")
    expect(legal).toBe(table[from])
    expect(isLegalMove(from, "PENDING")).toBe(false)
  })

  it("stays where a move is not legal", () => {
    expect(movedTo("PAID", "PARTIALLY_REFUNDED")).toBe("PAID")
    expect(movedTo("SHIPPED", "PARTIALLY_REFUNDED")).toBe("PARTIALLY_REFUNDED")
    expect(movedTo("CANCELLED", "REFUNDED")).toBe("CANCELLED")
  })
})

describe("the money of an order", () => {
  const status = (ledger: Partial<OrderLedger>) =>
    financialStatusOf({ total: 1_000n, captured: 0n, refunded: 0n, states: ["pending"], ...ledger })
  it("is derived from what was captured and given back", () => {
    expect(status({})).toBe("pending")
    expect(status({ captured: 999n, states: ["captured"] })).toBe("pending")
    expect(status({ captured: 1_000n, states: ["captured"] })).toBe("paid")
    expect(status({ captured: 1_000n, refunded: 1n })).toBe("partially_refunded")
    expect(status({ captured: 1_000n, refunded: 1_000n })).toBe("refunded")
    expect(status({ captured: 400n, refunded: 400n })).toBe("refunded")
    expect(status({ states: ["authorized"] })).toBe("authorized")
    expect(status({ states: ["failed", "voided"] })).toBe("voided")
    expect(status({ total: 0n, states: ["captured"] })).toBe("paid")
  })
})

describe("the units of an order", () => {
  const item = (quantity: number, fulfilledQuantity = 0, refundedQuantity = 0) => ({
    quantity,
    fulfilledQuantity,
    refundedQuantity
  })
  it.each([
    [item(3), 3],
    [item(3, 1), 2],
    [item(3, 0, 1), 2],
    [item(3, 2, 1), 0],
    [item(5, 2, 4), 0],
    [item(3, 3, 1), 0]
  ])("of %o are still to be sent: %i", (units, open) => {
    expect(openUnits(units)).toBe(open)
  })

  it("say how far it is sent: what was refunded is not to be sent any more", () => {
    expect(fulfillmentStatusOf([item(2), item(1)])).toBe("unfulfilled")
    expect(fulfillmentStatusOf([item(2, 1), item(1)])).toBe("partial")
    expect(fulfillmentStatusOf([item(2, 2), item(1)])).toBe("partial")
    expect(fulfillmentStatusOf([item(2, 2), item(1, 1)])).toBe("fulfilled")
    expect(fulfillmentStatusOf([item(2, 2), item(1, 0, 1)])).toBe("fulfilled")
    expect(fulfillmentStatusOf([item(2, 0, 2)])).toBe("unfulfilled")
  })
})
