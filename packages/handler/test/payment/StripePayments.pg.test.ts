import { startStripeEmulation, type StripeEmulation } from "@effect-commerce/core/emulation/StripeEmulation"
import type { RawNotice } from "@effect-commerce/core/payment/PaymentProvider"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

const host = { secretKey: "sk_test_of_host", webhookSecret: "whsec_of_host", account: "acct_host" }
const own = { secretKey: "sk_test_of_store", webhookSecret: "whsec_of_store", account: "acct_store" }

let stripe: StripeEmulation
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  stripe = await startStripeEmulation({ accounts: [host, own] })
  const { secretKey, webhookSecret } = host
  shop = await openTestCommerce({ payments: { stripe: { secretKey, webhookSecret, apiBase: stripe.apiBase } } })
  shopper = shopperOf(shop)
})
afterAll(async () => {
  await shop.close()
  await stripe.stop()
})

const returnUrl = "http://localhost/return"
let keys = 0
const newCheckout = async () => {
  const lamp = await shopper.product({ name: "Lamp", price: 2_500n, stock: 5 })
  return shopper.checkout(await shopper.cart([lamp, 1]))
}
const complete = (checkoutId: string, body: object) => shopper.complete(checkoutId, `stripe-${keys++}`, body)
const orderOf = async (id: string) => (await shop.call("GET", `/v1/orders/${id}`)).body
const statusOf = async (checkoutId: string) =>
  (await shop.call("GET", `${shopper.at}/checkout/${checkoutId}/payment-status`)).body
const begin = (checkoutId: string, providerId = "stripe") =>
  shop.call("POST", `${shopper.at}/checkout/${checkoutId}/payment`, { body: { providerId, returnUrl } })
const post = (notice: RawNotice | undefined, providerId = "stripe") =>
  shop.call("POST", `/payment-events/${providerId}`, {
    raw: new Uint8Array(notice?.body ?? []),
    headers: { "content-type": "application/json", "stripe-signature": notice?.headers["stripe-signature"] ?? "" }
  })
const booksOf = (account: string) => {
  const found = stripe.accounts.find((opened) => opened.account === account)
  if (found === undefined) throw new Error(account)
  return found.books
}
const intentOf = (clientSecret: string) => clientSecret.split("_secret_")[0] ?? ""
const until = (holds: () => Promise<unknown>) => expect.poll(holds, { timeout: 30_000 }).toBe(true)

describe("paying by card through Stripe", () => {
  it("places a paid order for a payment method, once at Stripe", async () => {
    const checkoutId = await newCheckout()
    const done = await complete(checkoutId, { paymentMethod: "stripe", paymentReference: "pm_card_visa" })
    expect([done.status, done.body.status]).toEqual([200, "PAID"])
    const order = await orderOf(done.body.orderId)
    expect(order).toMatchObject({ financialStatus: "paid", paymentProviderType: "stripe", paymentAmount: "25.00" })
    const { amount_received, metadata } = booksOf("acct_host").get(order.paymentExternalId)
    expect([amount_received, metadata["commerce_checkout_id"]]).toEqual([2_500, checkoutId])
  })

  it("is declined in common words: Stripe's text is not for the shopper", async () => {
    const checkoutId = await newCheckout()
    const declined = await complete(checkoutId, {
      paymentMethod: "stripe",
      paymentReference: "pm_card_visa_chargeDeclinedInsufficientFunds"
    })
    expect([declined.status, declined.body.code]).toEqual([422, "CARD_DECLINED"])
    expect(declined.text).toContain("insufficient_funds")
    expect(declined.text).not.toContain("Your card was declined.")
    const again = await complete(checkoutId, { paymentMethod: "stripe", paymentReference: "pm_card_visa" })
    expect(again.body.status).toBe("PAID")
  })

  it("begins before the shopper pays, and the notice places the order, in whatever browser it was paid", async () => {
    const checkoutId = await newCheckout()
    const begun = await begin(checkoutId)
    expect(begun.status).toBe(200)
    expect(begun.body).toMatchObject({ providerType: "stripe", amount: "25.00", redirectUrl: null })
    expect(await statusOf(checkoutId)).toMatchObject({ status: "awaiting_shopper", orderId: null })
    booksOf("acct_host").confirm(intentOf(begun.body.clientSecret), "pm_card_visa", returnUrl)
    const told = await post(stripe.notices.at(-1))
    expect(told.status).toBe(200)
    await until(async () => (await statusOf(checkoutId)).status === "paid")
  })

  it("finds the money whose notice was lost when the shopper comes back", async () => {
    const checkoutId = await newCheckout()
    const begun = await begin(checkoutId)
    const id = intentOf(begun.body.clientSecret)
    booksOf("acct_host").confirm(id, "pm_card_visa", returnUrl)
    const done = await complete(checkoutId, { paymentMethod: "stripe", paymentReference: id })
    expect([done.status, done.body.status]).toEqual([200, "PAID"])
  })

  it("rejects a notice that Stripe has not signed", async () => {
    const notice = stripe.notices.at(-1)
    const forged = notice && { ...notice, headers: { "stripe-signature": "t=1,v1=00" } }
    expect((await post(forged)).status).toBe(401)
  })

  it("goes through a store's own account, whose credentials are checked and never shown", async () => {
    const created = await shop.call("POST", "/v1/payment-providers", {
      body: { type: "stripe", credentials: { secretKey: own.secretKey, webhookSecret: own.webhookSecret } }
    })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ account: "acct_store", mode: "test", kind: "card" })
    expect(created.text).not.toContain('of_store"')
    const checkoutId = await newCheckout()
    const providerId = created.body.id
    const begun = await begin(checkoutId, providerId)
    const id = intentOf(begun.body.clientSecret)
    booksOf("acct_store").confirm(id, "pm_card_visa", returnUrl)
    expect((await post(stripe.notices.at(-1))).status).toBe(401)
    expect((await post(stripe.notices.at(-1), providerId)).status).toBe(200)
    await until(async () => (await statusOf(checkoutId)).status === "paid")
    const wrong = await shop.call("POST", "/v1/payment-providers", {
      body: { type: "stripe", credentials: { secretKey: "sk_test_revoked" } }
    })
    expect([wrong.status, Object.keys(wrong.body.details.errors)]).toEqual([400, ["credentials.secretKey"]])
  })
})
