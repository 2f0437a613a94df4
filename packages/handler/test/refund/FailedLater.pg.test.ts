/**
 * Refunds whose money does not arrive, found out later: before they have succeeded, or after it, when the bank returns
 * the money. Money goes back to where it was. Goods do not: whatever was put back into stock stays there, once.
 */
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

/** An order of two units at 12.50. */
const boughtTwo = async (reference: string) => {
  const { orderId, products } = await at.bought(reference, [1_250n, 2])
  const itemId: string = (await at.order(orderId)).items[0].id
  const units = (quantity: number, more: object = {}) => ({ items: [{ itemId, quantity, ...more }] })
  return { orderId, product: products[0] ?? "", itemId, units }
}
const fulfil = (orderId: string, body: object = {}) => shop.call("POST", `/v1/orders/${orderId}/fulfill`, { body })
const returnsOf = async (orderId: string) =>
  (
    await at.rows<{ readonly delta: number }>(
      "SELECT delta FROM stock_movement WHERE reference = $1 AND reason = 'return' ORDER BY created_at, id",
      [orderId]
    )
  ).map(({ delta }) => delta)

describe("a refund that was under way and fails", () => {
  it("leaves its units to be sent, also of an order that was shipped meanwhile", async () => {
    const { orderId, product, units } = await boughtTwo("refund_pends")
    expect((await at.refund(orderId, units(1))).body.status).toBe("pending")
    expect((await fulfil(orderId)).body).toMatchObject({ status: "SHIPPED", fulfillmentStatus: "fulfilled" })
    await at.atProvider(orderId, "refund_failed")
    expect(await at.order(orderId)).toMatchObject({
      status: "SHIPPED",
      financialStatus: "paid",
      fulfillmentStatus: "partial",
      items: [{ fulfilledQuantity: 1, refundedQuantity: 0 }]
    })
    expect(await at.audited()).toEqual([])
    expect((await fulfil(orderId)).body).toMatchObject({ status: "SHIPPED", fulfillmentStatus: "fulfilled" })
    expect([await at.totalOf(product), await returnsOf(orderId)]).toEqual([98, []])
  })
})

describe("a refund that was under way when its order was cancelled, and fails", () => {
  it.each([
    ["puts its units back into stock, which the cancellation has left to it", true, 100],
    ["keeps its units out of stock, as it was told to", false, 99]
  ])("%s", async (_, restock, total) => {
    const { orderId, product, units } = await boughtTwo("refund_pends")
    expect((await at.refund(orderId, units(1, { restock }))).body.status).toBe("pending")
    const cancelled = await shop.call("POST", `/v1/orders/${orderId}/cancel`, { body: { refund: true } })
    expect(cancelled.body).toMatchObject({
      status: "CANCELLED",
      refunds: [{ status: "pending" }, { status: "pending" }]
    })
    expect(await at.totalOf(product)).toBe(99)
    expect(await at.audited()).toEqual([])
    await at.atProvider(orderId, "refund_failed")
    await at.atProvider(orderId, "refund_failed")
    expect(await at.order(orderId)).toMatchObject({
      status: "CANCELLED",
      financialStatus: "paid",
      refunds: [{ status: "failed" }, { status: "failed" }],
      items: [{ refundedQuantity: 1 }]
    })
    expect(await at.totalOf(product)).toBe(total)
    expect((await at.refund(orderId, { amount: "25.00" })).body.status).toBe("pending")
    await at.atProvider(orderId, "refund_succeeded")
    expect(await at.order(orderId)).toMatchObject({ status: "CANCELLED", financialStatus: "refunded" })
    expect(await at.totalOf(product)).toBe(total)
  })
})

describe("a refund that had succeeded and fails", () => {
  it("leaves its units refunded and in stock: its money is refunded again by amount, and no unit comes back twice", async () => {
    const { orderId, product, itemId, units } = await boughtTwo("approve")
    expect((await at.refund(orderId, units(1))).body).toMatchObject({ amount: "12.50", status: "succeeded" })
    expect(await at.totalOf(product)).toBe(99)
    await at.atProvider(orderId, "refund_failed")
    expect(await at.order(orderId)).toMatchObject({
      status: "PAID",
      financialStatus: "paid",
      paymentRefundedAmount: "0.00",
      refunds: [{ amount: "12.50", status: "failed" }],
      items: [{ quantity: 2, refundedQuantity: 1 }],
      paymentCapabilities: { refund: true }
    })
    expect(await at.totalOf(product)).toBe(99)
    const before = await at.writtenOf(orderId)
    const again = await at.refund(orderId, units(2))
    expect([again.status, again.body.details]).toEqual([422, { itemId, quantity: 2, refundable: 1 }])
    expect(await at.writtenOf(orderId)).toEqual(before)
    expect((await at.refund(orderId, { amount: "12.50" })).body).toMatchObject({ status: "succeeded", type: "partial" })
    expect(await at.totalOf(product)).toBe(99)
    expect((await at.refund(orderId, units(1))).body).toMatchObject({ amount: "12.50", type: "full" })
    expect(await at.order(orderId)).toMatchObject({ status: "REFUNDED", financialStatus: "refunded" })
    expect([await at.totalOf(product), await returnsOf(orderId)]).toEqual([100, [1, 1]])
  })

  it("leaves what was sent of the rest as it is: nothing is left to send", async () => {
    const { orderId, units } = await boughtTwo("approve")
    await at.refund(orderId, units(1))
    expect((await fulfil(orderId)).body).toMatchObject({ status: "SHIPPED", items: [{ fulfilledQuantity: 1 }] })
    await at.atProvider(orderId, "refund_failed")
    expect(await at.order(orderId)).toMatchObject({
      status: "SHIPPED",
      financialStatus: "paid",
      fulfillmentStatus: "fulfilled",
      items: [{ fulfilledQuantity: 1, refundedQuantity: 1 }]
    })
    expect((await fulfil(orderId)).status).toBe(422)
  })
})
