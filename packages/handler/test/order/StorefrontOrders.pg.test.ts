import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"
import { asDocumented } from "../system/documentedAnswers.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = asDocumented(await openTestCommerce())
  shopper = shopperOf(shop)
  await shop.call("POST", "/v1/tax/rates", { body: { name: "California", country: "US", region: "CA", rate: 8 } })
  const zone = await shop.call("POST", "/v1/shipping/zones", { body: { name: "United States", countries: ["US"] } })
  for (const [name, amount] of [
    ["Express", "20.00"],
    ["Standard", "5.00"]
  ]) {
    await shop.call("POST", `/v1/shipping/zones/${zone.body.id}/rates`, {
      body: { name, type: "FLAT", rateConfig: { amount }, taxStatus: "none" }
    })
  }
})
afterAll(() => shop.close())

const order = (body: object) => shop.call("POST", `${shopper.at}/orders`, { body })
const to = {
  customer: { email: " Ada@Example.com ", firstName: "Ada", lastName: "Byron" },
  shippingAddress: addressIn("CA", "94105")
}
const stockOf = async (id: string) => (await shop.call("GET", `/v1/products/${id}/inventory`)).body.available

describe("an order placed by a storefront in one call", () => {
  it("takes catalogue prices, the cheapest way of shipping, the tax and the stock", async () => {
    const lamp = await shopper.product({ name: "Lamp", price: 1_000n, stock: 3 })
    const placed = await order({
      ...to,
      items: [{ productId: lamp, quantity: 2, price: "10.00" }],
      notes: "Ring twice"
    })
    expect(placed.status).toBe(200)
    const { orderId, orderNumber, ...rest } = placed.body
    expect(rest).toEqual({ status: "PENDING", total: "26.60", message: "Order placed; payment is pending" })
    const { body } = await shop.call("GET", `/v1/orders/${orderId}`)
    expect(body).toMatchObject({
      orderNumber,
      subtotal: "20.00",
      shippingAmount: "5.00",
      taxAmount: "1.60",
      totalAmount: "26.60",
      sourceName: "storefront",
      paymentMethod: "manual",
      isTestOrder: true,
      notes: "Ring twice",
      customer: { email: "ada@example.com", name: "Ada Byron" }
    })
    expect([body.shippingSelection.methodName, body.billingAddress.line1, await stockOf(lamp)]).toEqual([
      "Standard",
      "1 Main St",
      1
    ])
  })

  it("refuses a price that is not the catalogue's, up or down, and takes nothing", async () => {
    const lamp = await shopper.product({ price: 1_000n, stock: 3 })
    for (const [price, delta, direction] of [
      ["0.01", "9.99", "up"],
      [12, "-2.00", "down"]
    ]) {
      const { status, body } = await order({ ...to, items: [{ productId: lamp, quantity: 1, price }] })
      const oldUnitPrice = typeof price === "number" ? "12.00" : price
      expect([status, body.code, body.details]).toEqual([
        400,
        "PRICE_DRIFT",
        { items: [{ itemId: lamp, oldUnitPrice, newUnitPrice: "10.00", delta, direction }] }
      ])
    }
    expect(await stockOf(lamp)).toBe(3)
  })

  it("is out of stock where nothing is left, short where something is", async () => {
    const [none, few] = [await shopper.product({ stock: 0 }), await shopper.product({ stock: 2 })]
    const out = await order({ ...to, items: [{ productId: none, quantity: 1, price: "10.00" }] })
    expect([out.status, out.body.code, out.body.details.items[0].available]).toEqual([409, "OUT_OF_STOCK", 0])
    const short = await order({ ...to, items: [{ productId: few, quantity: 3, price: "10.00" }] })
    expect([short.status, short.body.code, short.body.details.items]).toEqual([
      400,
      "INSUFFICIENT_STOCK",
      [{ productId: few, variantId: null, available: 2, requested: 3 }]
    ])
  })

  it("knows no drafts, no coupons, and no country it does not ship to", async () => {
    const [lamp, draft] = [await shopper.product(), await shopper.product({ status: "draft" })]
    const items = [{ productId: lamp, quantity: 1, price: "10.00" }]
    const code = async (body: object) => {
      const answer = await order({ ...to, items, ...body })
      return [answer.status, answer.body.code]
    }
    expect(await code({ items: [{ productId: draft, quantity: 1, price: "10.00" }] })).toEqual([
      404,
      "PRODUCT_NOT_FOUND"
    ])
    expect(await code({ couponCode: "SAVE" })).toEqual([404, "COUPON_NOT_FOUND"])
    const away = await order({ ...to, items, shippingAddress: { ...addressIn("BY", "80331"), country: "DE" } })
    expect([away.status, away.body.details.reason]).toEqual([400, "unserved"])
    for (const [body, field] of [
      [{ items: [] }, "items"],
      [{ items: [{ productId: lamp, quantity: 0, price: "1.00" }] }, "items.0.quantity"],
      [{ items: [{ productId: lamp, quantity: 1, price: "1.001" }] }, "items.0.price"],
      [{ customer: {} }, "customer.email"]
    ] as const) {
      const { status, body: answer } = await order({ ...to, items, ...body })
      expect([status, Object.keys(answer.details.errors)]).toEqual([400, [field]])
    }
    expect(await stockOf(lamp)).toBe(100)
  })

  it("tells its status to who knows its buyer's address, and to nobody else that it is there", async () => {
    const { body: placed } = await order({
      ...to,
      items: [{ productId: await shopper.product(), quantity: 1, price: "10.00" }]
    })
    const ask = (id: string, email: string) =>
      shop.call("GET", `${shopper.at}/orders/${id}/status?email=${encodeURIComponent(email)}`)
    const { createdAt, ...status } = (await ask(placed.orderId, "ADA@example.com ")).body
    expect(status).toEqual({
      orderNumber: placed.orderNumber,
      status: "PENDING",
      financialStatus: "pending",
      fulfillmentStatus: "unfulfilled",
      trackingNumber: null,
      trackingUrl: null,
      carrier: null
    })
    expect(Date.parse(createdAt)).toBeGreaterThan(0)
    const [wrong, unknown] = [await ask(placed.orderId, "eve@example.com"), await ask("ord_none", "ada@example.com")]
    expect([wrong.status, wrong.body.code, wrong.body.message]).toEqual([
      unknown.status,
      unknown.body.code,
      unknown.body.message
    ])
    expect(wrong.status).toBe(404)
    expect((await shop.call("GET", `${shopper.at}/orders/${placed.orderId}/status`)).status).toBe(400)
  })
})
