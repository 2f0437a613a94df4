import { analyzeGrown } from "@effect-commerce/core/database/TableStatistics"
import { Database } from "@effect-commerce/core/database/Database"
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

const statements = makeStatementCounter()
let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
/** Keeps its plans, as a connection of the application does. */
let reader: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ statementLog: statements, role: "api" })
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
  reader = new pg.Client(shop.database.nodePostgres)
  await reader.connect()
})
afterAll(async () => {
  await owner.end()
  await reader.end()
  await shop.close()
})

const literal = (value: unknown): string =>
  Array.isArray(value)
    ? `ARRAY[${value.map(literal).join(",")}]`
    : typeof value === "number" || value === null
      ? String(value)
      : `'${(value instanceof Date ? value.toISOString() : String(value)).replaceAll("'", "''")}'`

/** Rows like those of `where`, each `count` times, with other ids. */
const copy = (table: string, where: string, count: number, changed: string) =>
  owner.query(`INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object(${changed}))).*
    FROM ${table} t, generate_series(1, ${count}) i WHERE ${where}`)

it("a connection that planned the read of a cart while there was one makes a better plan when there are a thousand", async () => {
  const { at, product, cart } = shopperOf(shop)
  for (const table of ["cart", "cart_item", "product", "stock"])
    await owner.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
  const products: Array<string> = []
  for (let i = 0; i < 10; i++) products.push(await product({ stock: 9 }))
  const id = await cart(...products.map((one) => [one, 1] as const))
  statements.reset()
  expect((await shop.call("GET", `${at}/cart/${id}`)).body.items).toHaveLength(10)
  const [read] = statements.entries()
  expect(statements.entries()).toHaveLength(1)
  const asked = `EXECUTE read(${read?.params.map(literal).join(", ")})`
  await reader.query(`PREPARE read AS ${read?.sql}`)
  // From the sixth time on a connection keeps one plan.
  for (let i = 0; i < 7; i++) await reader.query(asked)

  await owner.query("SET session_replication_role = replica")
  await copy("cart", `t.id = '${id}'`, 1_000, "'id', 'cart_' || i, 'session_token', 'cs_' || i")
  await copy("cart_item", `t.cart_id = '${id}'`, 1_000, "'id', t.id || '_' || i, 'cart_id', 'cart_' || i")
  await copy("product", "true", 500, "'id', t.id || '_' || i, 'slug', t.slug || '_' || i")
  await copy("stock", "true", 500, "'key', t.key || '_' || i, 'product_id', t.product_id || '_' || i")
  await owner.query("SET session_replication_role = origin")
  const pagesRead = async () => {
    const { rows } = await reader.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${asked}`)
    const explained = rows[0]?.["QUERY PLAN"] as ReadonlyArray<{ readonly Plan: Record<string, number> }>
    const plan = explained[0]?.Plan ?? {}
    return (plan["Shared Hit Blocks"] ?? Number.NaN) + (plan["Shared Read Blocks"] ?? Number.NaN)
  }
  expect(await pagesRead()).toBeGreaterThan(2_000)
  await shop.run(Effect.flatMap(Database, analyzeGrown) as never)
  expect(await pagesRead()).toBeLessThan(200)
})
