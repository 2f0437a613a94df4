/** Refunds through the API: what they give back, of which payments, and what refuses them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { refundShopOf } from "./refundShop.ts"

let shop: TestCommerce
let at: ReturnType<typeof refundShopOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  at = refundShopOf(shop)
})
afterAll(async () => {
  expect(await at.audited()).toEqual([])
  await shop.close()
})

const lampOf = (order: { readonly items: ReadonlyArray<{ readonly id: string }> }) => order.items[0]?.id

describe("a refund of a card payment", () => {
  it("gives money back at the provider, and shows it on the order, in its history and in one event of each kind", async () => {
    const { orderId, checkoutId, products } = await at.bought("approve", [1_250n, 2])
    const before = await at.order(orderId)
    const made = await at.refund(orderId, { items: [{ itemId: lampOf(before), quantity: 1 }], reason: "Damaged" })
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^rfd_/),
        amount: "12.50",
        reason: "Damaged",
        status: "succeeded",
        type: "partial",
        source: "service",
        createdAt: expect.any(String)
      }
    ])
    expect(await at.chargeOf(checkoutId)).toEqual({ status: "captured", captured: 2_500, refunded: 1_250 })
    const order = await at.order(orderId)
    expect(order).toMatchObject({
      status: "PAID",
      financialStatus: "partially_refunded",
      paymentRefundedAmount: "12.50",
      refunds: [made.body],
      paymentCapabilities: { refund: true, manualRefundUrl: null },
      items: [{ quantity: 2, refundedQuantity: 1 }]
    })
    expect(order.statusHistory.at(-1)).toMatchObject({ from: "PAID", to: "PAID", reason: "refunded" })
    const events = (await at.eventsOf(orderId)).filter(({ type }) => type.includes("refund"))
    expect(events.map(({ type, data }) => [type, data.refundType, data.refundId, data.source])).toEqual([
      ["order.refunded", "partial", made.body.id, undefined],
      ["payment.refunded", undefined, undefined, undefined]
    ])
    expect(events[1]?.data.payment).toMatchObject({ captured: "25.00", refunded: "12.50" })
    expect(await at.totalOf(products[0] ?? "")).toBe(99)
    const rest = await at.refund(orderId, { items: [{ itemId: lampOf(before), quantity: 1, restock: false }] })
    expect([rest.body.amount, rest.body.type]).toEqual(["12.50", "full"])
    expect(await at.order(orderId)).toMatchObject({ status: "REFUNDED", financialStatus: "refunded" })
    expect(await at.totalOf(products[0] ?? "")).toBe(99)
    expect(await at.refundsOf(orderId)).toEqual([made.body, rest.body])
  })
})
