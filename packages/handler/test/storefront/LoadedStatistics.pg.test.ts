import { ProductImports } from "@effect-commerce/core/product/ProductImports"
import { ListingRepair } from "@effect-commerce/core/storefront/ListingRepair"
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

const statements = makeStatementCounter()
const tables = ["product", "product_listing", "product_document", "stock"]
let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ statementLog: statements, role: "api" })
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
  for (const table of tables) await owner.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

/** Pages that the search reads, and the indexes by which it finds products. */
const costOf = async (search: string) => {
  statements.reset()
  const { body } = await shop.call("GET", `/vc/${shop.channelId}/products?search=${search}`)
  const sent = statements.entries().find(({ sql }) => sql.includes("catalog_search"))
  const { rows } = await owner.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sent?.sql}`, [...(sent?.params ?? [])])
  const explained = rows[0]?.["QUERY PLAN"] as ReadonlyArray<{ readonly Plan: Record<string, number> }>
  const plan = explained[0]?.Plan ?? {}
  const indexes = JSON.stringify(plan).match(/product_listing_\w+_idx/g) ?? []
  return {
    total: body.meta.total,
    pages: (plan["Shared Hit Blocks"] ?? Number.NaN) + (plan["Shared Read Blocks"] ?? Number.NaN),
    indexes
  }
}
const rowsKnown = async () => {
  const { rows } = await owner.query("SELECT relname, reltuples FROM pg_class WHERE oid = ANY($1::regclass[])", [
    tables
  ])
  return Object.fromEntries(rows.map(({ relname, reltuples }) => [relname, reltuples]))
}

describe("right after a load", () => {
  it("of thousands of products in bulk PostgreSQL knows how many there are, and a search finds them by its index", async () => {
    const description = "<p>Made to be used every day, by whoever is at home, for as long as there is somebody.</p>"
    for (const thousand of [0, 1, 2]) {
      const products = Array.from({ length: 1_000 }, (_, i) => {
        return { name: `Lamp lamp${thousand}x${i}`, description, basePrice: "10.00", status: "active" }
      })
      expect((await shop.call("POST", "/v1/products/bulk", { body: { products } })).status).toBe(202)
    }
    await shop.run(ProductImports.use((imports) => imports.pass) as never)
    expect(await rowsKnown()).toEqual(Object.fromEntries(tables.map((table) => [table, 3_000])))
    // The first reader passes the marks that the load has made and removed; their entries are skipped from then on.
    await costOf("lamp1x78")
    const { total, pages, indexes } = await costOf("lamp1x77")
    expect(total).toBe(11)
    expect(indexes).toContain("product_listing_search_idx")
    expect(pages).toBeLessThan(1_000)
  })

  it("of products that are composed again after others have written them it knows them too", async () => {
    await owner.query("SET session_replication_role = replica")
    await owner.query(`INSERT INTO product SELECT (jsonb_populate_record(p, jsonb_build_object('id', p.id || '_' || i,
      'slug', p.slug || '_' || i))).* FROM product p, generate_series(1, 1) i`)
    await owner.query("SET session_replication_role = origin")
    await shop.run(Effect.flatMap(ListingRepair, (stale) => stale.rebuild(shop.storeId, () => undefined)) as never)
    expect((await rowsKnown())["product_listing"]).toBe(6_000)
  })
})
