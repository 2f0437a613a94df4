import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { lineIdentity } from "@effect-commerce/core/cart/Cart"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { rowsOf } from "../customer/SignedIn.ts"

/** When two lines are one. */
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

interface Item {
  readonly id: string
  readonly quantity: number
  readonly notes: string | null
  readonly metadata: object
  readonly unitPrice: string
}
const cartWith = async (...lines: ReadonlyArray<object>) => {
  const { body } = await shop.call("POST", `${shopper.at}/cart`)
  const path = `${shopper.at}/cart/${body.id}`
  for (const line of lines) expect((await shop.call("POST", `${path}/items`, { body: line })).status).toBe(200)
  const items = (await shop.call("GET", path)).body.items as ReadonlyArray<Item>
  return { id: body.id as string, path, items }
}
const patch = (path: string, item: Item | undefined, body: object) =>
  shop.call("PATCH", `${path}/items/${item?.id}`, { body })
const strategy = (name: string) =>
  shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: name, minutes: 15 } } })
const reservedOf = async (productId: string) =>
  (await shop.call("GET", `/v1/products/${productId}/inventory`)).body.reserved
const engraved = (productId: string, quantity: number, text: string) => ({ productId, quantity, metadata: { text } })

describe.each(["ON_PAYMENT", "ON_CART"])("under %s, a line that is changed into another", (name) => {
  beforeAll(() => strategy(name))
  afterAll(() => strategy("ON_PAYMENT"))

  it("adds its units to that one, which keeps its id, its price and its notes", async () => {
    const lamp = await shopper.product({ stock: 9, price: 1_000n })
    const { path, items } = await cartWith({ ...engraved(lamp, 2, "A"), notes: "mine" }, engraved(lamp, 3, "B"))
    await shop.call("PATCH", `/v1/products/${lamp}`, { body: { basePrice: "12.00" } })
    const changed = await patch(path, items[1], { metadata: { text: "A" } })
    expect([changed.status, changed.body.items]).toEqual([200, [{ ...items[0], quantity: 5, totalPrice: "50.00" }]])
    expect((await shop.call("GET", path)).body).toEqual(changed.body)
    expect(await reservedOf(lamp)).toBe(name === "ON_CART" ? 5 : 0)
    expect((await patch(path, items[1], { quantity: 1 })).status).toBe(404)
  })

  it("is judged by the sum of both: stock, and the most units of a line", async () => {
    const lamp = await shopper.product({ stock: 6 })
    const { path, items } = await cartWith(engraved(lamp, 2, "A"), engraved(lamp, 3, "B"))
    const over = await patch(path, items[1], { metadata: { text: "A" }, quantity: 5 })
    expect([over.status, over.body.code, over.body.details]).toEqual([
      400,
      "INSUFFICIENT_STOCK",
      { available: 6, requested: 7 }
    ])
    expect((await shop.call("GET", path)).body.items.map((item: Item) => item.quantity)).toEqual([2, 3])
    const all = await patch(path, items[1], { metadata: { text: "A" }, quantity: 4, notes: "theirs" })
    expect(all.body.items).toMatchObject([{ id: items[0]?.id, quantity: 6, notes: "theirs" }])
    expect(await reservedOf(lamp)).toBe(name === "ON_CART" ? 6 : 0)
    const sand = await shopper.product({ trackingMode: "UNTRACKED", price: 0n })
    const heap = await cartWith(engraved(sand, 999_999, "A"), engraved(sand, 1, "B"))
    const most = await patch(heap.path, heap.items[1], { metadata: { text: "A" } })
    expect([most.status, Object.keys(most.body.details.errors)]).toEqual([400, ["quantity"]])
  })

  it("and back at the same moment ends as one line with the units of both", async () => {
    const lamp = await shopper.product({ stock: 9 })
    const { path, items } = await cartWith(engraved(lamp, 2, "A"), engraved(lamp, 3, "B"))
    const answers = await Promise.all([
      patch(path, items[1], { metadata: { text: "A" } }),
      patch(path, items[0], { metadata: { text: "B" } })
    ])
    expect(answers.map(({ status }) => status).filter((status) => status === 200).length).toBeGreaterThan(0)
    const { items: left } = (await shop.call("GET", path)).body
    // Whoever comes second finds the one line there is, or that theirs went into the other.
    expect(left.map((item: Item) => item.quantity)).toEqual([5])
    expect(await reservedOf(lamp)).toBe(name === "ON_CART" ? 5 : 0)
  })

  it("is bought once, also by a checkout that was made of it before", async () => {
    const lamp = await shopper.product({ stock: 20 })
    const { id, path, items } = await cartWith(engraved(lamp, 2, "A"), engraved(lamp, 3, "B"))
    const { body: part } = await shop.call("POST", `${shopper.at}/checkout`, {
      body: { cartId: id, selectedItemIds: [items[1]?.id] }
    })
    const before = await shopper.checkout(id)
    await patch(path, items[1], { metadata: { text: "A" } })
    const after = await shopper.checkout(id)
    await shop.call("PATCH", `${shopper.at}/checkout/${part.id}/customer`, { body: { email: "ada@example.com" } })
    await shop.call("PATCH", `${shopper.at}/checkout/${part.id}/shipping`, {
      body: { shippingAddress: { line1: "1", city: "Town", country: "US" } }
    })
    expect((await shopper.complete(part.id, `same-${name}-1`)).status).toBe(200)
    for (const other of [before, after]) {
      const again = await shopper.complete(other, `same-${name}-${other}`)
      expect([again.status, again.body.details]).toEqual([409, { reason: "ordered", checkoutId: part.id }])
    }
    expect(await rowsOf(shop, "SELECT sum(quantity)::int AS n FROM order_item WHERE product_id = $1", [lamp])).toEqual([
      { n: 3 }
    ])
  })
})

