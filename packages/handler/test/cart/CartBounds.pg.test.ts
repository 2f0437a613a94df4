import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { customersOf, rowsOf } from "../customer/SignedIn.ts"

/** What a caller may write on a line, on all lines, and how many lines there may be: at the bound, and one above it. */
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let lamp: string
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  shopper = shopperOf(shop)
  lamp = await shopper.product({ stock: 100_000 })
})
afterAll(() => shop.close())

const kib = 1_024
/** An object of exactly so many bytes of JSON, of letters that take two bytes each where it can be. */
const sized = (bytes: number, mark = "") => {
  const room = bytes - Buffer.byteLength(JSON.stringify({ mark, text: "" }))
  return { mark, text: "é".repeat(Math.floor(room / 2)) + "a".repeat(room % 2) }
}
const storefront = () => shopper.at
const send = async (method: string, path: string, body: object) => {
  const { status, body: answered } = await shop.call(method, path, { body })
  return [
    status,
    answered.code,
    answered.details?.errors === undefined ? undefined : Object.keys(answered.details.errors)
  ]
}
const refused = (...fields: ReadonlyArray<string>) => [400, "VALIDATION_FAILED", fields]
const taken = [200, undefined, undefined]
const line = (metadata: object, more: object = {}) => ({ productId: lamp, quantity: 1, metadata, ...more })
const read = async (cartId: string) => (await shop.call("GET", `/v1/cart/${cartId}`)).body

describe("what a line carries", () => {
  it("is at most 8 KiB of JSON in UTF-8, on every way into a cart", async () => {
    const cartId = await shopper.cart()
    for (const at of [`${storefront()}/cart/${cartId}`, `/v1/cart/${cartId}`]) {
      expect(await send("POST", `${at}/items`, line(sized(8 * kib + 1)))).toEqual(refused("metadata"))
      expect(await send("POST", `${at}/items`, line(sized(8 * kib, at)))).toEqual(taken)
      const { items } = await read(cartId)
      const item = `${at}/items/${items.at(-1).id}`
      expect(await send("PATCH", item, { metadata: sized(8 * kib + 1) })).toEqual(refused("metadata"))
      expect(await send("PATCH", item, { metadata: sized(8 * kib, `${at} changed`) })).toEqual(taken)
    }
    expect((await read(cartId)).items.length).toBe(2)
  })

  it("may be nested as deeply as a body may", async () => {
    const cartId = await shopper.cart()
    const deep = JSON.parse(`{"a":${"[".repeat(98)}${"]".repeat(98)}}`) as object
    expect(await send("POST", `${storefront()}/cart/${cartId}/items`, line(deep))).toEqual(taken)
    expect((await read(cartId)).items[0].metadata).toEqual(deep)
  })

  it("has notes of 2,000 characters, a quantity of 999,999 and 50 modifiers with short ids at most", async () => {
    const cartId = await shopper.cart()
    const path = `${storefront()}/cart/${cartId}/items`
    const plenty = await shopper.product({ trackingMode: "UNTRACKED", price: 0n })
    const modifier = { modifierGroupId: "g", modifierId: "m" }
    expect(await send("POST", path, { productId: lamp, quantity: 1, notes: "é".repeat(2_001) })).toEqual(
      refused("notes")
    )
    expect(await send("POST", path, { productId: lamp, quantity: 1, notes: "é".repeat(2_000) })).toEqual(taken)
    expect(await send("POST", path, { productId: plenty, quantity: 1_000_000 })).toEqual(refused("quantity"))
    expect(await send("POST", path, { productId: plenty, quantity: 999_999 })).toEqual(taken)
    expect(await send("POST", path, { productId: plenty, quantity: 1 })).toEqual(refused("quantity"))
    expect(await send("POST", path, { productId: lamp, quantity: 1, modifiers: Array(51).fill(modifier) })).toEqual(
      refused("modifiers")
    )
    expect((await send("POST", path, { productId: lamp, quantity: 1, modifiers: Array(50).fill(modifier) }))[1]).toBe(
      "MODIFIER_VALIDATION_FAILED"
    )
    const long = { ...modifier, modifierId: "m".repeat(201) }
    expect(await send("POST", path, { productId: lamp, quantity: 1, modifiers: [long] })).toEqual(
      refused("modifiers.0.modifierId")
    )
    expect(await send("POST", path, { productId: "p".repeat(201), quantity: 1 })).toEqual(refused("productId"))
  })
})

