import { Products } from "@effect-commerce/core/product/Products"
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { analyzeGrown } from "@effect-commerce/core/database/TableStatistics"
import { Database } from "@effect-commerce/core/database/Database"
import { joinHostTransaction } from "@effect-commerce/core/host/HostTransaction"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

interface Row {
  readonly index: number
  readonly productId?: string
  readonly error?: { readonly code: string; readonly message: string; readonly details?: unknown }
}

const bulk = async (products: ReadonlyArray<unknown>): Promise<ReadonlyArray<Row>> => {
  const { jobId } = (await shop.call("POST", "/v1/products/bulk", { body: { products } })).body
  const job = async () => (await shop.call("GET", `/v1/products/bulk/${jobId}`)).body
  await expect.poll(async () => (await job()).status, { timeout: 40_000, interval: 25 }).toBe("COMPLETED")
  return (await job()).results
}
const alone = async (body: unknown) => (await shop.call("POST", "/v1/products", { body })).body
const slugOf = async ({ productId }: Row) => (await shop.call("GET", `/v1/products/${productId}`)).body.slug
const ask = (text: string): Promise<ReadonlyArray<Record<string, unknown>>> =>
  shop.run(Effect.flatMap(Database, ({ sql }) => sql.unsafe(text)) as never)

/** What differs between two products that were made of the same body. */
const timeless = (product: Record<string, unknown>): unknown =>
  JSON.parse(
    JSON.stringify(product, (key, value) =>
      ["id", "productId", "slug", "createdAt", "updatedAt", "externalSourceId"].includes(key) ? undefined : value
    )
  )

describe("products of a set", () => {
  it("are what the same bodies make alone: fields, variants, stock, movements, categories, brands, listing and document", async () => {
    const category = (await shop.call("POST", "/v1/categories", { body: { name: "Sets" } })).body.id
    const brand = (await shop.call("POST", "/v1/brands", { body: { name: "Setter" } })).body.id
    const full = {
      status: "active",
      description: "<p>Full</p>",
      basePrice: "10.00",
      salePrice: "8.00",
      costPrice: "2.50",
      salePriceStartsAt: "2026-01-01T00:00:00.000Z",
      salePriceEndsAt: "2036-01-01T00:00:00.000Z",
      shippingWeightValue: 1.5,
      shippingWeightUnit: "kg",
      tags: ["a", 'quote " and \\'],
      images: [{ url: "https://media.example/1.jpg", alt: "One" }],
      translations: { de: { name: "Satz" } },
      categories: [category, category],
      brands: [brand],
      menuOrder: 3
    }
    const bodies = [
      { ...full, name: "Set simple", sku: "S-1", inventory: { total: 3, lowStockThreshold: 1 } },
      {
        ...full,
        name: "Set variable",
        variants: [
          { attributes: { Size: "S" }, price: "9.00", sku: "V-S", inventory: { total: 2 } },
          { attributes: { Size: "L" }, status: "draft" }
        ]
      },
      { name: "Set bare" }
    ]
    const made = await bulk(bodies)
    for (const [i, body] of bodies.entries()) {
      const one = await alone(body)
      const other = (await shop.call("GET", `/v1/products/${made[i]?.productId}`)).body
      expect(timeless(other)).toEqual(timeless(one))
      const rows = (id: string) =>
        ask(`SELECT (to_jsonb(l) - 'product_id' - 'slug' - 'search' - 'created_at' - 'updated_at')::text AS listing,
            length(d.document) AS document, (SELECT count(*)::int FROM stock s WHERE s.product_id = l.product_id) AS stock,
            (SELECT string_agg(m.delta || m.reason, ',' ORDER BY m.delta) FROM stock_movement m
              WHERE m.product_id = l.product_id) AS moved,
            (SELECT count(*)::int FROM product_stale n WHERE n.product_id = l.product_id AND n.cause <> 'stock') AS stale
          FROM product_listing l LEFT JOIN product_document d ON d.product_id = l.product_id
          WHERE l.product_id = '${id}'`)
      const [set, single] = [await rows(other.id), await rows(one.id)]
      const grown = one.slug.length - other.slug.length
      expect(set).toEqual(
        single.map((row) => ({ ...row, document: row["document"] === null ? null : Number(row["document"]) - grown }))
      )
    }
  })

  it("keep their order, in lists by age and in events, and have slugs as if each came after the one before", async () => {
    await alone({ name: "Sequel" })
    await alone({ name: "Sequel 3" })
    await alone({ name: "Folge", translations: { de: { slug: "sequel-4" } } })
    const made = await bulk([
      { name: "Sequel" },
      { name: "Sequel" },
      { name: "Sequel", basePrice: "x" },
      { name: "Sequel", metafields: {} },
      { name: "Named", slug: "prequel" },
      { name: "Prequel" }
    ])
    expect(made.map(({ error }) => error?.code)).toEqual([
      undefined,
      undefined,
      "VALIDATION_FAILED",
      undefined,
      undefined,
      undefined
    ])
    const done = made.filter(({ productId }) => productId !== undefined)
    expect(await Promise.all(done.map(slugOf))).toEqual(["sequel-2", "sequel-5", "sequel-6", "prequel", "prequel-2"])
    const ids = done.map(({ productId }) => productId)
    const list = (await shop.call("GET", "/v1/products?sortBy=createdAt&order=asc&limit=100")).body.data
    expect(list.map(({ id }: { id: string }) => id).filter((id: string) => ids.includes(id))).toEqual(ids)
  })

  it("fail alone for what the store has, with the answer of their own route, wherever they stand", async () => {
    await alone({ name: "Taken", slug: "taken", externalSourceId: "taken-1" })
    const definition = { key: "care", name: "Care", type: "TEXT", required: true }
    expect((await shop.call("POST", "/v1/metafield-definitions", { body: definition })).status).toBe(201)
    const wrong = new Map<number, object>([
      [0, { name: "Twice", slug: "taken" }],
      [7, { name: "Unfiled", categories: ["cat_none"] }],
      [13, { name: "Unclassed", shippingClassId: "shc_none" }],
      [21, { name: "Untaxed", taxClassId: "txc_none" }],
      [22, { name: "Twins", variants: [{ attributes: { A: "1" } }, { attributes: { A: "1" } }] }],
      [31, { name: "Unknown", metafields: { none: 1 } }],
      [33, { name: "Careless", status: "active" }],
      [38, { name: "Unlinked", related: ["prod_none"] }],
      [39, { name: "Kit", type: "KIT", kitComponents: [] }]
    ])
    const made = await bulk(Array.from({ length: 40 }, (_, i) => wrong.get(i) ?? { name: `Around ${i}` }))
    expect(made.flatMap(({ index, error }) => (error === undefined ? [] : [index]))).toEqual([...wrong.keys()])
    for (const [index, body] of wrong) {
      const { code, message } = await alone(body)
      const { error } = made[index] ?? {}
      const unnamed = (text: string | undefined) => text?.replace(/prod_\w+/, "prod_")
      expect([index, error?.code, unnamed(error?.message)]).toEqual([index, code, unnamed(message)])
    }
  })
})

