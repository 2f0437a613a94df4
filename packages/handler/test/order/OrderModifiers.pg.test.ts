import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

/** Modifiers in orders: what was chosen, by name and price, however the order comes to be. */
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let pizza: string
let groupId: string
let chosen: (name: string, quantity?: number) => { modifierGroupId: string; modifierId: string; quantity?: number }
beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
  const { body: group } = await shop.call("POST", "/v1/modifier-groups", {
    body: {
      name: "Toppings",
      selectionType: "MULTIPLE",
      required: true,
      freeQuantity: 1,
      modifiers: [
        { name: "Olives", priceDelta: "1.00", sku: "OLV", isDefault: true },
        { name: "Truffle", priceDelta: "4.50", sku: "TRF" },
        { name: "Ham", available: false }
      ]
    }
  })
  groupId = group.id
  chosen = (name, quantity) => ({
    modifierGroupId: group.id,
    modifierId: group.modifiers.find((it: { name: string }) => it.name === name).id,
    ...(quantity === undefined ? {} : { quantity })
  })
  pizza = (
    await shop.call("POST", "/v1/products", {
      body: {
        name: "Pizza",
        status: "active",
        basePrice: "10.00",
        inventory: { total: 100 },
        modifierGroups: [{ groupId }]
      }
    })
  ).body.id
})
afterAll(() => shop.close())

const sold = async () => (await rowsOf(shop, "SELECT count(*)::int AS n FROM order_item", []))[0]
const shown = (name: string, facts: object) => ({
  ...chosen(name),
  quantity: 1,
  groupName: "Toppings",
  name,
  ...facts
})
const truffle = shownLater("Truffle", { sku: "TRF", priceDelta: "4.50", freeQuantity: 0, amount: "4.50" })
const olives = shownLater("Olives", { sku: "OLV", priceDelta: "1.00", freeQuantity: 1, amount: "0.00" })
function shownLater(name: string, facts: object) {
  return () => shown(name, facts)
}
const both = () => [chosen("Truffle"), chosen("Olives", 1)]
const orderOf = async (id: string) => (await shop.call("GET", `/v1/orders/${id}`)).body

