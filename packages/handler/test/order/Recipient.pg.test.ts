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
    const [firstName, lastName] = name === "Byron" ? [null, "Byron"] : ["Grace", "Hopper"]
    expect(order.shippingAddress).toMatchObject({ firstName, lastName })
    expect(order.customer.name).toBe("Grace Hopper")
  }
})

it("a customer's checkout begins with the account's e-mail address, name and telephone number", async () => {
  const account = { email: "Grace.Hopper@example.com", firstName: "Grace", lastName: "Hopper", phone: "+15550100" }
  const registered = await shop.call("POST", `${shopper.at}/customers/register`, {
    body: { ...account, password: "Corr3ct-Horse" }
  })
  const headers = { authorization: `Bearer ${registered.body.token}` }
  const as = async (method: string, path: string, body: object = {}, more: Record<string, string> = {}) =>
    (await shop.call(method, `${shopper.at}${path}`, { key: null, headers: { ...headers, ...more }, body })).body
  const cart = await as("POST", "/cart")
  await as("POST", `/cart/${cart.id}/items`, { productId: lamp, quantity: 1 })
  const checkout = await as("POST", "/checkout", { cartId: cart.id })
  expect([checkout.email, checkout.customerId]).toEqual(["grace.hopper@example.com", registered.body.customer.id])
  await as("PATCH", `/checkout/${checkout.id}/shipping`, { shippingAddress: nameless })
  const done = await as("POST", `/checkout/${checkout.id}/complete`, {}, { "idempotency-key": "of-an-account" })
  const { body: order } = await shop.call("GET", `/v1/orders/${done.orderId}`)
  expect([order.customer, order.shippingAddress.firstName, order.shippingAddress.lastName]).toEqual([
    { email: "grace.hopper@example.com", name: "Grace Hopper" },
    "Grace",
    "Hopper"
  ])
})
