import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf, goodPassword, otherPassword } from "../customer/SignedIn.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let at: ReturnType<typeof customersOf>
beforeAll(async () => {
  shop = await openTestCommerce()
  at = customersOf(shop)
})
afterAll(() => shop.close())

const email = "ada@example.com"
const mailsOf = async (eventType: string): Promise<ReadonlyArray<{ readonly text: string }>> =>
  (await at.admin("GET", "/email/messages?limit=100")).body.data.filter(
    (mail: { readonly to: string; readonly eventType: string }) => mail.to === email && mail.eventType === eventType
  )
const tokenOf = async (eventType: string): Promise<string> => {
  await expect.poll(async () => (await mailsOf(eventType)).length, { timeout: 20_000, interval: 50 }).toBe(1)
  return /token=([\w-]+)/.exec((await mailsOf(eventType))[0]?.text ?? "")?.[1] ?? ""
}

it("a shopper buys as a guest, registers, verifies the address and finds the order; buys again, changes the password, and leaves", async () => {
  const shopper = shopperOf(shop)
  const lamp = await shopper.product({ name: "Lamp", stock: 10 })
  await at.admin("PATCH", "/store", { customerVerification: "required" })

  // As a guest, with an address that a form was given.
  const asGuest = await shopper.complete(await shopper.checkout(await shopper.cart([lamp, 1])), "guest")
  expect(asGuest.status).toBe(200)

  const registered = await at.register({ email, firstName: "Ada", lastName: "Byron" })
  expect([registered.body.token, registered.body.requiresVerification]).toEqual([null, true])
  expect((await at.login(email)).body.token).toBeNull()
  const token = await tokenOf("EMAIL_VERIFICATION")
  expect((await at.post("verify-email", { token })).status).toBe(200)
  await expect.poll(async () => (await mailsOf("ORDERS_LINKED")).length, { timeout: 20_000 }).toBe(1)

  const signedIn = (await at.login(email)).body.token
  const ordersOf = async (bearer: string) =>
    (await at.me(bearer, "GET", "/orders")).body.data.map((order: { readonly id: string }) => order.id)
  expect(await ordersOf(signedIn)).toEqual([asGuest.body.orderId])

  // With an account: the form is filled in from the address book.
  await at.me(signedIn, "POST", "/addresses", addressIn("CA", "94105"))
  const { shippingAddress } = (await at.me(signedIn, "GET", "/checkout-prefill")).body
  expect([shippingAddress.email, shippingAddress.line1]).toEqual([email, "1 Main St"])
  const as = (method: string, path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    shop.call(method, `${at.vc}${path}`, { body, headers: { authorization: `Bearer ${signedIn}`, ...headers } })
  const cart = (await at.me(signedIn, "GET", "/cart")).body.id
  await as("POST", `/cart/${cart}/items`, { productId: lamp, quantity: 2 })
  const checkout = (await as("POST", "/checkout", { cartId: cart })).body.id
  await as("PATCH", `/checkout/${checkout}/shipping`, { shippingAddress: addressIn("CA", "94105") })
  const bought = await as("POST", `/checkout/${checkout}/complete`, {}, { "idempotency-key": "account" })
  expect(bought.status).toBe(200)
  expect(await ordersOf(signedIn)).toEqual([bought.body.orderId, asGuest.body.orderId])

  const changed = { currentPassword: goodPassword, newPassword: otherPassword }
  expect((await at.post("change-password", changed, signedIn)).status).toBe(200)
  expect((await at.me(signedIn)).status).toBe(401)
  const again = (await at.login(email, otherPassword)).body.token
  const { id } = (await at.me(again)).body

  expect((await at.me(again, "DELETE", "", { password: otherPassword })).body).toEqual({ success: true })
  expect((await at.login(email, otherPassword)).status).toBe(401)
  expect((await at.admin("GET", `/customers/by-email?email=${email}`)).status).toBe(404)
  expect((await at.admin("GET", `/customers/${id}`)).body.code).toBe("CUSTOMER_NOT_FOUND")
  for (const { body } of [asGuest, bought])
    expect((await at.admin("GET", `/orders/${body.orderId}`)).body.customer.email).toBe(email)
  const anew = await at.register({ email })
  expect([anew.status, anew.body.customer.id === id]).toEqual([200, false])
})
