/** A completed checkout is read as it was sold, whatever has changed in the store since. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { couponsOf } from "../coupon/couponShop.ts"
import { giftCardsOf } from "../giftcard/giftCards.ts"

let shop: TestCommerce
let of: ReturnType<typeof couponsOf>
let cards: ReturnType<typeof giftCardsOf>
beforeAll(async () => {
  shop = await openTestCommerce()
  of = couponsOf(shop)
  cards = giftCardsOf(shop)
})
afterAll(() => shop.close())

const admin = async (method: string, path: string, body?: object) => {
  const done = await shop.call(method, `/v1${path}`, body === undefined ? {} : { body })
  if (done.status >= 300) throw new Error(`${method} ${path}: ${done.text}`)
  return done.body
}
const read = async (id: string, path = "") => (await shop.call("GET", `${of.shopper.at}/checkout/${id}${path}`)).body

describe("a completed checkout", () => {
  it("keeps its amounts, discounts, tenders and explanation when rates, rules, prices and cards change", async () => {
    const tax = await admin("POST", "/tax/rates", { name: "Sales tax", country: "US", rate: 10 })
    const zone = await admin("POST", "/shipping/zones", { name: "US", countries: ["US"] })
    const rate = await admin("POST", `/shipping/zones/${zone.id}/rates`, {
      name: "Standard",
      type: "FLAT",
      rateConfig: { amount: "5.00" }
    })
    const rule = await admin("POST", "/promotions", {
      name: "Autumn",
      type: "PERCENTAGE_OFF",
      value: 10,
      combinesWithOther: true
    })
    const wrap = await admin("POST", "/checkout-fields", {
      key: "wrap",
      name: "Gift wrap",
      type: "checkbox",
      surcharge: { type: "FIXED", amount: "2.50" }
    })
    const coupon = await of.coupon("Ten", { combinesWithOther: true })
    const lamp = await of.shopper.product({ name: "Lamp", price: 1_000n, stock: 10 })
    const id = await of.shopper.checkout(await of.shopper.cart([lamp, 2]))
    const at = `${of.shopper.at}/checkout/${id}`
    await shop.call("PATCH", `${at}/custom-fields`, { body: { values: { wrap: true } } })
    await of.enterAtCheckout(id, " tEN ")
    await cards.enter(id, (await cards.issue("4.00")).code)
    const shown = await read(id)
    // 20.00 - 2.00 by the rule - 1.80 by the coupon + 5.00 + 2.50 + 10 % of 21.20.
    expect(shown).toMatchObject({
      subtotal: "20.00",
      ruleDiscountAmount: "2.00",
      discountAmount: "1.80",
      shippingAmount: "5.00",
      surchargeAmount: "2.50",
      taxAmount: "2.12",
      total: "25.82",
      couponCode: "Ten",
      providerAmountDue: "21.82"
    })
    const explained = await read(id, "/explain")
    const done = await of.shopper.complete(id, "sold", { paymentMethod: "test", paymentReference: "approve" })
    expect([done.status, done.body.total]).toEqual([200, "25.82"])

    await admin("PATCH", `/tax/rates/${tax.id}`, { rate: 20 })
    await admin("PATCH", `/shipping/zones/${zone.id}/rates/${rate.id}`, { rateConfig: { amount: "9.00" } })
    await admin("DELETE", `/promotions/${rule.id}`)
    await admin("DELETE", `/coupons/${coupon.id}`)
    await admin("DELETE", `/checkout-fields/${wrap.id}`)
    await admin("PATCH", `/products/${lamp}`, { basePrice: "99.00", name: "Lantern" })

    const { status, updatedAt: _, customFields, availableShippingRates, lineItems, ...sold } = await read(id)
    expect([status, customFields, availableShippingRates[0].price]).toEqual(["COMPLETED", [], "9.00"])
    expect(shown).toMatchObject({ ...sold, customFieldValues: { wrap: true }, reservation: expect.anything() })
    expect(
      lineItems.map(({ unitPrice, discountAmount }: Record<string, string>) => [unitPrice, discountAmount])
    ).toEqual([["10.00", "3.80"]])
    expect(sold.shippingMethod).toMatchObject({ id: rate.id, name: "Standard", price: "5.00" })
    const later = await read(id, "/explain")
    expect(later.subject).toEqual({ type: "checkout", id })
    expect(later).toEqual(explained)
    const order = await read(id).then(() => admin("GET", `/orders/${done.body.orderId}`))
    for (const field of ["subtotal", "discountAmount", "shippingAmount", "surchargeAmount", "taxAmount", "couponCode"])
      expect([field, order[field]]).toEqual([field, sold[field]])
    await admin("DELETE", `/shipping/zones/${zone.id}/rates/${rate.id}`)
    const gone = await read(id)
    expect([gone.shippingRateId, gone.shippingMethod.name, gone.total]).toEqual([rate.id, "Standard", "25.82"])
    await admin("DELETE", `/shipping/zones/${zone.id}`)
  })

  it("that a gift card paid whole is free, also when the card is empty", async () => {
    const lamp = await of.shopper.product({ price: 1_000n, stock: 10 })
    const id = await of.shopper.checkout(await of.shopper.cart([lamp, 1]))
    const { total } = await read(id)
    const card = await cards.issue(total)
    await cards.enter(id, card.code)
    expect((await of.shopper.complete(id, "whole")).status).toBe(200)
    const sold = await read(id)
    expect([sold.tenders, sold.providerAmountDue, sold.notApplied]).toEqual([
      [{ tenderId: expect.any(String), amountApplied: total }],
      "0.00",
      []
    ])
    expect(sold.paymentMethods.map((method: { readonly id: string }) => method.id)).toEqual(["free"])
  })
})
