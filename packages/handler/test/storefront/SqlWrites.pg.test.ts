/**
 * Products that somebody else's SQL has written, such as a host's or an import's: nothing composes them in the
 * transaction that writes them, and storefronts are answered what the rows say all the same.
 */
import { DocumentChecks } from "@effect-commerce/core/storefront/DocumentChecks"
import { Products } from "@effect-commerce/core/product/Products"
import { ListingRepair } from "@effect-commerce/core/storefront/ListingRepair"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { Stores } from "@effect-commerce/core/store/Stores"
import * as TestDatabase from "@effect-commerce/core/testing/TestDatabase"
import { Effect } from "effect"
import pg from "pg"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Commerce, createCommerce } from "../../src/createCommerce.ts"
import { runWith } from "../../src/testing/TestCommerce.ts"

let database: Awaited<ReturnType<typeof TestDatabase.open>>
let client: InstanceType<typeof pg.Client>
let commerce: Commerce | undefined
let channelId = ""

beforeEach(async () => {
  database = await TestDatabase.open()
  client = new pg.Client(database.nodePostgres)
  await client.connect()
})
afterEach(async () => {
  await commerce?.close()
  commerce = undefined
  await client.end()
  await database.close()
})

const query = async (sql: string, values: ReadonlyArray<unknown> = []) => (await client.query(sql, [...values])).rows

/** A store, served by a process whose worker composes nothing. */
const serve = async () => {
  await query(`INSERT INTO account (id, name, created_at) VALUES ('acct', 'a', '2026-01-01');
    INSERT INTO store (id, account_id, name, currency, country, created_at, updated_at)
    VALUES ('old', 'acct', 'Old', 'USD', 'US', '2026-01-01', '2026-01-01')`)
  const secret = TestDatabase.testSecret
  commerce = await createCommerce({
    database: { connection: database.connection },
    secret,
    role: "api",
    rateLimit: { perMinute: "off" }
  })
  const channel = SalesChannels.use((channels) => channels.create("old", { name: "Storefront" }))
  channelId = (await run(channel as unknown as Effect.Effect<{ readonly id: string }>)).id
}

const run = <A>(effect: Effect.Effect<A, unknown, unknown>) => runWith(commerce!, effect as unknown as Effect.Effect<A>)

const finish = () => run(ListingRepair.use((stale) => stale.finish(undefined, () => undefined)))

/** As the application's role. */
const bySql = (sql: string) =>
  query(`BEGIN; SET LOCAL ROLE commerce_app; SELECT set_config('app.store_id', 'old', true); ${sql}; COMMIT`)

const read = async (path: string, language?: string) => {
  const headers = language === undefined ? {} : { "accept-language": language }
  const request = new Request(`http://commerce.test/api/vc/${channelId}${path}`, { headers })
  const response = await commerce!.fetch(request, { clientAddress: "127.0.0.1" })
  return response.text()
}
const found = async (asked: string) => {
  const { data } = JSON.parse(await read(`/products?${asked}`)) as { readonly data: ReadonlyArray<{ id: string }> }
  return data.map(({ id }) => id)
}
const idBySlug = async (slug: string) => JSON.parse(await read(`/products/slug/${encodeURIComponent(slug)}`)).id

const fromRows = (id: string, languages: ReadonlyArray<string>) =>
  run(
    Effect.gen(function* () {
      const store = yield* (yield* Stores).context("old")
      const product = yield* (yield* Products).get(store, { id }, "storefront", { channelId, languages })
      return JSON.stringify(product)
    })
  )

/** Exactly these products are shown, in this order, each as its rows say, in every language. */
const shows = async (ids: ReadonlyArray<string>) => {
  for (const languages of [[], ["de"]]) {
    const expected = await Promise.all(ids.map((id) => fromRows(id, languages)))
    const meta = { page: 1, limit: 20, total: ids.length, totalPages: Math.ceil(ids.length / 20) }
    expect(await read("/products", languages[0])).toBe(
      `{"data":[${expected.join(",")}],"meta":${JSON.stringify(meta)}}`
    )
    for (const [i, id] of ids.entries()) expect(await read(`/products/${id}`, languages[0])).toBe(expected[i])
  }
  const checks = DocumentChecks.use(({ different }) => different("old", 10))
  expect(await run(Effect.provide(checks, DocumentChecks.layer))).toEqual([])
}

const written = `
  INSERT INTO category (store_id, id, name, slug, created_at, updated_at)
    VALUES ('old', 'cat_1', 'Leuchten', 'leuchten', '2026-01-01', '2026-01-01');
  INSERT INTO product (store_id, id, type, status, name, slug, description, base_price, sale_price, sale_price_starts_at,
      sale_price_ends_at, translations, tags, search, created_at, updated_at) VALUES
    ('old', 'prod_1', 'SIMPLE', 'active', 'Desk lamp', 'lamp', 'Bright', 2000, 1500, '2020-01-01', '2090-01-01',
      '{"de": {"name": "Tischlampe", "slug": "tischlampe"}}', '{office}', 'desk lamp', '2026-01-01', '2026-01-02'),
    ('old', 'prod_2', 'VARIABLE', 'active', 'Rug', 'rug', NULL, 1000, NULL, NULL, NULL, '{}', '{}', 'rug', '2026-01-03',
      '2026-01-03'),
    ('old', 'prod_3', 'SIMPLE', 'draft', 'Draft', 'draft', NULL, 100, NULL, NULL, NULL, '{}', '{}', 'draft', '2026-01-04',
      '2026-01-04'),
    ('old', 'prod_4', 'SIMPLE', 'active', 'Gone', 'gone', NULL, 100, NULL, NULL, NULL, '{}', '{}', 'gone', '2026-01-05',
      '2026-01-05');
  UPDATE product SET deleted_at = '2026-01-06' WHERE id = 'prod_4';
  INSERT INTO product_variant (store_id, id, product_id, name, attributes, price, created_at, updated_at) VALUES
    ('old', 'var_1', 'prod_2', 'Small', '{"Size": "S"}', 1200, '2026-01-03', '2026-01-03'),
    ('old', 'var_2', 'prod_2', 'Large', '{"Size": "L"}', 900, '2026-01-03', '2026-01-03');
  INSERT INTO product_category (store_id, product_id, category_id, position) VALUES ('old', 'prod_1', 'cat_1', 1);
  INSERT INTO stock (store_id, key, product_id, variant_id, total, updated_at) VALUES
    ('old', 'prod_1', 'prod_1', NULL, 3, '2026-01-01'), ('old', 'var_1', 'prod_2', 'var_1', 0, '2026-01-01'),
    ('old', 'var_2', 'prod_2', 'var_2', 1, '2026-01-01')`

