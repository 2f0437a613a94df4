/** Whoever follows `inventory.updated` knows the stock after every request, whatever kind of request it was. */
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let client: InstanceType<typeof pg.Client>
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  shopper = shopperOf(shop)
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

interface Level {
  readonly total: number
  readonly reserved: number
  readonly available: number
}
let seen = 0
/** Events told since the last time: total, reserved and available of each. */
const news = async (id: string) => {
  const { rows } = await client.query(
    "SELECT seq::int AS seq, data FROM event WHERE type = 'inventory.updated' AND data ->> 'productId' = $1 AND seq > $2 ORDER BY seq",
    [id, seen]
  )
  seen = Math.max(seen, ...rows.map((row) => row["seq"] as number))
  return rows.map((row) => {
    const { total, reserved, available } = (row["data"] as { readonly inventory: Level }).inventory
    return [total, reserved, available]
  })
}
const stock = async (id: string) => {
  const { total, reserved, available } = (await shop.call("GET", `/v1/products/${id}/inventory`)).body
  return [total, reserved, available]
}
const strategy = (name: string) =>
  shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: name, minutes: 15 } } })
const items = async (cart: string) =>
  (await shop.call("GET", `${shopper.at}/cart/${cart}`)).body.items as ReadonlyArray<{ readonly id: string }>

/** What `work` made of the product, told in one event that is what is read now. */
const tells = async (id: string, work: () => Promise<unknown>, level: ReadonlyArray<number>) => {
  await work()
  expect(await news(id)).toEqual([level])
  expect(await stock(id)).toEqual(level)
}

describe("stock that moves is told of", () => {
  it("by a set or a bulk of sets, and not by one that leaves every count and mode as it was", async () => {
    const [lamp, vase] = [await shopper.product({ stock: 9 }), await shopper.product({ stock: 4 })]
    const set = (body: object) => shop.call("PUT", `/v1/products/${lamp}/inventory`, { body })
    await news(lamp)
    await tells(lamp, () => set({ total: 8 }), [8, 0, 8])
    expect((await set({ total: 8 })).status).toBe(200)
    expect((await set({ lowStockThreshold: 2, backorderMode: "ALLOW", trackingMode: "TRACKED" })).status).toBe(200)
    expect(await news(lamp)).toEqual([])
    await tells(lamp, () => set({ trackingMode: "DISABLED" }), [8, 0, 8])
    const before = seen
    const items = [
      { productId: lamp, total: 8 },
      { productId: vase, total: 5 }
    ]
    expect((await shop.call("PUT", "/v1/inventory/bulk", { body: { items } })).body.results.length).toBe(2)
    expect(await news(lamp)).toEqual([])
    seen = before
    expect(await news(vase)).toEqual([[5, 0, 5]])
  })

  it("where carts hold it: by each line that comes, changes and goes, by a checkout, a sale and an emptied cart", async () => {
    await strategy("ON_CART")
    const lamp = await shopper.product({ stock: 9 })
    const cart = await shopper.cart()
    const add = (quantity: number, to = cart) =>
      shop.call("POST", `${shopper.at}/cart/${to}/items`, { body: { productId: lamp, quantity } })
    await tells(lamp, () => add(2), [9, 2, 7])
    await tells(lamp, () => add(1), [9, 3, 6])
    const [line] = await items(cart)
    await tells(
      lamp,
      () => shop.call("PATCH", `${shopper.at}/cart/${cart}/items/${line?.id}`, { body: { quantity: 5 } }),
      [9, 5, 4]
    )
    await tells(lamp, () => shop.call("DELETE", `${shopper.at}/cart/${cart}/items/${line?.id}`), [9, 0, 9])
    await tells(lamp, () => add(4), [9, 4, 5])
    await shop.call("GET", `${shopper.at}/cart/${cart}`)
    await shop.call("PATCH", `${shopper.at}/cart/${cart}`, { body: { notes: "nothing of stock" } })
    expect(await news(lamp)).toEqual([])
    const other = await shopper.cart()
    await tells(lamp, () => add(3, other), [9, 7, 2])
    await tells(lamp, () => shop.call("DELETE", `${shopper.at}/cart/${other}`), [9, 4, 5])
    const checkout = await shopper.checkout(cart)
    await news(lamp)
    await tells(lamp, () => shopper.complete(checkout, "held-sale"), [5, 0, 5])
    const lost = await shopper.cart([lamp, 2])
    await news(lamp)
    await tells(
      lamp,
      () => shop.call("POST", `${shopper.at}/reservation/release`, { body: { cartId: lost } }),
      [5, 0, 5]
    )
  })

  it("while a payment is under way: held by the claim, sold by its success, given back by its refusal", async () => {
    await strategy("ON_PAYMENT")
    const lamp = await shopper.product({ stock: 9 })
    const begin = async (key: string, paymentReference: string) => {
      const id = await shopper.checkout(await shopper.cart([lamp, 2]))
      expect(await news(lamp)).toEqual([])
      return shopper.complete(id, key, { paymentMethod: "test", paymentReference })
    }
    expect((await begin("paid", "approve")).status).toBe(200)
    expect(await news(lamp)).toEqual([
      [9, 2, 7],
      [7, 0, 7]
    ])
    expect((await begin("declined", "decline")).status).toBe(422)
    expect(await news(lamp)).toEqual([
      [7, 2, 5],
      [7, 0, 7]
    ])
    expect(await stock(lamp)).toEqual([7, 0, 7])
  })

  it("by a merchant: set, adjusted, set in bulk, and by variants that come and go", async () => {
    const lamp = await shopper.product({ stock: 9 })
    await tells(lamp, () => shop.call("PUT", `/v1/products/${lamp}/inventory`, { body: { total: 6 } }), [6, 0, 6])
    await tells(
      lamp,
      () => shop.call("POST", `/v1/products/${lamp}/inventory/adjust`, { body: { delta: -2, reason: "damage" } }),
      [4, 0, 4]
    )
    await tells(
      lamp,
      () => shop.call("PUT", "/v1/inventory/bulk", { body: { items: [{ productId: lamp, total: 8 }] } }),
      [8, 0, 8]
    )
    const variants = ["S", "M"].map((Size) => ({ attributes: { Size }, inventory: { total: 5 } }))
    const { body: shirt } = await shop.call("POST", "/v1/products", {
      body: { name: "Shirt", basePrice: 1, status: "active", variants }
    })
    const at = `/v1/products/${shirt.id}`
    const [small, medium] = shirt.variants
    await tells(
      shirt.id,
      () => shop.call("POST", `${at}/variants`, { body: { attributes: { Size: "L" }, inventory: { total: 3 } } }),
      [13, 0, 13]
    )
    await tells(
      shirt.id,
      () => shop.call("PATCH", `${at}/variants/${small.id}`, { body: { inventory: { total: 1 } } }),
      [9, 0, 9]
    )
    await tells(
      shirt.id,
      () =>
        shop.call("PATCH", at, {
          body: {
            variants: [
              { id: small.id, inventory: { total: 4 } },
              { id: medium.id, _delete: true },
              { attributes: { Size: "XL" }, inventory: { total: 2 } }
            ]
          }
        }),
      [9, 0, 9]
    )
    await tells(shirt.id, () => shop.call("DELETE", `${at}/variants/${small.id}`), [5, 0, 5])
    await shop.call("PATCH", at, { body: { description: "nothing of stock" } })
    expect(await news(shirt.id)).toEqual([])
  })
})
