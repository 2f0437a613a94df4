/** What lists keep of kits, beside the same worked out of the rows: prices and stock change without a write of the kit. */
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let client: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce()
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

const make = async (body: object) => {
  const made = await shop.call("POST", "/v1/products", { body: { name: "Thing", status: "active", ...body } })
  if (made.status !== 201) throw new Error(made.text)
  return made.body
}
const patch = (id: string, body: object) => shop.call("PATCH", `/v1/products/${id}`, { body })
interface Listed {
  readonly base: number
  readonly price: number
  readonly since: number
  readonly until: number
}
const listing = async (id: string): Promise<Listed | undefined> =>
  (
    await client.query(
      "SELECT base_price::int AS base, price::int, extract(epoch FROM price_since)::float8 * 1000 AS since, extract(epoch FROM price_until)::float8 * 1000 AS until FROM product_listing WHERE product_id = $1",
      [id]
    )
  ).rows[0] as Listed | undefined
const priceAt = async (id: string, at: Date) =>
  (await client.query("SELECT kit_price_at($1, $2, $3)::int AS price", [shop.storeId, id, at])).rows[0]?.price
const shownAt = async (id: string) => (await shop.call("GET", `/vc/${shop.channelId}/products/${id}`)).body

describe("the listing row of a kit that its components price", () => {
  it("is composed anew with each change of a component, of its variants, and where it is deleted", async () => {
    const a = (await make({ basePrice: "10.00" })).id
    const tee = await make({
      type: "VARIABLE",
      basePrice: "20.00",
      variants: [{ attributes: { Size: "S" } }, { attributes: { Size: "M" } }]
    })
    const [small] = tee.variants
    const kit = (
      await make({
        type: "KIT",
        kitPricingMode: "COMPONENTS",
        kitDiscountValue: 10,
        kitComponents: [
          { productId: a, quantity: 3 },
          { productId: tee.id, variantId: small.id, quantity: 1 }
        ]
      })
    ).id
    // Who writes a component locks no kit: whoever reads the kit next has it composed first.
    const price = async () => {
      await shownAt(kit)
      return (await listing(kit))?.price
    }
    expect(await price()).toBe(4_500)
    await patch(a, { basePrice: "11.00" })
    expect(await price()).toBe(4_770)
    await shop.call("PATCH", `/v1/products/${tee.id}/variants/${small.id}`, { body: { price: "30.00" } })
    expect(await price()).toBe(5_670)
    await patch(tee.id, { variants: [{ id: small.id, price: "21.00" }] })
    expect(await price()).toBe(4_860)
    const stale = async () =>
      (await client.query("SELECT count(*)::int AS n FROM product_stale WHERE product_id = $1", [kit])).rows[0]?.n
    expect(await stale()).toBe(0)
    expect((await shop.call("DELETE", `/v1/products/${a}`)).status).toBe(200)
    expect((await shownAt(kit)).inventory.canPurchase).toBe(false)
  })

  it("holds from one beginning or end of a component's sale to the next, and between them SQL and views agree", async () => {
    const now = Date.now()
    const hour = 3_600_000
    const time = (hours: number) => new Date(now + hours * hour).toISOString()
    const sale = (from: number, to: number, salePrice: string) => ({
      basePrice: "10.00",
      salePrice,
      salePriceStartsAt: time(from),
      salePriceEndsAt: time(to)
    })
    const parts = [await make(sale(1, 3, "8.00")), await make(sale(2, 4, "7.99")), await make({ basePrice: "0.99" })]
    const kit = (
      await make({
        type: "KIT",
        kitPricingMode: "COMPONENTS",
        kitDiscountValue: "33.33",
        kitComponents: parts.map(({ id }, i) => ({ productId: id, quantity: i + 1 }))
      })
    ).id
    // 10.00 + 2 x 10.00 + 3 x 0.99 = 32.97, less 33.33 %; then with 8.00, with 2 x 7.99, and with the second alone.
    const expected = [2_198, 2_065, 1_797, 1_930, 2_198]
    const row = await listing(kit)
    expect(row).toEqual({ base: 2_198, price: 2_198, since: -Infinity, until: Date.parse(time(1)) })
    for (const [i, price] of expected.entries())
      expect([i, await priceAt(kit, new Date(now + (i + 0.5) * hour))]).toEqual([i, price])
    for (const [i, price] of expected.entries()) {
      if (i === 0) continue
      await shop.call("POST", "/test/clock", { body: { advanceMs: (i === 1 ? 1.5 : 1) * hour } })
      const view = await shownAt(kit)
      expect([i, view.priceMin]).toEqual([i, (price / 100).toFixed(2)])
      const cents = (price / 100).toFixed(2)
      const found = await shop.call("GET", `/vc/${shop.channelId}/products?minPrice=${cents}&maxPrice=${cents}`)
      expect(found.body.data.map(({ id }: { id: string }) => id)).toContain(kit)
    }
  })
})
