/** Money that Stripe has only reserved: captured in part, let go, and given back. */
import { startStripeEmulation, type StripeEmulation } from "@effect-commerce/core/emulation/StripeEmulation"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { refundShopOf } from "./refundShop.ts"

const host = { secretKey: "sk_test_of_host", webhookSecret: "whsec_of_host", account: "acct_host" }

let stripe: StripeEmulation
let shop: TestCommerce
let at: ReturnType<typeof refundShopOf>
beforeAll(async () => {
  stripe = await startStripeEmulation({ accounts: [host] })
  const { secretKey, webhookSecret } = host
  shop = await openTestCommerce({
    role: "api",
    payments: { stripe: { secretKey, webhookSecret, apiBase: stripe.apiBase, captureMethod: "manual" } }
  })
  at = refundShopOf(shop)
})
afterAll(async () => {
  expect(await at.audited()).toEqual([])
  await shop.close()
  await stripe.stop()
})

let paid = 0
/** An order of 25.00 that is reserved at Stripe. */
const reserved = async () => {
  const lamp = await at.shopper.product({ name: "Lamp", price: 2_500n, stock: 5 })
  const checkoutId = await at.shopper.checkout(await at.shopper.cart([lamp, 1]))
  const done = await at.shopper.complete(checkoutId, `reserved-${paid++}`, {
    paymentMethod: "stripe",
    paymentReference: "pm_card_visa"
  })
  expect(done.status).toBe(200)
  const order = await at.order(done.body.orderId)
  return { orderId: order.id as string, paymentId: order.paymentId as string, intent: order.paymentExternalId, order }
}
const change = (orderId: string, what: "capture" | "void", body: object = {}) =>
  shop.call("POST", `/v1/orders/${orderId}/${what}`, { body })
const books = () => {
  const [opened] = stripe.accounts
  if (opened === undefined) throw new Error("no account")
  return opened.books
}

describe("a reservation at Stripe", () => {
  it("is shown with its expiry, and captured whole; what is captured is refunded once", async () => {
    const { orderId, paymentId, intent, order } = await reserved()
    expect([order.status, order.financialStatus, order.authorizations]).toEqual([
      "PENDING",
      "authorized",
      [{ paymentId, amount: "25.00", captured: "0.00", expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) }]
    ])
    expect(Date.parse(order.authorizations[0].expiresAt)).toBeGreaterThan(Date.parse(order.createdAt) + 86_400_000)
    const done = await change(orderId, "capture")
    expect([done.status, done.body.status, done.body.financialStatus, done.body.authorizations]).toEqual([
      200,
      "PAID",
      "paid",
      []
    ])
    expect(books().get(intent)).toMatchObject({ status: "succeeded", amount_received: 2_500 })
    expect((await change(orderId, "capture")).body.code).toBe("PAYMENT_ALREADY_CAPTURED")
    const part = await at.refund(orderId, { amount: "7.00", reason: "Late" })
    expect([part.status, part.body.status, part.body.type]).toEqual([201, "succeeded", "partial"])
    const rest = await at.refund(orderId, { amount: "18.00" })
    expect([rest.status, rest.body.type]).toEqual([201, "full"])
    expect(
      books()
        .refundsOf(intent)
        .map(({ amount }) => amount)
        .toSorted()
    ).toEqual([1_800, 700])
    expect(await at.order(orderId)).toMatchObject({ status: "REFUNDED", financialStatus: "refunded" })
  })

  it("that is captured in part lets the rest go, which nobody can capture any more", async () => {
    const { orderId, paymentId, intent } = await reserved()
    const part = await change(orderId, "capture", { amount: "10.00" })
    expect([part.status, part.body.financialStatus, part.body.authorizations]).toEqual([200, "pending", []])
    expect(books().get(intent)).toMatchObject({ status: "succeeded", amount_received: 1_000, amount_capturable: 0 })
    const more = await change(orderId, "capture", { amount: "1.00" })
    expect([more.status, more.body.code, more.body.details]).toEqual([
      409,
      "ORDER_INVALID_STATE",
      { reason: "released", paymentId }
    ])
    expect((await change(orderId, "void")).body.code).toBe("PAYMENT_ALREADY_CAPTURED")
    const over = await at.refund(orderId, { amount: "10.01" })
    expect([over.status, over.body.details]).toEqual([422, { amount: "10.01", maxRefundable: "10.00" }])
    const back = await at.refund(orderId, { amount: "10.00" })
    expect([back.status, back.body.amount, back.body.status]).toEqual([201, "10.00", "succeeded"])
    expect((await at.order(orderId)).paymentRefundedAmount).toBe("10.00")
  })

  it("is let go, and cannot be captured or refunded then", async () => {
    const { orderId, intent } = await reserved()
    const done = await change(orderId, "void")
    expect([done.status, done.body.financialStatus, done.body.authorizations]).toEqual([200, "voided", []])
    expect(books().get(intent)).toMatchObject({ status: "canceled", amount_received: 0 })
    expect((await change(orderId, "capture")).body.code).toBe("ORDER_INVALID_STATE")
    expect((await at.refund(orderId, { amount: "1.00" })).status).toBe(422)
  })
})
