import { ProductImports } from "@effect-commerce/core/product/ProductImports"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

it("one row of a store is created before thousands of another that were sent earlier", async () => {
  const other = await shop.openStore()
  const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `Lamp ${i}`, basePrice: "1.00" }))
  for (let i = 0; i < 3; i++)
    expect((await shop.call("POST", "/v1/products/bulk", { body: { products: rows(1_000) } })).status).toBe(202)
  const created = async (storeId: string) =>
    (await owner.query("SELECT count(*)::int AS n FROM product WHERE store_id = $1", [storeId])).rows[0]?.n as number
  const working = shop.run(Effect.flatMap(ProductImports, ({ pass }) => pass) as unknown as Effect.Effect<void>)
  await expect.poll(() => created(shop.storeId), { timeout: 30_000, interval: 1 }).toBeGreaterThan(0)
  const before = await created(shop.storeId)
  expect(before).toBeLessThan(3_000)
  const body = { products: rows(1) }
  expect((await shop.call("POST", "/v1/products/bulk", { key: other.apiKey, body })).status).toBe(202)
  await working
  expect([await created(shop.storeId), await created(other.storeId)]).toEqual([3_000, 1])
  const { rows: order } = await owner.query(
    "SELECT store_id FROM product_import WHERE store_id = ANY($1) ORDER BY finished_at, id",
    [[shop.storeId, other.storeId]]
  )
  expect(order.at(-1)?.store_id).toBe(shop.storeId)
}, 120_000)
