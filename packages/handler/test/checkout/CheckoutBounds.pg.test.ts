import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let checkoutId: string
beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
  checkoutId = await shopper.checkout(await shopper.cart([await shopper.product(), 1]))
})
afterAll(() => shop.close())

let keys = 0
const complete = (body: object, path = `${shopper.at}/checkout/${checkoutId}`) =>
  shop.call("POST", `${path}/complete`, { body, headers: { "idempotency-key": `bound-${keys++}` } })
const repaid = (length: number) => ({ paymentMethod: "test", paymentReference: "r".repeat(length) })
const named = (length: number) => ({ paymentMethod: "provider", providerId: "p".repeat(length) })
const patched = (path: string, body: object) =>
  shop.call("PATCH", `${shopper.at}/checkout/${checkoutId}${path}`, { body })
const order = (body: object) =>
  shop.call("POST", "/v1/orders", { body: { items: [{ name: "Lamp", price: "1.00", quantity: 1 }], ...body } })

/** What is asked with so many characters, and the field that is too long. */
const fields: ReadonlyArray<
  readonly [what: string, ask: (length: number) => ReturnType<typeof complete>, field: string, longest: number]
> = [
  ["the provider of a completion", (length) => complete(named(length)), "providerId", 200],
  [
    "the provider of the merchant's completion",
    (length) => complete(named(length), `/v1/checkout/${checkoutId}`),
    "providerId",
    200
  ],
  ["the provider's reference", (length) => complete(repaid(length)), "paymentReference", 500],
  ["the expected total", (length) => complete({ expectedTotal: "9".repeat(length) }), "expectedTotal", 40],
  [
    "the provider of a session",
    (length) =>
      shop.call("POST", `${shopper.at}/checkout/${checkoutId}/payment`, { body: { providerId: "p".repeat(length) } }),
    "providerId",
    200
  ],
  [
    "the cart",
    (length) => shop.call("POST", `${shopper.at}/checkout`, { body: { cartId: "c".repeat(length) } }),
    "cartId",
    200
  ],
  [
    "a shipping method",
    (length) => patched("/shipping-method", { shippingRateId: "s".repeat(length) }),
    "shippingRateId",
    200
  ],
  [
    "a pickup place",
    (length) => patched("/delivery", { deliveryType: "pickup", pickupLocationId: "p".repeat(length) }),
    "pickupLocationId",
    200
  ],
  ["the customer of an order", (length) => order({ customerId: "c".repeat(length) }), "customerId", 200],
  ["the coupon of an order", (length) => order({ couponCode: "C".repeat(length) }), "couponCode", 200],
  [
    "a product of an order",
    (length) => order({ items: [{ productId: "p".repeat(length), quantity: 1 }] }),
    "items.0.productId",
    200
  ]
]

describe("what a caller writes at length", () => {
  it.each(fields)(
    "is read up to its bound and refused above it, and is not repeated: %s",
    async (_what, ask, field, longest) => {
      const above = await ask(longest + 1)
      expect([above.status, above.body.code, Object.keys(above.body.details.errors)]).toEqual([
        400,
        "VALIDATION_FAILED",
        [field]
      ])
      expect(above.body.details.errors[field]).toMatch(/at most/)
      const at = await ask(longest)
      expect(JSON.stringify(at.body.details ?? {})).not.toMatch(/at most/)
      for (const { text } of [above, at]) expect(text).not.toMatch(/(.)\1{200}/)
    }
  )
})
