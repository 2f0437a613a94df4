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

it("a purchase writes its events of several types by one statement, of one product or of three", async () => {
  const bought = async (key: string, ...prices: ReadonlyArray<bigint>) => {
    const lines = []
    for (const price of prices) lines.push([await shopper.product({ price, stock: 9 }), 1] as const)
    const checkoutId = await shopper.checkout(await shopper.cart(...lines))
    const { inserts, types } = await written(() => shopper.complete(checkoutId, key), 200)
    const stock = types.filter((type) => type === "inventory.updated").length
    return { inserts, stock, others: new Set(types).size - 1 }
  }
  expect(await bought("counted-1", 1_000n)).toEqual({ inserts: 1, stock: 1, others: 2 })
  expect(await bought("counted-3", 1_000n, 2_000n, 3_000n)).toEqual({ inserts: 1, stock: 3, others: 2 })
})
