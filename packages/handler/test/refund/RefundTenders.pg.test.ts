/**
 * What refunds give back of orders that were paid in part by points, in another currency, at a provider that refunds by
 * hand alone, or by a gift card that has expired since.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { openPresentedShop } from "../fx/presentedShop.ts"
import { giftCardsOf } from "../giftcard/giftCards.ts"
import { loyaltyShop } from "../loyalty/LoyaltyShop.ts"
import { giveBack, keyIn, noticeOf, refundedOf, scriptedPayments, tell } from "../payment/ScriptedProvider.ts"
import { refundShopOf } from "./refundShop.ts"

const page = (externalId: string) => `https://company.example/payments/${externalId}`
const [scripted] = scriptedPayments.payments.providers
if (scripted === undefined) throw new Error("no scripted provider")
/** The scripted company, whose refunds are made by hand on a page of its dashboard. */
const byHand: typeof scripted = {
  ...scripted,
  code: "byhand",
  name: "By hand",
  manualRefundUrl: ({ externalId }) => page(externalId)
}

let shop: TestCommerce
let at: ReturnType<typeof refundShopOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", payments: { providers: [scripted, byHand] } })
  at = refundShopOf(shop)
})
afterAll(async () => {
  expect(await at.audited()).toEqual([])
  await shop.close()
})

interface Tender {
  readonly id: string
  readonly type: string
}

describe("an order that points have paid in part", () => {
  /** 25.00, of which 500 points pay 5.00: 20 points are earned by the rest. */
  const bought = async () => {
    const points = loyaltyShop(shop, await shop.openStore({ currency: "USD" }))
    await points.putProgram({ isEnabled: true, pointsPerUnit: 1, currencyUnit: 1, redeemRate: "0.01", minRedeem: 10 })
    const ada = await points.known()
    await points.adjust(ada.id, 500)
    const checkoutId = await points.checkout(ada, await points.product(2_500n))
    await points.redeem(ada, checkoutId, 500)
    const { orderId } = (await points.charge(ada, checkoutId)).body
    await points.relayed()
    const refund = (body: object) => points.admin("POST", `/orders/${orderId}/refunds`, body)
    const order = async () => (await points.admin("GET", `/orders/${orderId}`)).body
    const tenderOf = async (type: string) =>
      ((await order()).tenders as ReadonlyArray<Tender>).find((tender) => tender.type === type)?.id
    return { points, ada, checkoutId, refund, order, tenderOf }
  }

  it("gives money and points back in proportion, and takes back what the money has earned, whole at the end", async () => {
    const { points, ada, checkoutId, refund, order } = await bought()
    expect(await points.pointsOf(ada.id)).toEqual([20, 0, 20])
    // Of 6.67 the provider gives 5.34, and points 1.33: floor(20 x 5.34 / 20.00) and floor(500 x 1.33 / 5.00).
    const part = await refund({ amount: "6.67" })
    expect([part.status, part.body.amount, part.body.type]).toEqual([201, "6.67", "partial"])
    expect(await at.chargeOf(checkoutId)).toMatchObject({ refunded: 534 })
    expect(await points.pointsOf(ada.id)).toEqual([20 - 5 + 133, 0, 15])
    const rest = await refund({ amount: "18.33" })
    expect([rest.status, rest.body.type]).toEqual([201, "full"])
    expect(await at.chargeOf(checkoutId)).toMatchObject({ refunded: 2_000 })
    expect(await points.ledgerOf(ada.id)).toEqual([
      ["ADJUST", 500],
      ["REDEEM", -500],
      ["EARN", 20],
      ["REVERSE", -5],
      ["REVERSE", 133],
      ["REVERSE", -15],
      ["REVERSE", 367]
    ])
    expect(await points.pointsOf(ada.id)).toEqual([500, 0, 0])
    expect(await order()).toMatchObject({ status: "REFUNDED", financialStatus: "refunded" })
    expect(await points.audited()).toEqual([])
  })

  it("gives points alone back where it is asked to, and nothing that was earned is taken", async () => {
    const { points, ada, checkoutId, refund, tenderOf } = await bought()
    const tenderId = await tenderOf("loyalty")
    const over = await refund({ amount: "5.01", tenderAllocations: [{ tenderId, amount: "5.01" }] })
    expect([over.status, over.body.details]).toEqual([422, { amount: "5.01", maxRefundable: "5.00", tenderId }])
    const made = await refund({ amount: "5.00", tenderAllocations: [{ tenderId, amount: "5.00" }] })
    expect([made.status, made.body.status]).toEqual([201, "succeeded"])
    expect(await at.chargeOf(checkoutId)).toMatchObject({ refunded: 0 })
    expect(await points.pointsOf(ada.id)).toEqual([520, 0, 20])
    expect(await points.audited()).toEqual([])
  })
})

