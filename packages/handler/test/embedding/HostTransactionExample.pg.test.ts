import * as TestDatabase from "@effect-commerce/core/testing/TestDatabase"
import pg from "pg"
import { expect, it } from "vitest"
import { main } from "../../../../examples/host-transaction/main.ts"

it("the example of a host's transaction tells what its README promises", async () => {
  const database = await TestDatabase.open({ template: false })
  const pool = new pg.Pool(database.nodePostgres)
  pool.on("error", () => undefined)
  expect(await main(pool)).toEqual([
    "ada@example.com: a seat and order #1001",
    "ada@example.com: has a seat already",
    "emmy@example.com: a seat and order #1002",
    "sofia@example.com: a seat and no book",
    "2 orders, 0 books left"
  ])
  await pool.end()
  await database.close()
})