describe("what all lines carry", () => {
  /** A cart of an admin key with lines of 8 KiB each. */
  const filled = async (lines: number) => {
    const cartId = await shopper.cart()
    for (let i = 0; i < lines; i++)
      expect(await send("POST", `/v1/cart/${cartId}/items`, line(sized(8 * kib, String(i))))).toEqual(taken)
    return cartId
  }

  it("is at most 64 KiB for a storefront and 512 KiB for an admin key", async () => {
    for (const [at, most] of [
      [storefront(), 64],
      ["/v1", 512]
    ] as const) {
      const cartId = await filled(most / 8 - 1)
      const path = `${at}/cart/${cartId}/items`
      const half = { ...line(sized(4 * kib, "half")) }
      expect(await send("POST", path, half)).toEqual(taken)
      expect(await send("POST", path, line(sized(4 * kib + 1)))).toEqual(refused("metadata"))
      expect(await send("POST", path, line(sized(4 * kib)))).toEqual(taken)
      expect(await send("POST", path, line(sized(100)))).toEqual(refused("metadata"))
      expect(await send("POST", path, { productId: lamp, quantity: 1 })).toEqual(taken)
      const { items } = await read(cartId)
      const last = `${path}/${items.at(-1).id}`
      expect(await send("PATCH", last, { metadata: { a: 1 } })).toEqual(refused("metadata"))
      expect(await send("PATCH", `${path}/${items[0].id}`, { metadata: { a: 1 } })).toEqual(taken)
      expect(await send("PATCH", last, { metadata: { a: 2 } })).toEqual(taken)
    }
  })

  it("may stay where an admin key wrote more than a storefront may, and may become less", async () => {
    const cartId = await filled(9)
    const path = `${storefront()}/cart/${cartId}/items`
    const { items } = await read(cartId)
    expect(await send("PATCH", `${path}/${items[0].id}`, { quantity: 2 })).toEqual(taken)
    expect(await send("POST", path, line(sized(100)))).toEqual(refused("metadata"))
    expect(await send("PATCH", `${path}/${items[0].id}`, { metadata: sized(7 * kib) })).toEqual(taken)
    expect(await send("POST", path, { productId: lamp, quantity: 1 })).toEqual(taken)
  })
})

/** Lines without anything on them, written as an admin key would one by one. */
const lines = (cartId: string, from: number, count: number) =>
  rowsOf(
    shop,
    `INSERT INTO cart_item (store_id, cart_id, id, identity, product_id, quantity, unit_price, metadata, customizations, modifiers, created_at)
      SELECT $1, $2, $2 || n, 'line ' || n, $3, 1, 1000, '{}', '{}', '[]', now() FROM generate_series($4::int, $4::int + $5::int - 1) n`,
    [shop.storeId, cartId, lamp, from, count]
  )

it("an admin key has 500 lines in a cart, as in an order, and adds to those that are there", async () => {
  const cartId = await shopper.cart()
  await lines(cartId, 1, 499)
  const path = `/v1/cart/${cartId}/items`
  expect(await send("POST", path, line({ a: 1 }))).toEqual(taken)
  expect(await send("POST", path, line({ a: 2 }))).toEqual(refused("productId"))
  expect(await send("POST", path, line({ a: 1 }))).toEqual(taken)
  expect((await read(cartId)).items.length).toBe(500)
})

describe("a merge", () => {
  const at = () => customersOf(shop)
  const merged = async (fill: {
    readonly own: (cartId: string) => Promise<unknown>
    readonly guest: (cartId: string) => Promise<unknown>
  }) => {
    const customer = await at().known()
    const { body: own } = await at().me(customer.token, "GET", "/cart")
    const { body: guest } = await shop.call("POST", `${shopper.at}/cart`)
    await fill.own(own.id)
    await fill.guest(guest.id)
    const { items } = await read(guest.id)
    const answer = await at().as(customer.token, "POST", `${shopper.at}/cart/merge`, {
      sessionToken: guest.sessionToken
    })
    expect(answer.status).toBe(200)
    return { coming: items as ReadonlyArray<{ readonly id: string }>, after: answer.body, own: own.id as string }
  }
  const heavy = (count: number, bytes: number, mark: string) => async (cartId: string) => {
    for (let i = 0; i < count; i++)
      expect(await send("POST", `/v1/cart/${cartId}/items`, line(sized(bytes, `${mark}${i}`)))).toEqual(taken)
  }

  it("takes lines in while they fit, and names those that it has left out", async () => {
    const { coming, after, own } = await merged({ own: heavy(7, 8 * kib, "own"), guest: heavy(3, 4 * kib, "guest") })
    expect(after.items.length).toBe(9)
    expect([after.hasUnavailableItems, after.unavailableItemIds]).toEqual([true, [coming[2]?.id]])
    expect((await read(own)).items.length).toBe(9)
  })

  it("adds equal lines up also where nothing more fits", async () => {
    const { after } = await merged({ own: heavy(8, 8 * kib, "same"), guest: heavy(2, 8 * kib, "same") })
    expect(after.items.map((item: { readonly quantity: number }) => item.quantity)).toEqual([2, 2, 1, 1, 1, 1, 1, 1])
    expect(after.unavailableItemIds).toEqual([])
  })

  it("makes no cart of more than 500 lines", async () => {
    const { coming, after } = await merged({ own: (id) => lines(id, 1, 490), guest: (id) => lines(id, 481, 30) })
    expect([after.items.length, after.itemCount]).toEqual([500, 510])
    expect(after.unavailableItemIds).toEqual(coming.slice(20).map(({ id }) => id))
  })
})
