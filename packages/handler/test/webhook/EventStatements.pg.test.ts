import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

const statements = makeStatementCounter()
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let owner: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ statementLog: statements, role: "api" })
  shopper = shopperOf(shop)
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

/** The statements that write events and nothing else, and the types that were written, of one request. */
const written = async (request: () => Promise<{ readonly status: number }>, status: number) => {
  const last = async () => String((await owner.query("SELECT coalesce(max(seq), 0) AS seq FROM event")).rows[0]?.seq)
  const before = await last()
  statements.reset()
  expect((await request()).status).toBe(status)
  const inserts = statements.statements().filter((text) => text.startsWith("INSERT INTO event ")).length
  const { rows } = await owner.query("SELECT type FROM event WHERE seq > $1 ORDER BY seq", [before])
  return { inserts, types: rows.map(({ type }) => String(type)) }
}

it("a purchase of three products writes its events of several types by one statement", async () => {
  const lines = []
  for (const price of [1_000n, 2_000n, 3_000n]) lines.push([await shopper.product({ price, stock: 9 }), 1] as const)
  const checkoutId = await shopper.checkout(await shopper.cart(...lines))
  const { inserts, types } = await written(() => shopper.complete(checkoutId, "counted"), 200)
  expect(inserts).toBe(1)
  expect(types.filter((type) => type === "inventory.updated")).toHaveLength(3)
  expect(new Set(types).size).toBeGreaterThanOrEqual(3)
})

it("two hundred products that are created at once write their events by one statement", async () => {
  const products = Array.from({ length: 200 }, (_, n) => ({ name: `Lamp ${n}`, basePrice: "1.00" }))
  const { inserts, types } = await written(() => shop.call("POST", "/v1/products/bulk", { body: { products } }), 200)
  expect([inserts, types.filter((type) => type === "product.created").length]).toEqual([1, 200])
})
