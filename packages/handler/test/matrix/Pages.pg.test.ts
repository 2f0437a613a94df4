/**
 * What a page of a list costs: PostgreSQL is asked how it ran the very statements of each list (EXPLAIN ANALYZE with
 * the values they were sent with), and the rows it took from the tables that dress a row are counted.
 */
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

const statements = makeStatementCounter()
let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>

/** Rows of every list: six pages of twenty. */
const rows = 120

beforeAll(async () => {
  shop = await openTestCommerce({ statementLog: statements, role: "api" })
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
  await fillCatalogue()
  await fillBrands()
  await fillOrders()
  await fillZones()
  await fillDeliveries()
  await owner.query("VACUUM (ANALYZE)")
  // As in a shop of many thousand rows, where no table is read whole for a few of them.
  await owner.query(
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_bitmapscan = off"
  )
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

/** `i` counts from 1. */
const fill = (text: string) => owner.query(`${text} FROM generate_series(1, ${rows}) AS i`, [shop.storeId])
const numbered = (prefix: string) => `'${prefix}' || lpad(i::text, 3, '0')`

/** Products of two variants, each in a category of its own. */
const fillCatalogue = async () => {
  await fill(`INSERT INTO product (store_id, id, type, status, name, slug, sku, base_price, menu_order, search, created_at, updated_at)
    SELECT $1, ${numbered("prod_")}, 'VARIABLE', 'active', 'Lamp ' || i, 'lamp-' || i, CASE WHEN i % 3 = 0 THEN 'L' || i END, i / 2 * 100, i / 2, 'lamp ' || i, now() + i * interval '1 s', now()`)
  for (const v of [1, 2]) {
    await fill(`INSERT INTO product_variant (store_id, id, product_id, name, attributes, price, position, created_at, updated_at)
      SELECT $1, ${numbered("var_")} || ${v}, ${numbered("prod_")}, 'Size ${v}', '{"Size":"${v}"}', i * 100, ${v}, now(), now()`)
    await fill(`INSERT INTO stock (store_id, key, product_id, variant_id, total, updated_at)
      SELECT $1, ${numbered("var_")} || ${v}, ${numbered("prod_")}, ${numbered("var_")} || ${v}, 5, now()`)
  }
  await fill(
    `INSERT INTO category (store_id, id, name, slug, created_at, updated_at) SELECT $1, ${numbered("cat_")}, ${numbered("Rooms ")}, 'rooms-' || i, now(), now()`
  )
  await fill(
    `INSERT INTO product_category (store_id, product_id, category_id, position) SELECT $1, ${numbered("prod_")}, ${numbered("cat_")}, 1`
  )
}

/** Brands of one product each. */
const fillBrands = async () => {
  await fill(`INSERT INTO brand (store_id, id, name, slug, source, is_active, created_at, updated_at)
    SELECT $1, ${numbered("brand_")}, ${numbered("Brand ")}, 'brand-' || i, 'INTERNAL', true, now(), now()`)
  await fill(
    `INSERT INTO product_brand (store_id, product_id, brand_id, position) SELECT $1, ${numbered("prod_")}, ${numbered("brand_")}, 1`
  )
}

/** One order placed as orders are, and its like. */
const fillOrders = async () => {
  await shop.call("POST", "/v1/orders", { body: { items: [{ name: "Lamp", quantity: 1, price: "10.00" }] } })
  const like = async (table: string, changed: string) => {
    await owner.query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(t, ${changed})).* FROM ${table} t, generate_series(2, ${rows}) AS i WHERE t.store_id = $1`,
      [shop.storeId]
    )
  }
  await like(
    "orders",
    `jsonb_build_object('id', ${numbered("ord_")}, 'order_number', 5000 + i, 'created_at', t.created_at - i * interval '1 s')`
  )
  await like("order_item", `jsonb_build_object('order_id', ${numbered("ord_")}, 'id', ${numbered("item_")})`)
  // The total of the list is kept beside the newest number.
  await owner.query("UPDATE order_counter SET by_status = jsonb_build_object('PENDING', $2::int) WHERE store_id = $1", [
    shop.storeId,
    rows
  ])
}

const fillZones = async () => {
  await fill(`INSERT INTO shipping_zone (store_id, id, name, countries, priority, created_at, updated_at)
    SELECT $1, ${numbered("zone_")}, ${numbered("Zone ")}, '{DE}', i, now(), now()`)
  await fill(`INSERT INTO shipping_rate (store_id, id, zone_id, name, type, rate_config, created_at, updated_at)
    SELECT $1, ${numbered("rate_")}, ${numbered("zone_")}, 'Parcel', 'FLAT', '{"amount":500}', now(), now()`)
}

/** Deliveries that are over and their events. */
const fillDeliveries = async () => {
  await owner.query(
    `INSERT INTO webhook_subscription (store_id, id, url, events, is_active, secret, secret_prefix, created_at, updated_at)
      VALUES ($1, 'whs_1', 'https://hooks.example/in', '{order.created}', true, '', '', now(), now())`,
    [shop.storeId]
  )
  await fill(
    `INSERT INTO event (store_id, id, type, data, created_at, relayed_at) SELECT $1, ${numbered("evt_")}, 'order.created', '{}', now(), now()`
  )
  await fill(`INSERT INTO webhook_delivery (store_id, id, subscription_id, event_id, status, created_at, finished_at)
    SELECT $1, ${numbered("whd_")}, 'whs_1', ${numbered("evt_")}, 'delivered', now() + i * interval '1 s', now()`)
}

interface PlanNode {
  readonly "Relation Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly Plans?: ReadonlyArray<PlanNode>
}

const nodesOf = (node: PlanNode): ReadonlyArray<PlanNode> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** What the list answers, and the rows that its statements took from each table. */
const costOf = async (path: string) => {
  await shop.call("GET", path)
  statements.reset()
  const { status, body } = await shop.call("GET", path)
  expect(status).toBe(200)
  const sent = statements.entries()
  const taken: Record<string, number> = {}
  for (const { sql, params } of sent) {
    const explained = await owner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, [...params])
    const plans = explained.rows[0]?.["QUERY PLAN"] as ReadonlyArray<{ readonly Plan: PlanNode }>
    for (const node of plans.flatMap(({ Plan }) => nodesOf(Plan))) {
      const table = node["Relation Name"]
      if (table !== undefined)
        taken[table] = (taken[table] ?? 0) + Math.round(node["Actual Rows"] * node["Actual Loops"])
    }
  }
  return { taken, body }
}

const page = "page=6&limit=20"

describe("the sixth page of twenty", () => {
  it.each([
    ["products of a storefront", () => `/vc/${shop.channelId}/products?${page}`, { product_document: 20, stock: 40 }],
    [
      "products by name",
      () => `/vc/${shop.channelId}/products?${page}&sortBy=name`,
      { product_document: 20, stock: 40 }
    ],
    [
      "products by price",
      () => `/vc/${shop.channelId}/products?${page}&sortBy=price&sortOrder=desc`,
      { product_document: 20, stock: 40 }
    ],
    [
      "products by a search",
      () => `/v1/products?${page}&search=lamp`,
      { product_variant: 40, stock: 40, product_category: 20 }
    ],
    // Counted, and shown with their first products.
    ["categories", () => `/v1/categories?${page}`, { product_category: 40, product: 40 }],
    ["brands", () => `/v1/brands?${page}`, { product_brand: 40, product: 40 }],
    ["orders", () => `/v1/orders?${page}`, { order_item: 20 }],
    ["shipping zones", () => `/v1/shipping/zones?${page}`, { shipping_rate: 20 }],
    ["shipping zones by name", () => `/v1/shipping/zones?${page}&sortBy=name`, { shipping_rate: 20 }],
    ["deliveries of a webhook", () => `/v1/webhook-subscriptions/whs_1/deliveries?${page}`, { event: 20 }]
  ])("of %s dresses twenty rows, and counts them all", async (_, path, dressed) => {
    const cost = await costOf(path())
    expect(cost.taken).toMatchObject(dressed)
    expect([cost.body.data.length, cost.body.meta]).toEqual([20, { page: 6, limit: 20, total: rows, totalPages: 6 }])
  })
})

describe("recommendations", () => {
  it("dress the eight that are shown: of many named by the product, and of many in its categories", async () => {
    // Named in an order of their own, and more than a page of a list holds.
    const named = Array.from({ length: rows - 2 }, (_, i) => `prod_${String(rows - i).padStart(3, "0")}`)
    await owner.query("UPDATE product SET related = $1 WHERE id = 'prod_001'", [named])
    await owner.query(
      "INSERT INTO product_category (store_id, product_id, category_id, position) SELECT $1, id, 'cat_002', 2 FROM product WHERE id > 'prod_050'",
      [shop.storeId]
    )
    await owner.query("UPDATE product SET related = '{prod_100,prod_002}' WHERE id = 'prod_002'")
    const byPlace = await owner.query(
      "SELECT id FROM product WHERE id > 'prod_050' AND id <> 'prod_100' ORDER BY menu_order, id LIMIT 7"
    )
    for (const [id, expected] of [
      ["prod_001", named.slice(0, 8)],
      ["prod_002", ["prod_100", ...byPlace.rows.map((row) => row["id"])]]
    ] as const) {
      const { body, taken } = await costOf(`/vc/${shop.channelId}/products/${id}/recommendations`)
      expect(body.products.map((product: { id: string }) => product.id)).toEqual(expected)
      expect(taken).toMatchObject({ product_document: 8 })
    }
  })
})

describe("the pages of a list", () => {
  it.each(["menuOrder", "name", "price", "createdAt", "updatedAt", "status", "sku", "slug"])(
    "hold each product once, in order, by %s",
    async (sortBy) => {
      for (const sortOrder of ["asc", "desc"]) {
        const pages = await Promise.all(
          [1, 2, 3, 4, 5, 6, 7].map((at) =>
            shop.call(
              "GET",
              `/vc/${shop.channelId}/products?page=${at}&limit=20&sortBy=${sortBy}&sortOrder=${sortOrder}`
            )
          )
        )
        expect(pages.map(({ body }) => [body.data.length, body.meta.total])).toEqual([
          ...Array.from({ length: 6 }, () => [20, rows]),
          [0, rows]
        ])
        const column =
          { menuOrder: "menu_order", price: "base_price", createdAt: "created_at", updatedAt: "updated_at" }[sortBy] ??
          sortBy
        const inOrder = await owner.query(
          `SELECT id FROM product ORDER BY ${column} ${sortOrder} NULLS LAST, id ${sortOrder}`
        )
        expect(pages.flatMap(({ body }) => body.data.map(({ id }: { id: string }) => id))).toEqual(
          inOrder.rows.map(({ id }) => id)
        )
      }
    }
  )
})
