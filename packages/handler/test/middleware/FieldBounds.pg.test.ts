import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"
import { customersOf } from "../customer/SignedIn.ts"

/**
 * Whatever is kept of what a caller writes has a longest form: at the bound it is taken, one above it is refused by its
 * field.
 */
let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

interface Bounded {
  readonly field: string
  readonly most: number
  readonly send: (value: string) => Promise<{
    readonly status: number
    readonly body: { readonly code?: string; readonly details?: { readonly errors?: object } }
  }>
}
/** Answers that say no more than that nothing is called like this are as good: the field was taken. */
const isTaken = (status: number, errors: object | undefined, field: string) =>
  status < 300 || status === 404 || !Object.keys(errors ?? {}).includes(field)

const check = async ({ field, most, send }: Bounded, of = (length: number) => "é".repeat(length)) => {
  const over = await send(of(most + 1))
  expect([field, over.status, over.body.code, Object.keys(over.body.details?.errors ?? {})]).toEqual([
    field,
    400,
    "VALIDATION_FAILED",
    [field]
  ])
  const at = await send(of(most))
  expect([field, isTaken(at.status, at.body.details?.errors, field)]).toEqual([field, true])
}
const patch =
  (path: string, bodyOf: (value: string) => object, method = "PATCH") =>
  (value: string) =>
    shop.call(method, path, { body: bodyOf(value) })

it("the store and its channels", async () => {
  const { body: channel } = await shop.call("POST", "/v1/sales-channels", { body: { name: "Web" } })
  await check({ field: "name", most: 200, send: patch("/v1/store", (name) => ({ name })) })
  await check({ field: "name", most: 200, send: patch("/v1/sales-channels", (name) => ({ name }), "POST") })
  await check({ field: "name", most: 200, send: patch(`/v1/sales-channels/${channel.id}`, (name) => ({ name })) })
})

it("carts and checkouts", async () => {
  const shopper = shopperOf(shop)
  const lamp = await shopper.product()
  const cartId = await shopper.cart([lamp, 1])
  const cart = `${shopper.at}/cart/${cartId}`
  for (const field of ["notes", "analyticsClientId", "analyticsSessionId"]) {
    await check({ field, most: 2_000, send: patch(cart, (value) => ({ [field]: value })) })
  }
  await check({ field: "code", most: 200, send: patch(`${cart}/coupon`, (code) => ({ code }), "POST") })
  await check({
    field: "variantId",
    most: 200,
    send: patch(`${cart}/items`, (variantId) => ({ productId: lamp, variantId, quantity: 1 }), "POST")
  })
  await check({ field: "cartId", most: 200, send: patch(`${shopper.at}/checkout`, (id) => ({ cartId: id }), "POST") })
  await check({
    field: "sessionToken",
    most: 200,
    send: patch(`${shopper.at}/checkout`, (sessionToken) => ({ cartId, sessionToken }), "POST")
  })
  const checkout = `${shopper.at}/checkout/${await shopper.checkout(cartId)}`
  for (const [field, most] of [
    ["firstName", 100],
    ["lastName", 100],
    ["phone", 40]
  ] as const) {
    await check({
      field,
      most,
      send: patch(`${checkout}/customer`, (value) => ({ email: "ada@example.com", [field]: value }))
    })
  }
  for (const [field, most] of [
    ["firstName", 100],
    ["lastName", 100],
    ["name", 200],
    ["company", 200],
    ["line1", 300],
    ["line2", 300],
    ["city", 200],
    ["region", 100],
    ["postalCode", 20],
    ["phone", 40]
  ] as const) {
    const send = patch(`${checkout}/shipping`, (value) => ({
      shippingAddress: { ...addressIn("CA", "94105"), [field]: value }
    }))
    await check({ field: `shippingAddress.${field}`, most, send })
  }
  const complete = (body: object) =>
    shop.call("POST", `${checkout}/complete`, { body, headers: { "idempotency-key": `bounds-${Math.random()}` } })
  await check({ field: "notes", most: 2_000, send: (notes) => complete({ notes, expectedTotal: "0.01" }) })
})

it("orders", async () => {
  const item = { name: "Work", price: "1.00", quantity: 1 }
  const order = (bodyOf: (value: string) => object) =>
    patch("/v1/orders", (value) => ({ items: [item], ...bodyOf(value) }), "POST")
  for (const [field, most] of [
    ["couponCode", 200],
    ["customerId", 200],
    ["externalId", 191],
    ["paymentMethod", 100],
    ["notes", 2_000],
    ["sourceName", 200]
  ] as const) {
    await check({ field, most, send: order((value) => ({ [field]: value })) })
  }
  await check({ field: "items.0.name", most: 500, send: order((name) => ({ items: [{ ...item, name }] })) })
  await check({
    field: "items.0.productId",
    most: 200,
    send: order((productId) => ({ items: [{ productId, quantity: 1 }] }))
  })
  for (const [field, most] of [
    ["name", 200],
    ["phone", 40]
  ] as const) {
    await check({
      field: `customer.${field}`,
      most,
      send: order((value) => ({ customer: { email: "ada@example.com", [field]: value } }))
    })
  }
})

it("customers and their addresses", async () => {
  const at = customersOf(shop)
  const { token } = await at.known()
  for (const [field, most] of [
    ["firstName", 100],
    ["lastName", 100],
    ["phone", 40]
  ] as const) {
    await check({ field, most, send: (value) => at.me(token, "PATCH", "", { [field]: value }) })
  }
  await check({
    field: "label",
    most: 100,
    send: (label) => at.me(token, "POST", "/addresses", { ...addressIn("CA", "94105"), label })
  })
})

it("objects of any shape are at most 64 KiB of JSON in UTF-8", async () => {
  const shopper = shopperOf(shop)
  /** An object of exactly so many bytes. */
  const sized = (bytes: number) => {
    const room = bytes - Buffer.byteLength(JSON.stringify({ fr: { key: "" } }))
    return { fr: { key: "é".repeat(Math.floor(room / 2)) + "a".repeat(room % 2) } }
  }
  const most = 64 * 1_024
  const { body: category } = await shop.call("POST", "/v1/categories", { body: { name: "Light" } })
  const template = {
    name: "Mine",
    eventType: "CART_ABANDONED",
    language: "en",
    subject: "Hello",
    htmlContent: "<p>Hello</p>",
    isActive: false
  }
  const { body: made } = await shop.call("POST", "/v1/email/templates", { body: template })
  const checkout = await shopper.checkout(await shopper.cart([await shopper.product(), 1]))
  for (const [method, path, field, expected] of [
    ["PATCH", `/v1/categories/${category.id}`, "translations", 200],
    ["PUT", "/v1/email/settings", "eventSettings", 200],
    ["PATCH", `/v1/email/templates/${made.id}`, "variables", 200],
    ["POST", `/v1/email/templates/${made.id}/preview`, "variables", 200],
    // The store asks for no such field.
    ["PATCH", `${shopper.at}/checkout/${checkout}/custom-fields`, "values", 400]
  ] as const) {
    const over = await shop.call(method, path, { body: { [field]: sized(most + 1) } })
    expect([path, over.status, Object.keys(over.body.details.errors)]).toEqual([path, 400, [field]])
    const at = await shop.call(method, path, { body: { [field]: sized(most) } })
    expect([path, at.status, Object.keys(at.body.details?.errors ?? {})]).toEqual([
      path,
      expected,
      expected === 200 ? [] : [`${field}.fr`]
    ])
  }
})
