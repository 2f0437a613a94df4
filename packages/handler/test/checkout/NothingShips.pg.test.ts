import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

/** Where nothing is shipped there is no shipping address to ask for: the billing address says where the buyer is. */
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let song: string
let lamp: string
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  shopper = shopperOf(shop)
  const made = async (body: object) =>
    (await shop.call("POST", "/v1/products", { body: { basePrice: 10, status: "active", ...body } })).body.id as string
  song = await made({ name: "Song", isDownloadable: true, inventory: { total: 100 } })
  lamp = await made({ name: "Lamp", inventory: { total: 100 } })
})
afterAll(() => shop.close())

const checkoutOf = async (...products: ReadonlyArray<string>) => {
  const cartId = await shopper.cart(...products.map((id) => [id, 1] as const))
  const { body } = await shop.call("POST", `${shopper.at}/checkout`, { body: { cartId } })
  const at = `${shopper.at}/checkout/${body.id}`
  await shop.call("PATCH", `${at}/customer`, { body: { email: "ada@example.com", firstName: "Ada" } })
  return { id: body.id as string, at }
}
const said = ({ status, body }: Awaited<ReturnType<TestCommerce["call"]>>) => [
  status,
  body.code,
  Object.keys(body.details?.errors ?? {})
]
const { firstName: _first, lastName: _last, ...nobody } = addressIn("CA", "94105")

describe("a checkout of downloads", () => {
  it("is completed with a billing address alone, which takes the customer's name on the order", async () => {
    const { id, at } = await checkoutOf(song)
    const early = await shopper.complete(id, "early")
    expect([early.status, early.body.details.fields]).toEqual([400, ["billingAddress"]])
    const set = await shop.call("PATCH", `${at}/shipping`, { body: { billingAddress: nobody } })
    expect([set.status, set.body.shippingAddress, set.body.billingAddress.line1]).toEqual([200, null, "1 Main St"])
    const done = await shopper.complete(id, "done")
    expect(done.status).toBe(200)
    const order = (await shop.call("GET", `/v1/orders/${done.body.orderId}`)).body
    expect([order.shippingAddress, order.billingAddress.firstName]).toEqual([null, "Ada"])
  })

  it("needs one of the two addresses, and takes a shipping address as before", async () => {
    const { id, at } = await checkoutOf(song)
    for (const body of [{}, { billingAddress: null }, { billingSameAsShipping: true }])
      expect(said(await shop.call("PATCH", `${at}/shipping`, { body }))).toEqual([
        400,
        "VALIDATION_FAILED",
        ["billingAddress"]
      ])
    expect((await shop.call("PATCH", `${at}/shipping`, { body: { shippingAddress: nobody } })).status).toBe(200)
    expect((await shopper.complete(id, "both")).status).toBe(200)
  })
})

it("a checkout with goods needs a shipping address, unless they are picked up", async () => {
  const { at } = await checkoutOf(song, lamp)
  const body = { billingAddress: nobody }
  const refused = await shop.call("PATCH", `${at}/shipping`, { body })
  expect(said(refused)).toEqual([400, "VALIDATION_FAILED", ["shippingAddress"]])
  expect((await shop.call("GET", at)).body.billingAddress).toBeNull()
})

describe("an order of an admin key", () => {
  it("of downloads needs a billing address or a shipping address; one with goods needs neither", async () => {
    const place = (productId: string, addresses: object = {}) =>
      shop.call("POST", "/v1/orders", { body: { items: [{ productId, quantity: 1 }], ...addresses } })
    expect(said(await place(song))).toEqual([400, "VALIDATION_FAILED", ["billingAddress"]])
    expect((await place(song, { billingAddress: nobody })).status).toBe(201)
    expect((await place(song, { shippingAddress: nobody })).status).toBe(201)
    expect((await place(lamp)).status).toBe(201)
  })

  it("tells what was stated from what a coupon took off", async () => {
    const body = { items: [{ productId: lamp, quantity: 2 }], discountAmount: 3 }
    const { body: order } = await shop.call("POST", "/v1/orders", { body })
    expect([order.discountAmount, order.couponDiscount, order.ruleDiscountAmount]).toEqual(["3.00", "0.00", "0.00"])
  })

  it("that costs nothing is paid, and says so in an event", async () => {
    const body = { items: [{ name: "Gift", price: 0, quantity: 1 }] }
    const { body: order } = await shop.call("POST", "/v1/orders", { body })
    expect([order.financialStatus, order.paymentAmount, order.numberOfPayments]).toEqual(["paid", "0.00", 1])
    const { data } = (await shop.call("GET", "/v1/events?types=order.paid&limit=100")).body
    expect(data.map((event: { data: { orderId: string } }) => event.data.orderId)).toContain(order.id)
  })
})

describe("where a provider sends the shopper back to", () => {
  it.each([
    ["http://localhost:3000/done", true, false],
    ["http://127.0.0.1/done", true, false],
    ["https://evil.example/done", false, false],
    ["https://shop.example/done", false, true],
    ["https://www.shop.example:8443/done?x=1", false, true],
    ["https://shop.example.evil.example/", false, false],
    ["https://shop.example@evil.example/", false, false],
    ["javascript:alert(1)", false, false],
    ["/done", false, false]
  ])("%s: on a test channel without a domain %s, on a live one of shop.example %s", async (returnUrl, test, live) => {
    const { id } = await checkoutOf(lamp)
    const begin = (channel: string, checkout: string) =>
      shop.call("POST", `/vc/${channel}/checkout/${checkout}/payment`, {
        body: { providerId: "manual", returnUrl },
        headers: { origin: "https://shop.example" }
      })
    expect((await begin(shop.channelId, id)).status).toBe(test ? 200 : 400)
    const channel = await shop.call("POST", "/v1/sales-channels", {
      body: { name: "Live", mode: "live", domain: "shop.example" }
    })
    // The checkout of another channel is unknown, which is found after the address was judged.
    expect((await begin(channel.body.id, id)).status).toBe(live ? 404 : 400)
  })
})
