import { ProductImports } from "@effect-commerce/core/product/ProductImports"
import { Database } from "@effect-commerce/core/database/Database"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, runWith, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const send = (products: ReadonlyArray<unknown>, options: object = {}) =>
  shop.call("POST", "/v1/products/bulk", { body: { products }, ...options })
const job = async (id: string) => (await shop.call("GET", `/v1/products/bulk/${id}`)).body
/** Waits for the background work. */
const finished = async (id: string) => {
  await expect.poll(async () => (await job(id)).status, { timeout: 40_000, interval: 25 }).toBe("COMPLETED")
  return job(id)
}
const countOf = async (search: string) => (await shop.call("GET", `/v1/products?search=${search}`)).body.meta.total

describe("products sent in bulk", () => {
  it("are taken at once and created one by one; a row that breaks a rule fails alone, with the words its own route would use", async () => {
    const sent = await send([
      { name: "Bulk lamp", basePrice: "5.00", inventory: { total: 3 }, externalSourceId: "ext-1" },
      { basePrice: "5.00" },
      { name: "Bulk sofa", basePrice: "5.001" },
      { name: "Bulk twin", externalSourceId: "ext-1" },
      "no product",
      null,
      { name: "Bulk desk", type: "VARIABLE", variants: [{ name: "Oak", attributes: { Wood: "Oak" }, price: "9.00" }] }
    ])
    expect(sent.status).toBe(202)
    expect([sent.body.accepted, sent.body.skipped]).toEqual([7, []])
    const { results, ...done } = await finished(sent.body.jobId)
    expect(done).toEqual({ status: "COMPLETED", processed: 7, succeeded: 2, failed: 5 })
    const refused = results.filter((row: { error?: unknown }) => row.error !== undefined)
    expect(
      refused.map(({ index, error }: { index: number; error: { code: string; message: string } }) => [
        index,
        error.code,
        error.message
      ])
    ).toEqual([
      [1, "VALIDATION_FAILED", "Invalid request: name: is required"],
      [2, "VALIDATION_FAILED", "Invalid request: basePrice: USD has 2 fraction digits"],
      [3, "CONFLICT", "Another product has the external source id ext-1"],
      [4, "VALIDATION_FAILED", "Invalid request: product: must be an object"],
      [5, "VALIDATION_FAILED", "Invalid request: product: must be an object"]
    ])
    const lamp = (await shop.call("GET", `/v1/products/${results[0].productId}`)).body
    expect([lamp.name, lamp.basePrice, lamp.inventory.total]).toEqual(["Bulk lamp", "5.00", 3])
    expect((await shop.call("GET", `/v1/products/${results[6].productId}`)).body.variants[0].price).toBe("9.00")
    expect(await countOf("Bulk")).toBe(2)
  })

  it("have results that an earlier release has stored; one that cannot be read is an error of ours and spoils no other", async () => {
    const sent = await send([{ basePrice: "5.00" }, { basePrice: "6.00" }])
    await finished(sent.body.jobId)
    const store = (index: number, error: object) =>
      shop.run(
        Effect.flatMap(Database, ({ sql, write }) =>
          write(shop.storeId)(
            sql`UPDATE product_import_row SET error = ${JSON.stringify(error)}::jsonb
              WHERE store_id = ${shop.storeId} AND import_id = ${sent.body.jobId} AND index = ${index}`
          )
        ) as unknown as Effect.Effect<void>
      )
    await store(0, { _tag: "ProductExternalIdTaken", externalSourceId: "ext-9", since: "removed" })
    await store(1, { _tag: "ProductExternalIdTaken", id: "ext-9" })
    const { results, ...done } = await job(sent.body.jobId)
    expect(done).toEqual({ status: "COMPLETED", processed: 2, succeeded: 0, failed: 2 })
    expect(results).toEqual([
      {
        index: 0,
        error: {
          code: "CONFLICT",
          message: "Another product has the external source id ext-9",
          details: { externalSourceId: "ext-9" }
        }
      },
      { index: 1, error: { code: "INTERNAL_SERVER_ERROR", message: "Internal server error" } }
    ])
  })

  it("can be asked about for thirty days after the last was created", async () => {
    const sent = await send([{ name: "Kept chair" }])
    await finished(sent.body.jobId)
    const sweep = () => runWith(shop.commerce, ProductImports.use((imports) => imports.sweep) as Effect.Effect<void>)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 30 * 86_400_000 - 60_000 } })
    await sweep()
    expect((await shop.call("GET", `/v1/products/bulk/${sent.body.jobId}`)).status).toBe(200)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 120_000 } })
    await sweep()
    expect((await shop.call("GET", `/v1/products/bulk/${sent.body.jobId}`)).status).toBe(404)
  })

  it("are left out where their external id is there already, so that a batch can be sent again", async () => {
    const batch = [
      { name: "Again one", externalSourceId: "again-1" },
      { name: "Again two", externalSourceId: "again-2" }
    ]
    const first = await send(batch)
    const { results } = await finished(first.body.jobId)
    const second = await send([...batch, { name: "Again three", externalSourceId: "again-3" }])
    expect([second.body.accepted, second.body.skipped]).toEqual([
      1,
      [
        { index: 0, externalSourceId: "again-1", productId: results[0].productId },
        { index: 1, externalSourceId: "again-2", productId: results[1].productId }
      ]
    ])
    expect((await finished(second.body.jobId)).results.map((row: { index: number }) => row.index)).toEqual([2])
    const third = await send(batch)
    expect([third.body.accepted, (await job(third.body.jobId)).status]).toEqual([0, "COMPLETED"])
    expect(await countOf("Again")).toBe(3)
  })

  it("are a thousand at most and one at least, up to 10 MiB, and one key sends them once", async () => {
    const many = Array.from({ length: 1_001 }, () => ({}))
    for (const products of [many, []]) {
      const { status, body } = await send(products)
      expect([status, body.code, Object.keys(body.details.errors)]).toEqual([400, "VALIDATION_FAILED", ["products"]])
    }
    const large = await send([{ name: "Once", description: "x".repeat(2_000_000) }], {
      headers: { "idempotency-key": "once" }
    })
    const again = await send([{ name: "Once", description: "x".repeat(2_000_000) }], {
      headers: { "idempotency-key": "once" }
    })
    expect([large.status, again.body]).toEqual([202, large.body])
    const { results } = await finished(large.body.jobId)
    expect(results[0].error.message).toBe("Invalid request: description: must have at most 100000 characters")
    const unknown = await shop.call("GET", "/v1/products/bulk/job_none")
    expect([unknown.status, unknown.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  it("announce each product as it is created, and leave no row behind that waits", async () => {
    const sent = await send([{ name: "Told one" }, { name: "Told two" }])
    const { results } = await finished(sent.body.jobId)
    const ids = results.map((row: { productId: string }) => row.productId)
    const told = (await shop.run(
      Effect.flatMap(
        Database,
        ({ sql }) =>
          sql`SELECT data ->> 'productId' AS id FROM event WHERE type = 'product.created' AND data ->> 'productId' = ANY(${ids}::text[]) ORDER BY seq`
      ) as never
    )) as ReadonlyArray<{ readonly id: string }>
    expect(told.map(({ id }) => id)).toEqual(ids)
  })
})

describe("workers of two processes", () => {
  it("that settle the last rows of a job at the same moment have finished it", async () => {
    const jobs: Array<string> = []
    for (let i = 0; i < 15; i++) jobs.push((await send([{ name: `Pair ${i} a` }, { name: `Pair ${i} b` }])).body.jobId)
    const passes = Effect.flatMap(ProductImports, ({ pass }) =>
      Effect.all([pass, pass, pass], { concurrency: 3, discard: true })
    )
    await shop.run(passes as unknown as Effect.Effect<void>)
    expect(new Set(await Promise.all(jobs.map(async (id) => (await finished(id)).status)))).toEqual(
      new Set(["COMPLETED"])
    )
    const open = await shop.run(
      Effect.flatMap(
        Database,
        ({ sql }) => sql`SELECT id FROM product_import WHERE finished_at IS NULL`
      ) as unknown as Effect.Effect<unknown>
    )
    expect(open).toEqual([])
  })
})
