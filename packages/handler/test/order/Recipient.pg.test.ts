import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

/** Whom an order goes to. */
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let lamp: string
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  shopper = shopperOf(shop)
  lamp = await shopper.product({ stock: 9 })
})
afterAll(() => shop.close())

const { firstName: _f, lastName: _l, ...nameless } = addressIn("CA", "94105")

it("an order's address that names nobody takes the customer's name; one that names somebody keeps it", async () => {
  for (const [given, name] of [
    [nameless, "Grace Hopper"],
    [{ ...nameless, lastName: "Byron" }, "Byron"]
  ] as const) {
    const { body } = await shop.call("POST", `${shopper.at}/checkout`, {
      body: { cartId: await shopper.cart([lamp, 1]) }
    })
    const at = `${shopper.at}/checkout/${body.id}`
    const buyer = { email: "grace@example.com", firstName: "Grace", lastName: "Hopper" }
    await shop.call("PATCH", `${at}/customer`, { body: buyer })
    const { body: shipped } = await shop.call("PATCH", `${at}/shipping`, { body: { shippingAddress: given } })
    const [rate] = shipped.availableShippingRates
    if (rate !== undefined) await shop.call("PATCH", `${at}/shipping-method`, { body: { shippingRateId: rate.id } })
    const done = await shopper.complete(body.id, `recipient-${name}`)
    const { body: order } = await shop.call("GET", `/v1/orders/${done.body.orderId}`)
    expect([done.status, order.shippingAddress.name, order.billingAddress.name]).toEqual([200, name, name])
  }
})