describe("the statements that create a set", () => {
  it("are as many for a hundred products as for two", async () => {
    const statementLog = makeStatementCounter()
    // Without the workers, whose statements would be counted too.
    const quiet = await openTestCommerce({ statementLog, role: "api" })
    const store: StoreContext = await quiet.run(
      Effect.flatMap(Stores, (stores) => stores.context(quiet.storeId)) as never
    )
    const taken = async (count: number, tag: string) => {
      const bodies = Array.from({ length: count }, (_, i) => ({
        name: `${tag} ${i}`,
        variants: [{ attributes: { Size: "S" }, inventory: { total: 1 } }, { attributes: { Size: "L" } }]
      }))
      statementLog.reset()
      const made = await quiet.run(Effect.flatMap(Products, (products) => products.createMany(store, bodies)) as never)
      return [(made as ReadonlyArray<unknown>).length, statementLog.statements().length]
    }
    await taken(2, "Warm")
    expect([await taken(2, "Two"), await taken(100, "Hundred")]).toEqual([
      [2, 10],
      [100, 10]
    ])
    await quiet.close()
  })

  it("look at no more rows with every hundred of products, where tables that have grown are analysed", async () => {
    const one = await openTestCommerce({ role: "api" })
    const client = new pg.Client(one.database.nodePostgres)
    await client.connect()
    /** Rows and entries of indexes that this connection's statements have looked at. */
    const looked = async () => {
      await client.query("SELECT pg_stat_force_next_flush()")
      const { rows } = await client.query(`SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables)::int
        + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)::int AS n`)
      return Number(rows[0]?.["n"])
    }
    const hundred = (tag: number) =>
      Array.from({ length: 100 }, (_, i) => ({
        name: `N ${tag} ${i}`,
        sku: `sku-${tag}-${i}`,
        variants: [{ attributes: { Size: "S" } }]
      }))
    const create = (tag: number) =>
      one.run(
        Effect.gen(function* () {
          const store = yield* (yield* Stores).context(one.storeId)
          const made = (yield* Products).createMany(store, hundred(tag))
          yield* joinHostTransaction(client)(made)
        }) as never
      )
    const lookedFor: Array<number> = []
    for (let i = 0; i < 12; i++) {
      // As a worker does every few seconds.
      await one.run(Database.use(analyzeGrown) as never)
      const before = await looked()
      await client.query("BEGIN")
      await create(i)
      await client.query("COMMIT")
      lookedFor.push((await looked()) - before)
    }
    // By the plans of an empty table it would be as many times more as there are products before.
    expect(lookedFor[11]).toBeLessThan(2 * (lookedFor[1] ?? 0))
    await client.end()
    await one.close()
  })
})
