import { waitedFor } from "@effect-commerce/core/testing/LockWaits"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const definitions = "/v1/metafield-definitions"
const define = async (key: string, type: string) =>
  (await shop.call("POST", definitions, { body: { name: key, key, type } })).body.id as string
const product = async () =>
  (await shop.call("POST", "/v1/products", { body: { name: "Table", basePrice: "1.00" } })).body.id as string
const put = (id: string, values: object, source?: string) =>
  shop.call("PUT", `/v1/products/${id}/metafields`, {
    body: { values, ...(source === undefined ? {} : { source }) }
  })
const valuesOf = async (id: string) => (await shop.call("GET", `/v1/products/${id}/metafields`)).body.values

describe("at once", () => {
  it("two writers of one product both keep what they wrote, and two platforms make one conflict each", async () => {
    const ids = [await define("care", "TEXT"), await define("size", "NUMBER")]
    for (let i = 0; i < 10; i++) {
      const table = await product()
      const both = await Promise.all([put(table, { care: `wool ${i}` }), put(table, { size: i })])
      expect(both.map(({ status }) => status)).toEqual([200, 200])
      expect(await valuesOf(table)).toEqual({ care: `wool ${i}`, size: i })
      await Promise.all(["a", "b", "a"].map((source) => put(table, { care: `silk ${i}` }, source)))
      const { body } = await shop.call("GET", "/v1/metafield-conflicts?status=PENDING&limit=100")
      const open = body.filter((one: { productId: string }) => one.productId === table)
      expect(open.map((one: { sourcePlatform: string }) => one.sourcePlatform).sort()).toEqual(["a", "b"])
    }
    for (const id of ids) await shop.call("DELETE", `${definitions}/${id}?force=true`)
  })

  it("a value is written before its definition is deleted or retyped, or not at all", async () => {
    for (let i = 0; i < 20; i++) {
      const table = await product()
      const id = await define("care", "TEXT")
      const gone = i % 2 === 0
      const change = gone
        ? shop.call("DELETE", `${definitions}/${id}?force=true`)
        : shop.call("PATCH", `${definitions}/${id}`, { body: { type: "NUMBER" } })
      const [changed, written] = await Promise.all([change, put(table, { care: "wool" })])
      const after = await valuesOf(table)
      if (gone) {
        expect([changed.status, after]).toEqual([200, {}])
        expect([200, 400]).toContain(written.status)
      } else {
        // The one who came first decides; never a text under a definition of numbers.
        expect([[changed.status, written.status].sort(), Object.keys(after).length]).toEqual(
          written.status === 200 ? [[200, 409], 1] : [[200, 400], 0]
        )
        await shop.call("DELETE", `${definitions}/${id}?force=true`)
      }
    }
  })

  it("a definition that becomes filterable does not wait for a writer of its values who waits for it", async () => {
    const [id, table] = [await define("grain", "TEXT"), await product()]
    await put(table, { grain: "fine" })
    const writer = new pg.Client(shop.database.nodePostgres)
    await writer.connect()
    await writer.query("SET lock_timeout = '500ms'")
    await writer.query("BEGIN")
    await writer.query("SELECT 1 FROM product WHERE id = $1 FOR NO KEY UPDATE", [table])
    const change = shop.call("PATCH", `${definitions}/${id}`, { body: { filterable: true } })
    await waitedFor(writer)
    const { rows } = await writer.query("SELECT filterable FROM metafield_definition WHERE id = $1 FOR SHARE", [id])
    await writer.query("COMMIT")
    await writer.end()
    expect([rows[0]?.filterable, (await change).status]).toEqual([true, 200])
  })
})