describe("the modifiers of an order", () => {
  it("are kept by name and price, also where a provider is asked, and stay what they were", async () => {
    const orders: Array<string> = []
    for (const [i, body] of [{}, { paymentMethod: "test", paymentReference: "approve" }].entries()) {
      const { body: cart } = await shop.call("POST", `${shopper.at}/cart`)
      await shop.call("POST", `${shopper.at}/cart/${cart.id}/items`, {
        body: { productId: pizza, quantity: 2, modifiers: both() }
      })
      const done = await shopper.complete(await shopper.checkout(cart.id), `kept-${i}`, body)
      expect(done.status).toBe(200)
      orders.push(done.body.orderId)
    }
    await shop.call("PATCH", `/v1/modifier-groups/${groupId}`, {
      body: { name: "Extras", modifiers: [{ id: chosen("Truffle").modifierId, name: "Black truffle", priceDelta: 9 }] }
    })
    for (const id of orders) {
      expect((await orderOf(id)).items).toMatchObject([
        { name: "Pizza", quantity: 2, unitPrice: "14.50", totalPrice: "29.00", modifiers: [olives(), truffle()] }
      ])
    }
    await shop.call("PATCH", `/v1/modifier-groups/${groupId}`, {
      body: { name: "Toppings", modifiers: [{ id: chosen("Truffle").modifierId, name: "Truffle", priceDelta: 4.5 }] }
    })
    expect(await rowsOf(shop, "SELECT DISTINCT base_price::int AS base FROM order_item", [])).toEqual([{ base: 1_000 }])
  })

  it("are taken by an order of a storefront, which compares the price with them", async () => {
    const place = (item: object) =>
      shop.call("POST", `${shopper.at}/orders`, {
        body: {
          items: [{ productId: pizza, quantity: 1, ...item }],
          customer: { email: "ada@example.com" },
          shippingAddress: addressIn("CA", "94105")
        }
      })
    const before = await sold()
    const drifted = await place({ price: "10.00", modifiers: both() })
    expect([drifted.status, drifted.body.code, drifted.body.details.items]).toEqual([
      400,
      "PRICE_DRIFT",
      [{ itemId: pizza, oldUnitPrice: "10.00", newUnitPrice: "14.50", delta: "4.50", direction: "up" }]
    ])
    const refused = await place({ price: "10.00", modifiers: [chosen("Ham")] })
    expect([refused.status, refused.body.code, refused.body.details.errors]).toEqual([
      400,
      "MODIFIER_VALIDATION_FAILED",
      [{ code: "MODIFIER_UNAVAILABLE", message: "Ham cannot be chosen now", ...chosen("Ham") }]
    ])
    expect((await place({ price: "10.00", modifiers: [] })).body.details.errors).toMatchObject([
      { code: "MODIFIER_REQUIRED", modifierGroupId: groupId, modifierId: null }
    ])
    expect(await sold()).toEqual(before)
    const placed = await place({ price: "14.50", modifiers: both() })
    expect(placed.status).toBe(200)
    expect((await orderOf(placed.body.orderId)).items).toMatchObject([{ modifiers: [olives(), truffle()] }])
    // Nothing said: the default, which is the free one.
    const usual = await place({ price: "10.00" })
    expect((await orderOf(usual.body.orderId)).items).toMatchObject([{ unitPrice: "10.00", modifiers: [olives()] }])
  })

  it("are taken by an order of an admin key: none are asked for, and those that are named must fit", async () => {
    const create = (item: object, more: object = {}) =>
      shop.call("POST", "/v1/orders", { body: { items: [{ quantity: 1, ...item }], ...more } })
    const bare = await create({ productId: pizza })
    expect(bare.body.items).toMatchObject([{ unitPrice: "10.00", modifiers: [] }])
    const full = await create({ productId: pizza, modifiers: both() })
    expect(full.body.items).toMatchObject([{ unitPrice: "14.50", modifiers: [olives(), truffle()] }])
    // A stated price is the whole of it: nothing says what of it is for the truffle.
    const unpriced = { freeQuantity: 0, priceDelta: null, amount: null }
    const stated = await create({ productId: pizza, modifiers: both(), price: "3.00" })
    expect(stated.body.items).toMatchObject([
      {
        unitPrice: "3.00",
        modifiers: [
          { name: "Olives", ...unpriced },
          { name: "Truffle", ...unpriced }
        ]
      }
    ])
    const foreign = await create({ productId: pizza, modifiers: both(), price: "14.50" }, { currency: "EUR" })
    expect(foreign.body.items).toMatchObject([{ modifiers: [unpriced, unpriced] }])
    const before = await sold()
    const refused = await create({ productId: pizza, modifiers: [chosen("Truffle"), chosen("Truffle")] })
    expect([refused.status, refused.body.details.errors]).toMatchObject([400, [{ code: "MODIFIER_DUPLICATE" }]])
    const nameless = await create({ name: "Repair", price: "1.00", modifiers: both() })
    expect([nameless.status, nameless.body.details.errors]).toEqual([
      400,
      { "items.0.modifiers": "go with the productId of their product" }
    ])
    expect(await sold()).toEqual(before)
  })

  it("are told to subscribers", async () => {
    const { body: order } = await shop.call("POST", "/v1/orders", {
      body: { customer: { email: "ada@example.com" }, items: [{ productId: pizza, quantity: 1, modifiers: both() }] }
    })
    const { body: events } = await shop.call("GET", "/v1/events?types=order.created&limit=100")
    expect(events.data.at(-1).data.order.items[0].modifiers).toEqual([olives(), truffle()])
    expect(order.items[0].modifiers).toEqual([olives(), truffle()])
  })

  it("of releases that kept only their ids are answered as they are", async () => {
    const { body: order } = await shop.call("POST", "/v1/orders", {
      body: { items: [{ productId: pizza, quantity: 1 }] }
    })
    await rowsOf(shop, "UPDATE order_item SET modifiers = $2::jsonb WHERE order_id = $1", [
      order.id,
      JSON.stringify([{ modifierGroupId: "g", modifierId: "m" }])
    ])
    expect((await orderOf(order.id)).items[0].modifiers).toEqual([{ modifierGroupId: "g", modifierId: "m" }])
  })
})
