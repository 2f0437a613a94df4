import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { jpeg } from "@effect-commerce/core/testing/TestImages"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { formOf, sendTo } from "../media/sendForm.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
/** Has every field; another product has none of them. */
let mug: string
let plain: string
const definitions = "/v1/metafield-definitions"

const define = async (key: string, type: string, body: object = {}) => {
  const made = await shop.call("POST", definitions, {
    body: { name: key, key, type, isCustomerInput: true, productIds: [mug], ...body }
  })
  if (made.status !== 201) throw new Error(made.text)
  return made.body
}

beforeAll(async () => {
  shop = await openTestCommerce({ media: { store: memoryObjectStore() } })
  shopper = shopperOf(shop)
  mug = await shopper.product({ price: 1_000n, stock: 1_000 })
  plain = await shopper.product({ price: 1_000n, stock: 1_000 })
  await define("engraving", "TEXT", { required: true, minLength: 2, maxLength: 5 })
  await define("colour", "SELECT", { enumValues: [{ value: "red" }, { value: "blue" }] })
  await define("extras", "MULTI_SELECT", { enumValues: [{ value: "lid" }, { value: "box" }], maxLength: 1 })
  await define("size", "NUMBER", { minValue: 1, maxValue: 3 })
  await define("day", "DATE", { dateAvailability: { minDaysAhead: 1, maxDaysAhead: 2 } })
  await define("tint", "COLOR")
  await define("photo", "IMAGE")
  await define("photos", "GALLERY")
  await define("hidden", "TEXT", { isActive: false })
  await define("care", "TEXT", { isCustomerInput: false })
})
afterAll(() => shop.close())

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const add = async (customizations: unknown, productId = mug, at = `${shopper.at}/cart`) => {
  const { body: cart } = await shop.call("POST", at)
  const answer = await shop.call("POST", `${at}/${cart.id}/items`, {
    body: { productId, quantity: 1, ...(customizations === undefined ? {} : { customizations }) }
  })
  return { ...answer, cartId: cart.id as string }
}

const upload = async (channelId: string) => {
  const sent = await sendTo(shop)(
    `/vc/${channelId}/customization-upload`,
    formOf({ bytes: jpeg(30, 20), type: "image/jpeg" })
  )
  return sent.body as { readonly url: string; readonly key: string }
}

