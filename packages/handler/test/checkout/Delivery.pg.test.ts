import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let counter: { readonly id: string }
beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
  await shop.call("POST", "/v1/tax/rates", {
    body: { name: "Oregon has none, Nevada has", country: "US", region: "NV", rate: 10 }
  })
  const zone = await shop.call("POST", "/v1/shipping/zones", { body: { name: "United States", countries: ["US"] } })
  const rates = `/v1/shipping/zones/${zone.body.id}/rates`
  await shop.call("POST", rates, { body: { name: "Standard", type: "FLAT", rateConfig: { amount: "5.00" } } })
  const location = {
    name: "Reno counter",
    address: { line1: "1 Desk St", city: "Reno", region: "US-NV", postalCode: "89501", country: "US" },
    hours: "9-5"
  }
  const made = await shop.call("POST", rates, {
    body: { name: "Pick up", type: "PICKUP", rateConfig: { amount: "1.00", location }, taxStatus: "none" }
  })
  counter = made.body
})
afterAll(() => shop.close())

const at = (id: string, path = "") => `${shopper.at}/checkout/${id}${path}`
const patch = (id: string, path: string, body: object) => shop.call("PATCH", at(id, path), { body })
const begun = async (price = 1_000n) => {
  const { body } = await shop.call("POST", `${shopper.at}/checkout`, {
    body: { cartId: await shopper.cart([await shopper.product({ price }), 1]) }
  })
  return body.id as string
}

describe("picking up", () => {
  it("costs what the place costs, is taxed there, needs no address, and the order says where", async () => {
    const id = await begun()
    await patch(id, "/customer", { email: "ada@example.com" })
    const undecided = await patch(id, "/delivery", { deliveryType: "pickup" })
    expect([undecided.body.deliveryType, undecided.body.pickupLocation, undecided.body.shippingMethod]).toEqual([
      "pickup",
      null,
      null
    ])
    const early = await shopper.complete(id, "early")
    expect([early.status, early.body.code, early.body.details]).toEqual([
      400,
      "MISSING_REQUIRED_FIELDS",
      { fields: ["firstName", "pickupLocationId"] }
    ])
    await patch(id, "/customer", { email: "ada@example.com", lastName: "Lovelace" })
    const { body: chosen } = await patch(id, "/delivery", { deliveryType: "pickup", pickupLocationId: counter.id })
    expect(chosen).toMatchObject({
      shippingAmount: "1.00",
      taxAmount: "1.00",
      total: "12.00",
      shippingAddress: null,
      availableShippingRates: []
    })
    expect(chosen.pickupLocation).toEqual({
      id: counter.id,
      name: "Reno counter",
      rateName: "Pick up",
      address: { line1: "1 Desk St", line2: null, city: "Reno", region: "US-NV", postalCode: "89501", country: "US" },
      phone: null,
      hours: "9-5",
      instructions: null,
      price: "1.00",
      currency: "USD"
    })
    const done = await shopper.complete(id, "picked")
    const { body: order } = await shop.call("GET", `/v1/orders/${done.body.orderId}`)
    expect([order.deliveryType, order.pickupLocationData, order.totalAmount, order.shippingAddress]).toEqual([
      "pickup",
      chosen.pickupLocation,
      "12.00",
      null
    ])
  })

  it("is refused at a place that is not offered: below its minimum, or for another region", async () => {
    const east = await shop.call("POST", "/v1/regions", { body: { name: "East", currency: "USD", countries: ["CA"] } })
    const elsewhere = await shop.call("POST", "/v1/shipping/zones", {
      body: { name: "East", countries: ["CA"], regionIds: [east.body.id] }
    })
    const location = { name: "Far", address: { line1: "2 Desk St", city: "Town", country: "CA" } }
    const place = async (zoneId: string, more: object) =>
      (
        await shop.call("POST", `/v1/shipping/zones/${zoneId}/rates`, {
          body: { name: "Pick up", type: "PICKUP", rateConfig: { amount: "0.00", location }, ...more }
        })
      ).body.id as string
    const { data: zones } = (await shop.call("GET", "/v1/shipping/zones")).body
    const here = zones.find(({ name }: { readonly name: string }) => name === "United States").id
    const id = await begun()
    await patch(id, "/delivery", { deliveryType: "pickup", pickupLocationId: counter.id })
    for (const pickupLocationId of [
      await place(here, { minOrderAmount: "10.01" }),
      await place(elsewhere.body.id, {})
    ]) {
      const { status, body } = await patch(id, "/delivery", { deliveryType: "pickup", pickupLocationId })
      expect([status, body.code, Object.keys(body.details.errors)]).toEqual([
        400,
        "VALIDATION_FAILED",
        ["pickupLocationId"]
      ])
    }
    expect((await shop.call("GET", at(id))).body.pickupLocation.id).toBe(counter.id)
    await shop.call("DELETE", `/v1/shipping/zones/${elsewhere.body.id}`)
  })

  it("and shipping take each other's place: the chosen method or place falls away", async () => {
    const id = await begun()
    const { body: shipped } = await patch(id, "/shipping", { shippingAddress: addressIn("CA", "94105") })
    await patch(id, "/shipping-method", { shippingRateId: shipped.availableShippingRates[0].id })
    const { body: picked } = await patch(id, "/delivery", { deliveryType: "pickup", pickupLocationId: counter.id })
    expect([picked.shippingRateId, picked.shippingAmount]).toEqual([counter.id, "1.00"])
    const { body: back } = await patch(id, "/delivery", { deliveryType: "shipping" })
    expect([back.deliveryType, back.pickupLocation, back.shippingRateId, back.shippingAmount]).toEqual([
      "shipping",
      null,
      null,
      "0.00"
    ])
    expect(back.availableShippingRates.map((rate: { name: string }) => rate.name)).toEqual(["Standard"])
  })

  it.each([
    ["an unknown place", { deliveryType: "pickup", pickupLocationId: "shiprate_none" }, "pickupLocationId"],
    ["a place for a parcel", { deliveryType: "shipping", pickupLocationId: "shiprate_none" }, "pickupLocationId"],
    ["another way", { deliveryType: "drone" }, "deliveryType"]
  ])("refuses %s", async (_what, body, field) => {
    const { status, body: answer } = await patch(await begun(), "/delivery", body)
    expect([status, answer.code, Object.keys(answer.details.errors)]).toEqual([400, "VALIDATION_FAILED", [field]])
  })
})

