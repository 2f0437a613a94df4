import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

const offer = (triggerProductId: string, offered: string, more: object = {}) =>
  shop.call("POST", "/v1/bundle-offers", {
    body: {
      name: "Link",
      triggerProductId,
      productIds: [offered],
      discountType: "PERCENTAGE",
      discountValue: 5,
      ...more
    }
  })

describe("offers that are made at once", () => {
  it("do not form a circle: of two that would close one, one is refused", async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await shopper.product(), await shopper.product()]
      const answers = await Promise.all([offer(a, b), offer(b, a), offer(a, b), offer(b, a)])
      const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.triggerProductId)
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400])
      expect(new Set(made).size).toBe(1)
    }
  })

  it("are all counted on the product that brings them up", async () => {
    const made = await shop.call("POST", "/v1/products", { body: { name: "Desk", basePrice: 9, status: "active" } })
    const desk = made.body.id
    const bulb = await shopper.product()
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => offer(desk, bulb)),
      ...Array.from({ length: 4 }, (_, i) =>
        shop.call("PATCH", `/v1/products/${desk}`, { body: { description: `Text ${i}` } })
      )
    ])
    expect(answers.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([])
    for (const path of [`/v1/products/${desk}`, `${shopper.at}/products/${desk}`])
      expect((await shop.call("GET", path)).body.bundleOfferCount).toBe(6)
  })
})

describe("bundles that are taken at once", () => {
  it("are whole bundles, and sell no more than there is", async () => {
    const [lamp, bulb, cord] = [await shopper.product(), await shopper.product({ stock: 5 }), await shopper.product()]
    const made = await offer(lamp, bulb, { productIds: [bulb, cord] })
    await shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_CART", minutes: 15 } } })
    const carts = await Promise.all([1, 2, 3, 4].map(() => shopper.cart([lamp, 1])))
    const answers = await Promise.all(
      [...carts, ...carts].map((cart) =>
        shop.call("POST", `${shopper.at}/cart/${cart}/bundle`, { body: { bundleOfferId: made.body.id } })
      )
    )
    const accepted = answers.filter(({ status }) => status === 200).length
    expect([accepted, answers.filter(({ body }) => body.code === "INSUFFICIENT_STOCK").length]).toEqual([5, 3])
    const read = await Promise.all(carts.map((cart) => shop.call("GET", `${shopper.at}/cart/${cart}`)))
    const lines = read.flatMap(({ body }) => body.items).filter(({ bundleItemId }) => bundleItemId !== null)
    const sizes = new Map<string, number>()
    for (const { bundleItemId } of lines) sizes.set(bundleItemId, (sizes.get(bundleItemId) ?? 0) + 1)
    expect([...sizes.values()]).toEqual([2, 2, 2, 2, 2])
    expect((await shop.call("GET", `/v1/products/${bulb}/inventory`)).body.reserved).toBe(5)
  })
})
