/** Two checkouts of one cart, with the same line. */
import { PaymentRecovery } from "@effect-commerce/core/charge/PaymentRecovery"
import type { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { giftCardsOf } from "../giftcard/giftCards.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

let keys = 0
const pay = (id: string, paymentReference: string) =>
  shopper.complete(id, `shared-${keys++}`, { paymentMethod: "test", paymentReference })
const tell = (checkoutId: string) =>
  shop.call("POST", "/test/provider-events", { body: { checkoutId, type: "captured" } })
const ordersOf = (id: string) => rowsOf(shop, "SELECT id FROM orders WHERE checkout_id = $1", [id])
const chargeOf = async (id: string) =>
  (await rowsOf(shop, "SELECT captured::int, refunded::int FROM provider_operation WHERE subject_id = $1", [id]))[0]

/** What the provider is asked about in the background, and the checkout's status after it. */
const recovered = async (id: string) => {
  await shop.run(PaymentRecovery.use((recovery) => recovery.pass) as unknown as Effect.Effect<void>)
  return (await shop.call("GET", `${shopper.at}/checkout/${id}`)).body.status
}

describe("a line of two checkouts", () => {
  it("is bought once: late money for the first makes the order, and that for the second is returned", async () => {
    const lamp = await shopper.product({ price: 1_000n, stock: 10 })
    const cartId = await shopper.cart([lamp, 1])
    const first = await shopper.checkout(cartId)
    expect((await pay(first, "timeout")).status).toBe(500)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 25 * 60 * 60_000 } })
    await expect.poll(() => recovered(first)).toBe("EXPIRED")
    const second = await shopper.checkout(cartId)
    expect((await pay(second, "timeout")).status).toBe(500)
    await tell(first)
    await tell(second)
    expect([(await ordersOf(first)).length, await ordersOf(second)]).toEqual([1, []])
    expect(await chargeOf(first)).toEqual({ captured: 1_000, refunded: 0 })
    await expect
      .poll(async () => {
        await recovered(second)
        return chargeOf(second)
      })
      .toEqual({ captured: 1_000, refunded: 1_000 })
    const { total } = (await shop.call("GET", `/v1/products/${lamp}/inventory`)).body
    expect(total).toBe(9)
  })

  it("is free for the second where its gift card was held by the first, whose shopper had gone", async () => {
    const cards = giftCardsOf(shop)
    const card = await cards.issue("10.00")
    const [lamp, bulb] = [await shopper.product({ price: 1_000n }), await shopper.product({ price: 1_000n })]
    const cartId = await shopper.cart([lamp, 1], [bulb, 1])
    const { items } = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body
    const first = await shopper.checkout(cartId)
    const part = await shop.call("POST", `${shopper.at}/checkout`, {
      body: { cartId, selectedItemIds: [items[0].id] }
    })
    const second = part.body.id as string
    await shop.call("PATCH", `${shopper.at}/checkout/${second}/customer`, { body: { email: "ada@example.com" } })
    await shop.call("PATCH", `${shopper.at}/checkout/${second}/shipping`, {
      body: { shippingAddress: addressIn("CA", "94105") }
    })
    for (const id of [first, second]) await cards.enter(id, card.code)
    const begin = (id: string) =>
      shop.call("POST", `${shopper.at}/checkout/${id}/payment`, { body: { providerId: "test" } })
    expect((await begin(first)).body.amount).toBe("10.00")
    const begun = await begin(second)
    expect([begun.status, begun.body.amount, begun.body.redirectUrl]).toEqual([200, "0.00", null])
  })
})