describe("paying, as a storefront asks about it", () => {
  it("is pending until there is an order, and then what the order's money is", async () => {
    const id = await shopper.checkout(await shopper.cart([await shopper.product({ price: 1_000n }), 1]))
    const status = async () => (await shop.call("GET", at(id, "/payment-status"))).body
    expect(await status()).toEqual({ status: "pending", orderId: null, orderNumber: null })
    const session = await shop.call("POST", at(id, "/payment"), {
      body: { providerId: "test", returnUrl: "http://localhost:3000/done" }
    })
    const { total } = (await shop.call("GET", at(id))).body
    const [clientSecret, redirectUrl] = [
      expect.stringContaining("_secret_"),
      expect.stringMatching(/\?return=http%3A%2F%2Flocalhost%3A3000%2Fdone$/)
    ]
    expect([session.status, session.body]).toEqual([
      200,
      { providerType: "test", clientSecret, redirectUrl, amount: total, currency: "USD" }
    ])
    expect(await status()).toEqual({ status: "awaiting_shopper", orderId: null, orderNumber: null })
    const nobody = await shop.call("POST", at(id, "/payment"), { body: { providerId: "pp_none" } })
    expect([nobody.status, nobody.body.code]).toEqual([503, "PROVIDER_NOT_CONFIGURED"])
    const { body: done } = await shopper.complete(id, "paid", { paymentMethod: "test", paymentReference: "approve" })
    expect(await status()).toEqual({ status: "paid", orderId: done.orderId, orderNumber: done.orderNumber })
    const again = await shop.call("POST", at(id, "/payment"), { body: { providerId: "test" } })
    expect([again.status, again.body.code]).toEqual([409, "PAYMENT_ALREADY_CAPTURED"])
  })

  it("ends with the checkout that is cancelled", async () => {
    const id = await begun()
    await shop.call("DELETE", at(id))
    expect((await shop.call("GET", at(id, "/payment-status"))).body.status).toBe("cancelled")
    const late = await shop.call("POST", at(id, "/payment"), { body: { providerId: "manual" } })
    expect([late.status, late.body.code]).toEqual([409, "CONFLICT"])
  })
})

describe("what a store does not have", () => {
  it("is unknown or rejected at checkout, and nothing changes: coupons, gift cards, custom fields, addresses of a provider", async () => {
    const id = await begun()
    const before = (await shop.call("GET", at(id))).body
    const ask = async (method: string, path: string, body?: object) => {
      const { status, body: answer } = await shop.call(method, at(id, path), body === undefined ? {} : { body })
      return [status, answer.code ?? "", answer.message ?? ""]
    }
    expect((await ask("POST", "/coupon", { code: "SAVE" })).slice(0, 2)).toEqual([404, "COUPON_NOT_FOUND"])
    expect(await ask("POST", "/gift-card", { code: "ABCD" })).toEqual([
      400,
      "BAD_REQUEST",
      "This gift card cannot be used"
    ])
    expect((await ask("DELETE", "/gift-card/tender_none")).slice(0, 2)).toEqual([404, "RESOURCE_NOT_FOUND"])
    const field = await patch(id, "/custom-fields", { values: { engraving: "A" } })
    expect([field.status, field.body.details.errors]).toEqual([
      400,
      { "values.engraving": "this store has no such checkout field" }
    ])
    expect((await shop.call("GET", at(id))).body).toEqual(before)
    expect((await ask("DELETE", "/coupon"))[0]).toBe(200)
    expect((await patch(id, "/custom-fields", { values: {} })).body.customFieldValues).toEqual({})
    expect((await shop.call("GET", at("address-suggestions", "?q=Main"))).body).toEqual({ suggestions: [] })
    expect((await shop.call("GET", at("address-details", "?placeId=x"))).body.code).toBe("RESOURCE_NOT_FOUND")
  })

  it("is unknown to a cart too: coupons and offers", async () => {
    const cartId = await shopper.cart([await shopper.product(), 1])
    const cart = `${shopper.at}/cart/${cartId}`
    const code = async (method: string, path: string, body?: object) =>
      (await shop.call(method, path, body === undefined ? {} : { body })).body.code
    expect(await code("POST", `${cart}/coupon`, { code: "SAVE" })).toBe("COUPON_NOT_FOUND")
    expect(await code("POST", `/v1/cart/${cartId}/coupon`, { code: "SAVE" })).toBe("COUPON_NOT_FOUND")
    expect((await shop.call("GET", `${cart}/bundles`)).body).toEqual({ bundles: [] })
    expect(await code("POST", `${cart}/bundle`, { bundleOfferId: "bo_none" })).toBe("VALIDATION_FAILED")
    expect(await code("POST", `${cart}/upgrade`, { offerId: "bo_none" })).toBe("VALIDATION_FAILED")
    expect(await code("DELETE", `${cart}/bundle/bi_none`)).toBe("RESOURCE_NOT_FOUND")
    const { body } = await shop.call("DELETE", `${cart}/coupon`)
    expect([body.id, body.itemCount, body.couponCode]).toEqual([cartId, 1, null])
  })
})