describe("products that SQL has written", () => {
  it.each([
    ["before a worker has composed anything", false],
    ["once everything is composed", true]
  ])("are shown, listed and found as their rows say, %s", async (_, isFinished) => {
    await serve()
    await query(written)
    if (isFinished) expect(await finish()).toBe(4)
    await shows(["prod_1", "prod_2"])
    expect([await found("search=lamp"), await found("search=leuchten"), await found("search=office")]).toEqual([
      ["prod_1"],
      ["prod_1"],
      ["prod_1"]
    ])
    expect([await found("category=leuchten"), await found("inStock=true"), await found("maxPrice=9.00")]).toEqual([
      ["prod_1"],
      ["prod_1", "prod_2"],
      ["prod_2"]
    ])
    expect([await idBySlug("rug"), await idBySlug("tischlampe"), await idBySlug("gone")]).toEqual([
      "prod_2",
      "prod_1",
      undefined
    ])
  })

  it("are shown at once as they are after each change", async () => {
    await serve()
    await query(written)
    await finish()
    await shows(["prod_1", "prod_2"])
    await bySql(
      "UPDATE product SET name = 'Standing lamp', search = 'standing lamp', menu_order = 5 WHERE id = 'prod_1'"
    )
    await shows(["prod_2", "prod_1"])
    expect([await found("search=standing"), await found("search=desk")]).toEqual([["prod_1"], []])
    await bySql("UPDATE product_variant SET price = 800 WHERE id = 'var_1'")
    await bySql("UPDATE category SET name = 'Lichter', slug = 'lichter' WHERE id = 'cat_1'")
    await bySql(`INSERT INTO product_category (store_id, product_id, category_id, position)
      VALUES ('old', 'prod_2', 'cat_1', 1)`)
    await shows(["prod_2", "prod_1"])
    expect([await found("search=lichter"), await found("category=lichter")]).toEqual([
      ["prod_2", "prod_1"],
      ["prod_2", "prod_1"]
    ])
    await bySql("UPDATE stock SET total = 0 WHERE key = 'var_2'")
    expect(await found("inStock=true")).toEqual(["prod_1"])
    await bySql(`INSERT INTO product (store_id, id, status, name, slug, base_price, search, created_at, updated_at)
      VALUES ('old', 'prod_5', 'active', 'Vase', 'vase', 500, 'vase', '2026-02-01', '2026-02-01')`)
    await bySql("UPDATE product SET status = 'active' WHERE id = 'prod_3'")
    await bySql("UPDATE product SET deleted_at = now() WHERE id = 'prod_1'")
    await shows(["prod_2", "prod_3", "prod_5"])
    expect([await idBySlug("vase"), await idBySlug("lamp"), await found("search=lamp")]).toEqual([
      "prod_5",
      undefined,
      []
    ])
    await bySql("DELETE FROM product_variant WHERE id = 'var_2'")
    await shows(["prod_2", "prod_3", "prod_5"])
  })
})

describe("slugs by language that SQL has written", () => {
  const slug = (id: string, slugs: Record<string, unknown>) =>
    `UPDATE product SET translations = '${JSON.stringify(
      Object.fromEntries(Object.entries(slugs).map(([locale, one]) => [locale, { name: "x", slug: one }]))
    )}' WHERE id = '${id}'`
  const products = [1, 2, 3, 4, 5]
    .map(
      (i) => `INSERT INTO product (store_id, id, status, name, slug, base_price, created_at, updated_at)
      VALUES ('old', 'prod_${i}', 'active', 'Product ${i}', 'p${i}', 500, '2026-01-0${i}', '2026-01-0${i}')`
    )
    .join(";")

  it("find their product at once, and are free again where it is deleted", async () => {
    await serve()
    await query(products)
    await query(slug("prod_1", { de: "lampe" }))
    await finish()
    await bySql(slug("prod_1", { de: "leuchte", fr: "lampe" }))
    await bySql(slug("prod_2", { DE: "Teppich", fr: "lampe" }))
    expect(await Promise.all(["leuchte", "lampe", "Teppich"].map(idBySlug))).toEqual(["prod_1", "prod_1", "prod_2"])
    await bySql("UPDATE product SET deleted_at = now() WHERE id = 'prod_1'")
    await bySql(slug("prod_3", { fr: "lampe" }))
    expect(await Promise.all(["leuchte", "lampe"].map(idBySlug))).toEqual([undefined, "prod_3"])
    expect(await query("SELECT slug, locale, product_id FROM product_slug ORDER BY slug, locale")).toEqual([
      { slug: "Teppich", locale: "de", product_id: "prod_2" },
      { slug: "lampe", locale: "fr", product_id: "prod_3" }
    ])
  })
})