describe("customizations of a cart item", () => {
  it("name pictures that were uploaded to this store, by their url or their key", async () => {
    const [first, second] = [await upload(shop.channelId), await upload(shop.channelId)]
    const added = await add({ engraving: "Ada", photo: first.key, photos: [second.url, first.url] })
    expect([added.status, added.body.items?.[0].customizations]).toEqual([
      200,
      { engraving: "Ada", photo: first.url, photos: [second.url, first.url] }
    ])
    const other = await shop.openStore()
    const theirs = await upload(other.channelId)
    const refused = await add({ engraving: "Ada", photo: theirs.key, photos: [first.key, theirs.url] })
    const reason = "must be the url or the key of a picture that was uploaded to this store"
    expect([refused.status, refused.body.details.errors]).toEqual([
      400,
      { "customizations.photo": reason, "customizations.photos": reason }
    ])
  })

  it("are kept as their definitions read them, and what says nothing is left out", async () => {
    const given = {
      engraving: "Ada",
      colour: "red",
      extras: ["lid"],
      size: 2,
      day: dayFromNow(1),
      tint: "#AABBCC",
      photo: null
    }
    for (const at of [`${shopper.at}/cart`, "/v1/cart"]) {
      const added = await add(given, mug, at)
      expect([added.status, added.body.items?.[0].customizations]).toEqual([
        200,
        { engraving: "Ada", colour: "red", extras: ["lid"], size: 2, day: given.day, tint: "#aabbcc" }
      ])
    }
  })

  it.each([
    ["nothing at all", undefined, { engraving: "is required" }],
    ["an empty text", { engraving: " " }, { engraving: "is required" }],
    ["a short text", { engraving: "A" }, { engraving: "must have at least 2 characters" }],
    ["a long text", { engraving: "Ada By" }, { engraving: "must have at most 5 characters" }],
    ["a text that is none", { engraving: { a: 1 } }, { engraving: "must be text" }],
    ["no choice", { engraving: "Ada", colour: "green" }, { colour: "must be the value of one of the choices" }],
    ["too many choices", { engraving: "Ada", extras: ["lid", "box"] }, { extras: "must have at most 1 entries" }],
    ["a number out of bounds", { engraving: "Ada", size: 4 }, { size: "must be at most 3" }],
    ["a day too soon", { engraving: "Ada", day: dayFromNow(-1) }, { day: "must be at least 1 days ahead" }],
    ["a day too late", { engraving: "Ada", day: dayFromNow(4) }, { day: "must be at most 2 days ahead" }],
    [
      "a picture of somewhere else",
      { engraving: "Ada", photo: "https://evil.example/a.png" },
      { photo: "must be the url or the key of a picture that was uploaded to this store" }
    ],
    [
      "pictures of somewhere else",
      { engraving: "Ada", photos: ["stores/x/y.png"] },
      { photos: "must be the url or the key of a picture that was uploaded to this store" }
    ],
    [
      "keys that are no field of the product",
      { engraving: "Ada", hidden: "x", care: "x", none: 1 },
      {
        hidden: "this product has no such customization field",
        care: "this product has no such customization field",
        none: "this product has no such customization field"
      }
    ]
  ])("are refused by their keys: %s", async (_what, customizations, errors) => {
    const refused = await add(customizations)
    expect([refused.status, refused.body.code, refused.body.details.errors]).toEqual([
      400,
      "VALIDATION_FAILED",
      Object.fromEntries(Object.entries(errors).map(([key, reason]) => [`customizations.${key}`, reason]))
    ])
    expect((await shop.call("GET", `${shopper.at}/cart/${refused.cartId}`)).body.items).toEqual([])
  })

  it("are nothing to a product without fields", async () => {
    expect((await add(undefined, plain)).status).toBe(200)
    const refused = await add({ engraving: "Ada" }, plain)
    expect([refused.status, refused.body.details.errors]).toEqual([
      400,
      { "customizations.engraving": "this product has no such customization field" }
    ])
  })

  it("make lines apart, are replaced as a whole by a change, and stay where a change says nothing of them", async () => {
    const { cartId, body } = await add({ engraving: "Ada", colour: "red" })
    const items = `${shopper.at}/cart/${cartId}/items`
    const [{ id }] = body.items
    await shop.call("POST", items, { body: { productId: mug, quantity: 2, customizations: { engraving: "Bob" } } })
    const same = { productId: mug, quantity: 1, customizations: { colour: "red", engraving: "Ada" } }
    const twice = await shop.call("POST", items, { body: same })
    expect(twice.body.items.map((line: { quantity: number }) => line.quantity)).toEqual([2, 2])
    const patch = (change: object) => shop.call("PATCH", `${items}/${id}`, { body: change })
    expect((await patch({ quantity: 3 })).body.items[0].customizations).toEqual({ engraving: "Ada", colour: "red" })
    expect((await patch({ customizations: { engraving: "Eve" } })).body.items[0].customizations).toEqual({
      engraving: "Eve"
    })
    const refused = await patch({ customizations: { colour: "red" } })
    expect([refused.status, refused.body.details.errors]).toEqual([400, { "customizations.engraving": "is required" }])
    const merged = await patch({ customizations: { engraving: "Bob" } })
    expect(merged.body.items.map((line: { quantity: number }) => line.quantity)).toEqual([5])
  })

  it("come with the order, also of one that is placed in one call", async () => {
    const { cartId } = await add({ engraving: "Ada" })
    const checkoutId = await shopper.checkout(cartId)
    const done = await shopper.complete(checkoutId, "customized")
    const { body: order } = await shop.call("GET", `/v1/orders/${done.body.orderId}`)
    expect(order.items[0].customizations).toEqual({ engraving: "Ada" })

    const place = (item: object) =>
      shop.call("POST", `/vc/${shop.channelId}/orders`, {
        body: {
          items: [{ productId: mug, quantity: 1, price: "10.00", ...item }],
          customer: { email: "ada@example.com" },
          shippingAddress: addressIn("CA", "94105")
        }
      })
    const refused = await place({})
    expect([refused.status, refused.body.details.errors]).toEqual([
      400,
      { "items.0.customizations.engraving": "is required" }
    ])
    const placed = await place({ customizations: { engraving: "Eve" } })
    const { body: second } = await shop.call("GET", `/v1/orders/${placed.body.orderId}`)
    expect(second.items[0].customizations).toEqual({ engraving: "Eve" })
    expect((await place({ customizations: { engraving: "x".repeat(8_192) } })).status).toBe(400)
  })
})
