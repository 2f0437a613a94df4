import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { rowsOf } from "../customer/SignedIn.ts"
import { addressIn, openPresentedShop } from "./presentedShop.ts"

let at: Awaited<ReturnType<typeof openPresentedShop>>
beforeAll(async () => {
  at = await openPresentedShop()
})
afterAll(async () => {
  await at.expectCleanBooks()
  await at.shop.close()
})

const own = { fxChargingRate: null, fxBufferPercent: null }
const yen = {
  currency: "JPY",
  subtotal: "6650",
  discountAmount: "0",
  shippingAmount: "832",
  taxAmount: "749",
  surchargeAmount: "0",
  total: "8231",
  fxChargingRate: "166.345",
  fxBufferPercent: "3"
}
const dinars = {
  currency: "KWD",
  subtotal: "13.353",
  discountAmount: "0.000",
  shippingAmount: "1.670",
  taxAmount: "0.715",
  surchargeAmount: "0.000",
  total: "15.023",
  fxChargingRate: "0.334",
  fxBufferPercent: "0"
}

describe("a checkout of a store in euro", () => {
  it("is presented in yen in Japan, in dinars in Kuwait, and in euro at home or where there is no rate", async () => {
    const { id, checkout } = await at.begin(1_999n, 2)
    const home = { ...own, currency: "EUR", subtotal: "39.98", discountAmount: "0.00", surchargeAmount: "0.00" }
    expect(checkout.presentment).toEqual({ ...home, shippingAmount: "0.00", taxAmount: "0.00", total: "39.98" })
    const japan = await at.send(id, "JP")
    expect(japan.presentment).toEqual(yen)
    expect([japan.currency, japan.total, japan.taxAmount, japan.providerAmountDue]).toEqual([
      "EUR",
      "49.48",
      "4.50",
      "49.48"
    ])
    const kuwait = await at.send(id, "KW")
    // The tax is contained: 44.98 x 5 / 105.
    expect([kuwait.total, kuwait.taxAmount, kuwait.presentment]).toEqual(["44.98", "2.14", dinars])
    const britain = await at.send(id, "GB")
    expect(britain.presentment).toEqual({ ...home, shippingAmount: "5.00", taxAmount: "0.00", total: "44.98" })
    expect((await at.send(id, "JP")).presentment).toEqual(yen)
    expect((await at.read(id)).presentment).toEqual(yen)
  })

  it("is presented in the region that the shopper has chosen, wherever it is shipped", async () => {
    const { cartId } = await at.begin(1_999n, 2)
    const made = await at.shop.call("POST", `${at.shopper.at}/checkout`, {
      body: { cartId, regionId: at.ids["Japan"] }
    })
    expect(made.body.presentment).toMatchObject({ currency: "JPY", total: "6650" })
    expect((await at.send(made.body.id, "DE")).presentment).toMatchObject({ currency: "JPY", total: "7482" })
  })

  it("keeps its rate while its region stays the same, and takes the rate of now where it changes", async () => {
    const { id } = await at.inJapan()
    const other = await at.begin(1_999n, 2)
    await at.admin("PUT", "/v1/fx-rates", { quote: "JPY", rate: "200", bufferPercent: "0" })
    expect((await at.read(id)).presentment).toEqual(yen)
    expect((await at.send(id, "JP")).presentment).toEqual(yen)
    expect((await at.send(other.id, "JP")).presentment).toMatchObject({ fxChargingRate: "200", total: "9896" })
    await at.send(id, "KW")
    expect((await at.send(id, "JP")).presentment).toMatchObject({ fxChargingRate: "200", total: "9896" })
    await at.admin("PUT", "/v1/fx-rates", { quote: "JPY", rate: "161.5", bufferPercent: "3" })
  })

  it("looks for a rate at the next edit where it had none", async () => {
    const { id } = await at.begin(1_000n, 1)
    expect((await at.send(id, "GB")).presentment.currency).toBe("EUR")
    await at.admin("PUT", "/v1/fx-rates", { quote: "GBP", rate: "0.85" })
    expect((await at.read(id)).presentment.currency).toBe("EUR")
    expect((await at.send(id, "GB")).presentment).toMatchObject({ currency: "GBP", total: "12.75" })
    await at.admin("PUT", "/v1/fx-rates", { quote: "GBP", rate: null })
    expect((await at.send(id, "GB")).presentment).toMatchObject({ currency: "GBP", total: "12.75" })
  })

  it("is rounded to the region's multiple", async () => {
    await at.admin("PATCH", `/v1/regions/${at.ids["Japan"]}`, { priceRounding: 10 })
    const { checkout } = await at.inJapan()
    expect(checkout.presentment).toMatchObject({
      subtotal: "6650",
      shippingAmount: "830",
      taxAmount: "750",
      total: "8230"
    })
    await at.admin("PATCH", `/v1/regions/${at.ids["Japan"]}`, { priceRounding: null })
  })

  it("cannot be completed while its region has another currency than it was presented in, until it is edited", async () => {
    const { id } = await at.inJapan()
    await at.admin("PATCH", `/v1/regions/${at.ids["Japan"]}`, { currency: "KWD" })
    expect((await at.read(id)).presentment).toEqual(yen)
    const refused = await at.pay(id, "approve")
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      409,
      "CONFLICT",
      { reason: "currency_changed", currency: "JPY", storeCurrency: "EUR", regionCurrency: "KWD" }
    ])
    expect(await at.chargesOf(id)).toEqual([])
    expect((await at.send(id, "JP")).presentment).toMatchObject({ currency: "KWD", total: "16.526" })
    expect((await at.pay(id, "approve")).status).toBe(200)
    await at.admin("PATCH", `/v1/regions/${at.ids["Japan"]}`, { currency: "JPY" })
  })

  it("pays by hand, and is ordered by keys and in one call, in the currency of the order", async () => {
    const { id, lamp } = await at.inJapan()
    const done = await at.shopper.complete(id, "by hand", { paymentMethod: "manual", expectedTotal: "49.48" })
    expect([done.status, done.body.total]).toEqual([200, "49.48"])
    const paid = { paymentAmount: "49.48", paymentCurrency: "EUR", paymentRefundedAmount: "0.00", totalAmount: "49.48" }
    expect(await at.orderOf(done.body.orderId)).toMatchObject(paid)
    const made = await at.admin("POST", "/v1/orders", {
      currency: "JPY",
      items: [{ productId: lamp, quantity: 1, price: "3200" }],
      shippingAddress: addressIn("JP")
    })
    expect(made).toMatchObject({ currency: "JPY", totalAmount: "3520", paymentCurrency: "JPY", paymentAmount: "3520" })
    expect(
      await rowsOf(at.shop, "SELECT presentment FROM orders WHERE id = ANY($1)", [[made.id, done.body.orderId]])
    ).toEqual([{ presentment: null }, { presentment: null }])
  })
})
