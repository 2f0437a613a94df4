import { ProductImports } from "@effect-commerce/core/product/ProductImports"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({
    role: "api",
    reach: async ({ connection, nodePostgres }) => {
      owner = new pg.Client(nodePostgres)
      await owner.connect()
      const { rows } = await owner.query("SELECT current_database() AS name")
      await owner.query(`ALTER DATABASE ${rows[0]?.name} SET track_functions = 'all'`)
      for (const table of ["product_variant", "stock"])
        await owner.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
      return { connection }
    }
  })
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

it("in a new store, products of one call are each asked whether their own variants can be bought, not those of all", async () => {
  const products = Array.from({ length: 600 }, (_, i) => ({
    name: `Shirt ${i}`,
    basePrice: "9.00",
    status: "active",
    variants: ["S", "L"].map((size) => ({ attributes: { size }, inventory: { total: 1 } }))
  }))
  const { body } = await shop.call("POST", "/v1/products/bulk", { body: { products } })
  await shop.run(ProductImports.use((imports) => imports.pass) as never)
  expect((await shop.call("GET", `/v1/products/bulk/${body.jobId}`)).body.succeeded).toBe(600)
  // The application's sessions say what they have called when they end, which is after their connections are closed.
  await shop.commerce.close()
  const sessions = async () => {
    const { rows } = await owner.query(
      "SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() " +
        "AND backend_type = 'client backend'"
    )
    return rows[0]?.open
  }
  await expect.poll(sessions, { timeout: 10_000 }).toBe(0)
  const { rows } = await owner.query(
    "SELECT sum(calls)::int AS calls FROM pg_stat_user_functions WHERE funcname = 'stock_sells_at'"
  )
  expect(rows[0]?.calls).toBeGreaterThanOrEqual(600)
  expect(rows[0]?.calls).toBeLessThanOrEqual(1_200)
})