describe("an order that was presented in another currency", () => {
  it("is given back at its own rate, and the last refund takes what is left there", async () => {
    const there = await openPresentedShop()
    const money = refundShopOf(there.shop)
    const { id } = await there.inJapan()
    const { orderId } = (await there.pay(id, "approve")).body
    // The rate of now is not that of the order.
    await there.admin("PUT", "/v1/fx-rates", { quote: "JPY", rate: "200" })
    // 49.48 are 8231 yen: 20.00 are 3327.0008.
    const part = await money.refund(orderId, { amount: "20.00" })
    expect([part.status, part.body.amount, part.body.type]).toEqual([201, "20.00", "partial"])
    expect(await money.order(orderId)).toMatchObject({
      financialStatus: "partially_refunded",
      paymentAmount: "8231",
      paymentCurrency: "JPY",
      paymentRefundedAmount: "3327"
    })
    const over = await money.refund(orderId, { amount: "29.49" })
    expect([over.status, over.body.details]).toEqual([422, { amount: "29.49", maxRefundable: "29.48" }])
    const rest = await money.refund(orderId, { amount: "29.48" })
    expect([rest.status, rest.body.amount, rest.body.type]).toEqual([201, "29.48", "full"])
    expect(await money.order(orderId)).toMatchObject({
      status: "REFUNDED",
      financialStatus: "refunded",
      paymentRefundedAmount: "8231",
      refunds: [{ amount: "20.00" }, { amount: "29.48" }]
    })
    expect((await there.chargesOf(id))[0]).toMatchObject({ captured: 8_231, refunded: 8_231 })
    expect(await money.audited()).toEqual([])
    await there.shop.close()
  })
})

describe("an order whose provider refunds by hand alone", () => {
  it("is refused with the page where it can be, and follows what is refunded there", async () => {
    const lamp = await at.shopper.product({ name: "Lamp", price: 2_500n, stock: 5 })
    const checkoutId = await at.shopper.checkout(await at.shopper.cart([lamp, 1]))
    const done = await at.shopper.complete(checkoutId, "by-hand", {
      paymentMethod: "provider",
      providerId: "byhand",
      paymentReference: "approve"
    })
    expect(done.status).toBe(200)
    const { orderId } = done.body
    const key = keyIn(shop.storeId, checkoutId)
    const order = await at.order(orderId)
    const manualRefundUrl = page(`x-${key}`)
    expect(order.paymentCapabilities).toEqual({ refund: false, manualRefundUrl })
    const before = await at.writtenOf(orderId)
    const refused = await at.refund(orderId, { amount: "10.00" })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      422,
      "BUSINESS_RULE_VIOLATION",
      { tenderId: order.tenders[0].id, manualRefundUrl }
    ])
    const preview = await at.preview(orderId, { amount: "10.00" })
    expect([preview.status, preview.body.code, preview.body.details]).toEqual([
      422,
      "BUSINESS_RULE_VIOLATION",
      refused.body.details
    ])
    const cancelled = await shop.call("POST", `/v1/orders/${orderId}/cancel`, { body: { refund: true } })
    expect([cancelled.status, cancelled.body.code, cancelled.body.details.manualRefundUrl]).toEqual([
      422,
      "BUSINESS_RULE_VIOLATION",
      manualRefundUrl
    ])
    expect(await at.writtenOf(orderId)).toEqual(before)
    giveBack(key, 1_000n)
    expect(await tell(shop, noticeOf(key), "byhand")).toBe(true)
    expect(refundedOf(key)).toBe(1_000n)
    expect(await at.order(orderId)).toMatchObject({
      financialStatus: "partially_refunded",
      refunds: [{ amount: "10.00", source: "provider" }]
    })
  })
})

describe("a gift card that has expired since", () => {
  it("gets its money back, stays expired, and the merchant is warned", async () => {
    const cards = giftCardsOf(shop)
    const expiresAt = new Date(Date.now() + 400 * 86_400_000).toISOString()
    const card = await cards.issue("10.00", { expiresAt })
    const lamp = await at.shopper.product({ name: "Lamp", price: 2_500n, stock: 5 })
    const checkoutId = await at.shopper.checkout(await at.shopper.cart([lamp, 1]))
    await cards.enter(checkoutId, card.code)
    const done = await at.shopper.complete(checkoutId, "expired-card", {
      paymentMethod: "test",
      paymentReference: "approve"
    })
    await at.advance(401 * 86_400_000)
    expect((await at.refund(done.body.orderId, { amount: "25.00" })).status).toBe(201)
    expect(await cards.get(card.id)).toMatchObject({ balance: "10.00", status: "EXPIRED" })
    expect((await at.order(done.body.orderId)).syncWarning).toBe(
      `10.00 went back to the gift card ending in ${card.codeLast4}, which is expired`
    )
    expect((await at.order(done.body.orderId)).financialStatus).toBe("refunded")
  })
})
