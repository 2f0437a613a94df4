/**
 * Every statement of a store names the store of each of its tables, so that it goes to one server where the schema is
 * distributed by store. Taken from what a whole back end sends: a store is filled with one of everything, every
 * operation that reads is called for it, and the workers do what has become due.
 */
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { platformTables } from "@effect-commerce/core/database/PlatformTables"
import { tablesWithoutStore } from "@effect-commerce/core/testservers/StoreStatements"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { routesOf } from "../../src/middleware/routesOf.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { filledPath, fillStore } from "./filledStore.ts"

const log = makeStatementCounter()
let shop: TestCommerce
let tables: ReadonlySet<string>

beforeAll(async () => {
  shop = await openTestCommerce({ statementLog: log })
  const owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
  const { rows } = await owner.query(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
      AND c.relkind IN ('r', 'p') AND c.relname <> ALL ($1::text[])`,
    [platformTables]
  )
  await owner.end()
  tables = new Set(rows.map(({ name }) => String(name)))
})
afterAll(() => shop.close())

/** Statements of workers that are of all stores: how they begin, and why. */
const ofAllStores: ReadonlyArray<readonly [beginning: RegExp, because: string]> = [
  [
    /^SELECT (?:DISTINCT )?(?:\w\.)?store_id FROM /,
    "asks every server for the stores that have work of a kind; the work itself names its store"
  ]
]

it("every statement names the store of each of its tables, but for the listed ones of workers", async () => {
  const at = await shop.openStore()
  const { ids, token } = await fillStore(shop, at)
  const reads = routesOf(Api).filter(({ method, policy }) => method === "GET" && policy.surface !== "open")
  for (const route of reads) {
    const headers = route.policy.customer === "required" ? { authorization: `Bearer ${token}` } : {}
    await shop.call(
      "GET",
      filledPath(route, at, (kind) => ids[kind] ?? "unknown"),
      {
        ...(route.policy.surface === "admin" ? { key: at.apiKey } : {}),
        headers
      }
    )
  }
  await shop.call("POST", "/test/clock", { body: { advanceMs: 90_000_000 } })
  const sent = [...new Set(log.statements().map((text) => text.replaceAll(/\s+/g, " ").trim()))]
  expect(sent.length).toBeGreaterThan(300)
  const bare = sent.flatMap((text) => {
    const missing = tablesWithoutStore(text, tables)
    return missing.length === 0 || ofAllStores.some(([beginning]) => beginning.test(text))
      ? []
      : [`${missing.join()}: ${text}`]
  })
  expect(bare).toEqual([])
})
