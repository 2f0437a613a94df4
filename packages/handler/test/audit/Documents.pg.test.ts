/** The audit of what storefronts are answered of products: every document beside one that is composed of the rows. */
import { Audit } from "@effect-commerce/core/audit/Audit"
import type { Finding } from "@effect-commerce/core/audit/Law"
import { ProductImports } from "@effect-commerce/core/product/ProductImports"
import { Effect, Layer } from "effect"
import { Database } from "@effect-commerce/core/database/Database"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
const count = 401
let ids: ReadonlyArray<string>

const send = async (method: string, path: string, body: object) => {
  const answer = await shop.call(method, path, { body })
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text])
  return answer.body
}
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
  const translations = { de: { name: "Leuchte" } }
  const sale = { salePrice: "1.00", salePriceStartsAt: "2050-01-01T00:00:00Z", salePriceEndsAt: "2050-01-02T00:00:00Z" }
  const lamp = { name: "Lamp", basePrice: "2.00", status: "active", translations, ...sale }
  for (let at = 0; at < count; at += 100) {
    const products = Array.from({ length: Math.min(100, count - at) }, () => lamp)
    await send("POST", "/v1/products/bulk", { products })
  }
  await shop.run(ProductImports.use((imports) => imports.pass) as unknown as Effect.Effect<void>)
  ids = (await owner.query("SELECT id FROM product ORDER BY id")).rows.map(({ id }) => String(id))
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

const audit = async () => {
  const findings: Array<Finding> = []
  const steps: Array<readonly [number, number]> = []
  const run = Effect.flatMap(Audit, (audited) =>
    audited.run({
      tell: (found) => Effect.sync(() => void findings.push(...found)),
      documents: (done, all) => void steps.push([done, all])
    })
  )
  const over = Audit.layer.pipe(Layer.provide(Database.layer(shop.database.connection)))
  await Effect.runPromise(Effect.provide(run, over))
  return { findings, steps }
}
const law = {
  law: "listing.text",
  says: "storefronts are answered what the rows of a product say",
  table: "product_document"
}
/** What the audit says while one of the documents is another one. */
const spoilt = async (id: string | undefined, change: string) => {
  await owner.query("BEGIN")
  const { rowCount } = await owner.query(
    `CREATE TABLE kept AS SELECT * FROM product_document WHERE product_id = '${id}'`
  )
  await owner.query(`UPDATE product_document SET ${change} WHERE product_id = '${id}' AND product_id IN (SELECT product_id
    FROM kept)`)
  await owner.query("COMMIT")
  const { findings } = await audit()
  await owner.query(`UPDATE product_document d SET document = k.document, stock_keys = k.stock_keys FROM kept k
    WHERE k.product_id = d.product_id; DROP TABLE kept`)
  expect(rowCount).toBe(1)
  return findings
}

describe("the audit", () => {
  it("compares every document with what the rows say, in chunks, and has nothing to say of those that agree", async () => {
    expect(await audit()).toEqual({
      findings: [],
      steps: [
        [200, 401],
        [400, 401],
        [401, 401]
      ]
    })
  })

  it.each([
    ["a word", 0, `document = replace(document, '"slug":"lamp', '"slug":"lump')`, "lamp", "lump"],
    ["a text of one language", 200, `document = replace(document, '"Leuchte"', '"Lampe"')`, "Leuchte", "Lampe"],
    [
      "a price of a sale that is to come",
      400,
      `document = replace(document, '"salePrice":"100"', '"salePrice":"101"')`,
      `"100"`,
      `"101"`
    ],
    ["the rows of stock", 1, "stock_keys = '{prod_else}'", "prod_", "prod_else"]
  ])("tells where a document has %s otherwise", async (_, at, change, expected, found) => {
    const told = await spoilt(ids[at], change)
    expect(told).toEqual([
      { ...law, storeId: shop.storeId, id: ids[at], expected: expect.any(String), found: expect.any(String) }
    ])
    expect([told[0]?.expected, told[0]?.found]).toEqual([
      expect.stringContaining(expected),
      expect.stringContaining(found)
    ])
  })

  it("says nothing of a document that is only written otherwise, nor of one that is about to be composed", async () => {
    const { id } = await send("POST", "/v1/categories", { name: "Gone" })
    await send("PATCH", `/v1/products/${ids[5]}`, { categories: [id] })
    // The document names the category still; nobody is shown it.
    await shop.call("DELETE", `/v1/categories/${id}`)
    await owner.query("DELETE FROM product_stale")
    expect((await audit()).findings).toEqual([])
    await owner.query("UPDATE product SET description = 'Old hand' WHERE id = $1", [ids[7]])
    expect((await audit()).findings).toEqual([])
  })
})
