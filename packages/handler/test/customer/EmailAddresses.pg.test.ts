import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"
import { customersOf, goodPassword } from "./SignedIn.ts"

let shop: TestCommerce
let at: ReturnType<typeof customersOf>
let product: string
let customer: string
let checkout: string
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  at = customersOf(shop)
  const shopper = shopperOf(shop)
  product = await shopper.product({ stock: 50 })
  customer = (await at.known()).id
  checkout = await shopper.checkout(await shopper.cart([product, 1]))
})
afterAll(() => shop.close())

const long = (length: number, way: string) => `${way.replaceAll(/\W/g, "").padEnd(length - 12, "a")}@example.com`
const ways: Readonly<Record<string, (email: string) => ReturnType<TestCommerce["call"]>>> = {
  "a sign-up": (email) => at.post("register", { email, password: goodPassword }),
  "a customer of the merchant's": (email) => at.admin("POST", "/customers", { email }),
  "a customer who moves": (email) => at.admin("PATCH", `/customers/${customer}`, { email }),
  "a checkout": (email) => shop.call("PATCH", `${at.vc}/checkout/${checkout}/customer`, { body: { email } }),
  "an order of the merchant's": (email) =>
    at.admin("POST", "/orders", { customer: { email }, items: [{ productId: product, quantity: 1 }] }),
  "a shopper's order": (email) =>
    shop.call("POST", `${at.vc}/orders`, {
      body: {
        customer: { email },
        items: [{ productId: product, quantity: 1, price: "10.00" }],
        shippingAddress: addressIn("CA", "94105")
      }
    })
}

describe.each(Object.keys(ways))("the e-mail address of %s", (way) => {
  const send = (email: string) => ways[way]?.(email)

  it.each(["a@b.c,d.e", "a@b.c;d.e", "Ada <a@b.c>", "a@b.c\r\nBcc: d@e.f", "a@[127.0.0.1]"])(
    "is not %j",
    async (email) => {
      const refused = await send(email)
      expect([refused?.status, refused?.body.code]).toEqual([400, "VALIDATION_FAILED"])
      expect(Object.keys(refused?.body.details.errors)[0]).toMatch(/email$/)
    }
  )

  it("has 254 characters at most", async () => {
    expect((await send(long(255, way)))?.status).toBe(400)
    expect((await send(long(254, way)))?.status).toBeLessThan(300)
  })
})
