/** Low stock: when the merchant is told of it, and how often. */
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let client: InstanceType<typeof pg.Client>
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
beforeEach(() => client.query("DELETE FROM event WHERE type LIKE 'internal.%'"))

const set = (id: string, body: object) => shop.call("PUT", `/v1/products/${id}/inventory`, { body })
// oxlint-disable-next-line typescript/no-explicit-any -- a test reads any field of any event
const eventsOf = async (type: string): Promise<Array<any>> =>
  (await client.query("SELECT data FROM event WHERE type = $1 ORDER BY seq", [type])).rows.map((row) => row["data"])

describe("low stock", () => {
  const low = async () =>
    (await eventsOf("internal.low_stock")).map(({ productId, variantId, available, threshold }) => [
      variantId ?? productId,
      available,
      threshold
    ])
  const make = async (total: number, lowStockThreshold: number | null) => {
    const id = await shopper.product({ stock: total, name: "Lamp" })
    await set(id, { lowStockThreshold })
    return id
  }
  const buy = async (id: string, quantity: number, key: string) => {
    const done = await shopper.complete(await shopper.checkout(await shopper.cart([id, quantity])), key)
    expect(done.status).toBe(200)
  }

  it("has one event each time that stock falls to its threshold: by a sale, an adjustment or a set", async () => {
    const id = await make(6, 3)
    await buy(id, 2, "low-1")
    expect(await low()).toEqual([])
    await buy(id, 1, "low-2")
    expect(await low()).toEqual([[id, 3, 3]])
    await buy(id, 1, "low-3")
    await set(id, { lowStockThreshold: 5 })
    expect((await low()).length).toBe(1)
    await set(id, { total: 9 })
    await shop.call("POST", `/v1/products/${id}/inventory/adjust`, { body: { delta: -5, reason: "damage" } })
    expect(await low()).toEqual([
      [id, 3, 3],
      [id, 4, 5]
    ])
    await set(id, { total: 20 })
    await set(id, { total: 1 })
    expect((await low()).at(-1)).toEqual([id, 1, 5])
  })

  it("is told where a cart holds the last units, and not of what is not counted or has no threshold", async () => {
    await shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_CART" } } })
    const [held, unset] = [await make(4, 2), await make(4, null)]
    const free = await make(4, 2)
    await set(free, { trackingMode: "UNTRACKED" })
    await shopper.cart([held, 2], [unset, 4], [free, 4])
    expect(await low()).toEqual([[held, 2, 2]])
    await shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_PAYMENT" } } })
  })

  it("names the variant, and the component of a kit that is sold", async () => {
    const made = await shop.call("POST", "/v1/products", {
      body: {
        name: "Shirt",
        status: "active",
        type: "VARIABLE",
        basePrice: "10.00",
        variants: [{ attributes: { Size: "S" }, sku: "S-1", inventory: { total: 5, lowStockThreshold: 3 } }]
      }
    })
    const [{ id: small }] = made.body.variants
    const kit = await shop.call("POST", "/v1/products", {
      body: {
        name: "Kit",
        type: "KIT",
        status: "active",
        kitComponents: [{ productId: made.body.id, variantId: small, quantity: 2 }]
      }
    })
    await buy(kit.body.id, 1, "low-kit")
    expect(await eventsOf("internal.low_stock")).toEqual([
      {
        productId: made.body.id,
        variantId: small,
        productName: "Shirt",
        variantName: "S",
        sku: "S-1",
        available: 3,
        threshold: 3
      }
    ])
  })
})
