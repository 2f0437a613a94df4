/** Captures and voids of what a provider has reserved for an order. */
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

const capture = (orderId: string, body: object = {}) => shop.call("POST", `/v1/orders/${orderId}/capture`, { body })
const release = (orderId: string, body: object = {}) => shop.call("POST", `/v1/orders/${orderId}/void`, { body })
const told = ({ status, body }: Awaited<ReturnType<typeof capture>>) => [status, body.code, body.details]
const day = 86_400_000

describe("a reservation", () => {
  it("is shown with its expiry, captured in parts, and the order is paid with the last of them", async () => {
    const { orderId, checkoutId } = await at.bought("authorize")
    const order = await at.order(orderId)
    expect([order.financialStatus, order.authorizations]).toEqual([
      "authorized",
      [{ paymentId: order.paymentId, amount: "25.00", captured: "0.00", expiresAt: expect.any(String) }]
    ])
    const part = await capture(orderId, { amount: "10.00" })
    expect([part.status, part.body.financialStatus, part.body.authorizations]).toEqual([
      200,
      "pending",
      [{ ...order.authorizations[0], captured: "10.00" }]
    ])
    expect(told(await capture(orderId, { amount: "15.01" }))).toEqual([
      422,
      "BUSINESS_RULE_VIOLATION",
      { amount: "15.01", reserved: "15.00" }
    ])
    const rest = await capture(orderId, { paymentId: order.paymentId })
    expect([rest.status, rest.body.status, rest.body.financialStatus, rest.body.authorizations]).toEqual([
      200,
      "PAID",
      "paid",
      []
    ])
    expect(await at.chargeOf(checkoutId)).toMatchObject({ captured: 2_500 })
    expect((await at.eventsOf(orderId)).filter(({ type }) => type === "order.paid")).toHaveLength(1)
    expect(told(await capture(orderId))).toEqual([409, "PAYMENT_ALREADY_CAPTURED", { paymentId: order.paymentId }])
    expect(told(await release(orderId))).toEqual([409, "PAYMENT_ALREADY_CAPTURED", { paymentId: order.paymentId }])
    expect((await at.refund(orderId, { amount: "25.00" })).status).toBe(201)
    expect(told(await capture(orderId))).toEqual([409, "ORDER_INVALID_STATE", { status: "REFUNDED" }])
  })

  it("is released, and cannot be captured then", async () => {
    const { orderId, checkoutId } = await at.bought("authorize")
    const { paymentId } = await at.order(orderId)
    const voided = await release(orderId)
    expect([voided.status, voided.body.financialStatus, voided.body.authorizations]).toEqual([200, "voided", []])
    expect(await at.chargeOf(checkoutId)).toMatchObject({ status: "voided", captured: 0 })
    expect(told(await capture(orderId))).toEqual([409, "ORDER_INVALID_STATE", { reason: "voided", paymentId }])
    expect(told(await release(orderId))).toEqual([409, "ORDER_INVALID_STATE", { reason: "voided", paymentId }])
  })

  it("that has lapsed cannot be captured, also before anybody has looked", async () => {
    const { orderId } = await at.bought("authorize")
    const { paymentId } = await at.order(orderId)
    const before = await at.writtenOf(orderId)
    await at.advance(8 * day)
    expect(told(await capture(orderId))).toEqual([409, "ORDER_INVALID_STATE", { reason: "expired", paymentId }])
    expect(await at.writtenOf(orderId)).toEqual(before)
  })

  it("of which a part is captured has nothing to capture once the rest has lapsed, before and after a look", async () => {
    const { orderId, checkoutId } = await at.bought("authorize")
    const { paymentId } = await at.order(orderId)
    expect((await capture(orderId, { amount: "10.00" })).status).toBe(200)
    const before = await at.writtenOf(orderId)
    await at.advance(8 * day)
    expect(told(await capture(orderId))).toEqual([409, "ORDER_INVALID_STATE", { reason: "expired", paymentId }])
    expect(await at.writtenOf(orderId)).toEqual(before)
    await at.atProvider(orderId, "expired")
    expect((await at.order(orderId)).authorizations).toEqual([])
    expect(told(await capture(orderId))).toEqual([409, "ORDER_INVALID_STATE", { reason: "released", paymentId }])
    expect(await at.chargeOf(checkoutId)).toMatchObject({ captured: 1_000 })
  })

  it("of a payment by hand, of none that is known, or of less than nothing is refused", async () => {
    const made = await at.paidByHand({ items: [{ name: "Lamp", price: "10.00", quantity: 1 }] }, false)
    expect(told(await capture(made.id))).toEqual([409, "ORDER_INVALID_STATE", { reason: "by_hand", paymentId: null }])
    const { orderId } = await at.bought("authorize")
    expect((await capture(orderId, { paymentId: "pay_unknown" })).status).toBe(400)
    expect((await capture(orderId, { amount: "0" })).status).toBe(400)
    expect((await capture("ord_unknown")).body.code).toBe("ORDER_NOT_FOUND")
    expect((await release("ord_unknown")).body.code).toBe("ORDER_NOT_FOUND")
  })

  it("whose capture has no answer is not captured twice, and is found out", async () => {
    const { orderId, checkoutId } = await at.bought("capture_lost")
    const lost = await capture(orderId)
    expect([lost.status, lost.body.code, lost.headers.get("retry-after")]).toEqual([
      500,
      "PAYMENT_PROCESSING_ERROR",
      "5"
    ])
    const { paymentId } = await at.order(orderId)
    expect(told(await capture(orderId))).toEqual([409, "PAYMENT_ALREADY_CAPTURED", { paymentId }])
    expect(told(await release(orderId))).toEqual([409, "PAYMENT_ALREADY_CAPTURED", { paymentId }])
    await at.advance(61_000)
    await expect
      .poll(async () => at.pass().then(() => at.order(orderId)), { timeout: 20_000 })
      .toMatchObject({ status: "PAID", financialStatus: "paid" })
    expect(await at.chargeOf(checkoutId)).toMatchObject({ captured: 2_500 })
  })

  it("whose void has no answer cannot be captured meanwhile", async () => {
    const { orderId } = await at.bought("void_lost")
    expect((await release(orderId)).status).toBe(500)
    const { paymentId } = await at.order(orderId)
    expect(told(await capture(orderId))).toEqual([409, "ORDER_INVALID_STATE", { reason: "void_under_way", paymentId }])
    await at.advance(61_000)
    await expect
      .poll(async () => at.pass().then(() => at.order(orderId)), { timeout: 20_000 })
      .toMatchObject({ financialStatus: "voided" })
  })
})