describe("the identity of a line", () => {
  const line = { productId: "prod_1", variantId: null, metadata: {}, customizations: {}, modifiers: [] }
  const [large, red] = [
    { modifierGroupId: "size", modifierId: "large", quantity: 1 },
    { modifierGroupId: "colour", modifierId: "red" }
  ]

  it("counts the modifiers, in any order, with their quantities", () => {
    const chosen = lineIdentity({ ...line, modifiers: [large, red] })
    expect(chosen).toBe(
      lineIdentity({ ...line, modifiers: [red, { quantity: 1, modifierId: "large", modifierGroupId: "size" }] })
    )
    const others = [[], [large], [red], [large, red, red], [{ ...large, quantity: 2 }, red]].map((modifiers) =>
      lineIdentity({ ...line, modifiers })
    )
    expect(new Set([chosen, ...others]).size).toBe(6)
  })

  it("does not take metadata for customizations, nor an order of keys for a difference", () => {
    const metadata = { a: { x: 1, y: [1, 2] }, b: 2 }
    expect(lineIdentity({ ...line, metadata })).toBe(
      lineIdentity({ ...line, metadata: { b: 2, a: { y: [1, 2], x: 1 } } })
    )
    const others = [
      { metadata },
      { customizations: metadata },
      { metadata: { ...metadata, a: { x: 1, y: [2, 1] } } },
      { variantId: "var_1" }
    ]
    expect(new Set(others.map((other) => lineIdentity({ ...line, ...other }))).size).toBe(4)
  })

  it("says of each modifier of a product without groups that its group is unknown, also in an edit, and keeps the line", async () => {
    const lamp = await shopper.product()
    const { path, items } = await cartWith({ productId: lamp, quantity: 1 })
    for (const refused of [
      await shop.call("POST", `${path}/items`, { body: { productId: lamp, quantity: 1, modifiers: [large, red] } }),
      await patch(path, items[0], { modifiers: [large, red] })
    ]) {
      expect([refused.status, refused.body.code]).toEqual([400, "MODIFIER_VALIDATION_FAILED"])
      expect(refused.body.details.errors).toMatchObject(
        [large, red].map(({ modifierGroupId, modifierId }) => ({
          code: "MODIFIER_GROUP_UNKNOWN",
          modifierGroupId,
          modifierId
        }))
      )
    }
    expect((await patch(path, items[0], { modifiers: [] })).body.items).toEqual(items)
  })
})
