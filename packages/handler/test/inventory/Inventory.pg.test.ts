import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { asDocumented } from "../system/documentedAnswers.ts"

let shop: TestCommerce
let other: TestStore
let client: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = asDocumented(await openTestCommerce())
  other = await shop.openStore()
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const make = async (body: object, key?: string): Promise<string> => {
  const made = await shop.call("POST", "/v1/products", {
    body: { name: "Lamp", status: "active", basePrice: "10.00", ...body },
    ...(key === undefined ? {} : { key })
  })
  if (made.status !== 201) throw new Error(made.text)
  return made.body.id
}
const shirt = async (totals: ReadonlyArray<number>, body: object = {}) => {
  const variants = totals.map((total, i) => ({
    name: `Size ${i}`,
    sku: `SHIRT-${i}`,
    attributes: { Size: String(i) },
    inventory: { total }
  }))
  const made = await shop.call("POST", "/v1/products", {
    body: { name: "Shirt", sku: "SHIRT", status: "active", type: "VARIABLE", basePrice: "10.00", variants, ...body }
  })
  if (made.status !== 201) throw new Error(made.text)
  return {
    product: made.body.id as string,
    variants: made.body.variants.map((one: { id: string }) => one.id) as ReadonlyArray<string>
  }
}
const read = async (id: string, query = "") => (await shop.call("GET", `/v1/products/${id}/inventory${query}`)).body
const set = (id: string, body: object) => shop.call("PUT", `/v1/products/${id}/inventory`, { body })
const adjust = (id: string, body: object) => shop.call("POST", `/v1/products/${id}/inventory/adjust`, { body })
const history = async (id: string, query = "") =>
  (await shop.call("GET", `/v1/products/${id}/inventory/history${query}`)).body
const eventsOf = async (id: string) =>
  (
    await client.query(
      "SELECT data FROM event WHERE type = 'inventory.updated' AND data ->> 'productId' = $1 ORDER BY created_at, id",
      [id]
    )
  ).rows.map(
    (row) =>
      row["data"] as {
        readonly productId: string
        readonly inventory: { readonly total: number; readonly available: number }
      }
  )
const hold = (id: string, holder: string, quantity: number, until = new Date(Date.now() + 3_600_000)) =>
  client.query(
    `WITH held AS (INSERT INTO reservation (store_id, holder_id, key, quantity, expires_at) SELECT store_id, $2, key, $3, $4 FROM stock WHERE key = $1)
      UPDATE stock SET reserved = reserved + $3 WHERE key = $1`,
    [id, holder, quantity, until]
  )

describe("a product's inventory", () => {
  it("answers every documented field, and exactly three zeros of what was never counted or cannot be seen", async () => {
    const lamp = await make({
      inventory: { total: 12, lowStockThreshold: 3, backorderMode: "LIMITED", backorderLimit: 5 }
    })
    const answer = await shop.call("GET", `/v1/products/${lamp}/inventory`)
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        id: lamp,
        productId: lamp,
        variantId: null,
        trackingMode: "TRACKED",
        backorderMode: "LIMITED",
        backorderLimit: 5,
        total: 12,
        reserved: 0,
        available: 12,
        lowStockThreshold: 3,
        lastInventorySyncAt: null,
        updatedAt: expect.stringMatching(isoTime)
      }
    ])
    const theirs = await make({ inventory: { total: 12 } }, other.apiKey)
    const uncounted = await make({})
    await client.query("DELETE FROM stock WHERE key = $1", [uncounted])
    for (const id of [theirs, uncounted, "prod_none", "%20"]) {
      const empty = await shop.call("GET", `/v1/products/${id}/inventory`)
      expect([empty.status, empty.body]).toEqual([200, { available: 0, reserved: 0, total: 0 }])
    }
    expect(await read(lamp, "?variantId=var_none")).toEqual({ available: 0, reserved: 0, total: 0 })
    await shop.call("DELETE", `/v1/products/${lamp}`)
    expect(await read(lamp)).toEqual({ available: 0, reserved: 0, total: 0 })
  })

  it("of a product sold by variants is that of its variants together, or of the one named", async () => {
    const { product, variants } = await shirt([3, 4])
    await hold(variants[1]!, "cart_x", 2)
    expect(await read(product)).toMatchObject({
      id: product,
      productId: product,
      variantId: null,
      total: 7,
      reserved: 2,
      available: 5,
      trackingMode: "TRACKED"
    })
    expect(await read(product, `?variantId=${variants[1]}`)).toMatchObject({
      id: variants[1],
      productId: product,
      variantId: variants[1],
      total: 4,
      reserved: 2,
      available: 2
    })
  })

  it("does not count what is held past its time", async () => {
    const lamp = await make({ inventory: { total: 5 } })
    await hold(lamp, "cart_a", 2)
    await hold(lamp, "cart_b", 1, new Date(Date.now() - 1))
    expect(await read(lamp)).toMatchObject({ total: 5, reserved: 2, available: 3 })
  })
})

describe("setting stock", () => {
  it("changes what is named, keeps the rest, clears with null, and tells subscribers once", async () => {
    const lamp = await make({ inventory: { total: 12, lowStockThreshold: 3 } })
    const changed = await set(lamp, { total: 20, backorderMode: "LIMITED", backorderLimit: 4 })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({
      ...(await read(lamp)),
      total: 20,
      available: 20,
      backorderMode: "LIMITED",
      backorderLimit: 4,
      lowStockThreshold: 3
    })
    const cleared = await set(lamp, { lowStockThreshold: null, backorderLimit: null, trackingMode: "UNTRACKED" })
    expect(cleared.body).toMatchObject({
      total: 20,
      lowStockThreshold: null,
      backorderLimit: null,
      trackingMode: "UNTRACKED",
      backorderMode: "LIMITED"
    })
    expect(await read(lamp)).toEqual(cleared.body)
    const inventory = {
      productId: lamp,
      trackingMode: "TRACKED",
      total: 20,
      reserved: 0,
      available: 20,
      lastInventorySyncAt: null,
      variants: []
    }
    expect(await eventsOf(lamp)).toEqual([
      { productId: lamp, inventory },
      { productId: lamp, inventory: { ...inventory, trackingMode: "UNTRACKED" } }
    ])
  })

  it.each([
    ["total", { total: -1 }],
    ["total", { total: 1.5 }],
    ["total", { total: 2_147_483_648 }],
    ["backorderLimit", { backorderLimit: -1 }],
    ["lowStockThreshold", { lowStockThreshold: 0.5 }],
    ["expectedTotal", { total: 3, expectedTotal: 0.1 }]
  ])("refuses a %s that is no count: %o", async (field, body) => {
    const lamp = await make({ inventory: { total: 12 } })
    const refused = await set(lamp, body)
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "INVALID_STOCK_VALUE",
      [field]
    ])
    expect(await read(lamp)).toMatchObject({ total: 12 })
    expect(await eventsOf(lamp)).toEqual([])
  })

  it.each([
    ["total", { total: "5" }],
    ["total", { total: null }],
    ["trackingMode", { trackingMode: "COUNTED" }],
    ["backorderMode", { backorderMode: "deny" }],
    ["variantId", { variantId: "var_none", total: 1 }]
  ])("refuses a malformed %s: %o", async (field, body) => {
    const refused = await set(await make({}), body)
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      [field]
    ])
  })

  it("takes place only on the total the caller knows, where one is named", async () => {
    const lamp = await make({ inventory: { total: 12 } })
    const refused = await set(lamp, { total: 20, expectedTotal: 11 })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      409,
      "CONFLICT",
      { expectedTotal: 11, currentTotal: 12 }
    ])
    expect((await read(lamp)).total).toBe(12)
    expect((await set(lamp, { total: 20, expectedTotal: 12 })).body.total).toBe(20)
  })

  it("cannot go below what is held for shoppers, unless backorders cover it", async () => {
    const lamp = await make({ inventory: { total: 12 } })
    await hold(lamp, "cart_x", 5)
    const refused = await set(lamp, { total: 4 })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      409,
      "CONFLICT",
      { total: 4, reserved: 5 }
    ])
    expect((await set(lamp, { total: 5 })).body).toMatchObject({ total: 5, reserved: 5, available: 0 })
    expect((await set(lamp, { total: 2, backorderMode: "LIMITED", backorderLimit: 2 })).status).toBe(409)
    expect((await set(lamp, { total: 3, backorderMode: "LIMITED", backorderLimit: 2 })).body).toMatchObject({
      total: 3,
      available: -2
    })
    expect((await set(lamp, { total: 0, backorderMode: "ALLOW" })).body).toMatchObject({ total: 0, available: -5 })
    expect((await set(lamp, { backorderMode: "DENY" })).status).toBe(409)
    expect((await history(lamp)).data.map((entry: { delta: number }) => entry.delta)).toEqual([-3, -2, -7, 12])
  })

  it("makes the row of a product that was never counted", async () => {
    const lamp = await make({})
    await client.query("DELETE FROM stock_movement WHERE key = $1", [lamp])
    await client.query("DELETE FROM stock WHERE key = $1", [lamp])
    expect((await set(lamp, { total: 7, expectedTotal: 0 })).body).toMatchObject({
      total: 7,
      available: 7,
      trackingMode: "TRACKED",
      backorderMode: "DENY"
    })
    expect((await history(lamp)).data).toMatchObject([
      { delta: 7, reason: "correction", reference: null, variantId: null }
    ])
  })

  it("is refused for kits, for variants left unnamed, and for products that are not there", async () => {
    const kit = await make({})
    await client.query("UPDATE product SET type = 'KIT' WHERE id = $1", [kit])
    const { product, variants } = await shirt([1])
    const lamp = await make({})
    expect([
      (await set(kit, { total: 1 })).status,
      (await set(product, { total: 1 })).status,
      (await set(lamp, { total: 1, variantId: variants[0] })).status
    ]).toEqual([400, 400, 400])
    expect((await set(product, { total: 9, variantId: variants[0] })).body).toMatchObject({ id: variants[0], total: 9 })
    const theirs = await make({}, other.apiKey)
    for (const id of ["prod_none", theirs]) {
      const refused = await set(id, { total: 1 })
      expect([refused.status, refused.body.code]).toEqual([404, "PRODUCT_NOT_FOUND"])
    }
  })

  it("happens once for one Idempotency-Key", async () => {
    const lamp = await make({ inventory: { total: 1 } })
    const headers = { "idempotency-key": `adjust-${lamp}` }
    const body = { delta: 5, reason: "received" }
    const first = await shop.call("POST", `/v1/products/${lamp}/inventory/adjust`, { body, headers })
    const second = await shop.call("POST", `/v1/products/${lamp}/inventory/adjust`, { body, headers })
    expect(second.text).toBe(first.text)
    expect((await read(lamp)).total).toBe(6)
  })
})

describe("adjusting stock", () => {
  it("adds and takes away, says which entry it made, and the entries sum to the total", async () => {
    const lamp = await make({ inventory: { total: 10 } })
    const received = await adjust(lamp, { delta: 5, reason: "received", reference: "PO-7" })
    expect([received.status, received.body]).toEqual([
      200,
      { ...(await read(lamp)), adjustmentId: expect.stringMatching(/^mov_/) }
    ])
    expect((await adjust(lamp, { delta: -3, reason: "damage" })).body.total).toBe(12)
    await set(lamp, { total: 2 })
    const { data, meta } = await history(lamp)
    expect(data).toEqual([
      {
        id: expect.any(String),
        delta: -10,
        reason: "correction",
        reference: null,
        variantId: null,
        createdAt: expect.stringMatching(isoTime)
      },
      {
        id: expect.any(String),
        delta: -3,
        reason: "damage",
        reference: null,
        variantId: null,
        createdAt: expect.stringMatching(isoTime)
      },
      {
        id: received.body.adjustmentId,
        delta: 5,
        reason: "received",
        reference: "PO-7",
        variantId: null,
        createdAt: expect.stringMatching(isoTime)
      },
      {
        id: expect.any(String),
        delta: 10,
        reason: "correction",
        reference: "initial",
        variantId: null,
        createdAt: expect.stringMatching(isoTime)
      }
    ])
    expect(meta).toEqual({ page: 1, limit: 20, total: 4, totalPages: 1 })
    const second = await history(lamp, "?limit=3&page=2")
    expect([second.data.length, second.data[0].delta, second.meta]).toEqual([
      1,
      10,
      { page: 2, limit: 3, total: 4, totalPages: 2 }
    ])
    expect((await eventsOf(lamp)).map((data) => data.inventory.total)).toEqual([15, 12, 2])
  })

  it.each([
    [0, "INVALID_STOCK_VALUE"],
    [1.5, "INVALID_STOCK_VALUE"],
    [-11, "INVALID_STOCK_VALUE"],
    [2_147_483_647, "INVALID_STOCK_VALUE"],
    ["1", "VALIDATION_FAILED"]
  ])("refuses a delta of %o", async (delta, code) => {
    const lamp = await make({ inventory: { total: 10 } })
    const refused = await adjust(lamp, { delta, reason: "other" })
    expect([refused.status, refused.body.code]).toEqual([400, code])
    expect([(await read(lamp)).total, (await history(lamp)).meta.total, await eventsOf(lamp)]).toEqual([10, 1, []])
  })

  it("refuses an unknown reason, and to take away what is held", async () => {
    const lamp = await make({ inventory: { total: 10 } })
    expect((await adjust(lamp, { delta: 1, reason: "magic" })).body.code).toBe("VALIDATION_FAILED")
    await hold(lamp, "cart_x", 4)
    expect((await adjust(lamp, { delta: -7, reason: "damage" })).status).toBe(409)
    expect((await adjust(lamp, { delta: -6, reason: "damage" })).body).toMatchObject({
      total: 4,
      reserved: 4,
      available: 0
    })
  })

  it("tells of a variant within its product", async () => {
    const { product, variants } = await shirt([3, 4])
    expect((await adjust(product, { delta: 2, reason: "return", variantId: variants[0] })).body).toMatchObject({
      variantId: variants[0],
      total: 5
    })
    const [event] = await eventsOf(product)
    const level = { trackingMode: "TRACKED", reserved: 0, lastInventorySyncAt: null }
    expect(event?.inventory).toEqual({
      productId: product,
      ...level,
      total: 9,
      available: 9,
      variants: [
        { variantId: variants[0], ...level, total: 5, available: 5 },
        { variantId: variants[1], ...level, total: 4, available: 4 }
      ]
    })
    expect(
      (await history(product)).data.map((entry: { variantId: string; delta: number }) => [entry.variantId, entry.delta])
    ).toContainEqual([variants[0], 2])
    expect((await history(product, `?variantId=${variants[1]}`)).data).toMatchObject([
      { delta: 4, reason: "correction", reference: "initial", variantId: variants[1] }
    ])
    expect((await shop.call("GET", `/v1/products/${product}/inventory/history?variantId=var_none`)).status).toBe(400)
  })
})

describe("many at once", () => {
  it("are looked up by id or by SKU, and what is not there is named", async () => {
    const sku = "ONLY-THIS-LAMP"
    const lamp = await make({ sku, inventory: { total: 2 } })
    const { product, variants } = await shirt([3, 4])
    const theirs = await make({}, other.apiKey)
    const byId = await shop.call("POST", "/v1/inventory/bulk", {
      body: { productIds: [product, lamp, theirs, "prod_none"] }
    })
    expect(byId.status).toBe(200)
    expect(byId.body.inventory.map((item: { id: string; total: number }) => [item.id, item.total])).toEqual([
      [variants[0], 3],
      [variants[1], 4],
      [lamp, 2]
    ])
    expect(byId.body.notFound).toEqual([theirs, "prod_none"])
    const bySku = await shop.call("POST", "/v1/inventory/bulk", { body: { skus: [sku, "no such SKU"] } })
    expect(bySku.body).toEqual({ inventory: [await read(lamp)], notFound: ["no such SKU"] })
    const both = await shop.call("POST", "/v1/inventory/bulk", { body: { productIds: [lamp], skus: [sku] } })
    const none = await shop.call("POST", "/v1/inventory/bulk", { body: {} })
    const tooMany = await shop.call("POST", "/v1/inventory/bulk", {
      body: { productIds: Array.from({ length: 101 }, (_, i) => `prod_${i}`) }
    })
    expect([both.status, none.status, tooMany.status]).toEqual([400, 400, 400])
  })

  it("are set row by row: what is refused says why, the rest is written, each product is told of once", async () => {
    const lamp = await make({ inventory: { total: 2 } })
    const { product, variants } = await shirt([3, 4])
    const items = [
      { productId: lamp, total: 5 },
      { productId: lamp, total: 6, expectedTotal: 5 },
      { productId: lamp, total: 7, expectedTotal: 5 },
      { productId: "prod_none", total: 1 },
      { productId: product, total: 1 },
      { productId: product, variantId: variants[0], total: 30 },
      { productId: product, variantId: variants[1], total: 40 },
      { productId: lamp, total: -1 }
    ]
    const answer = await shop.call("PUT", "/v1/inventory/bulk", { body: { items } })
    expect(answer.status).toBe(200)
    expect(
      answer.body.results.map((row: { index: number; item?: { total: number }; error?: { code: string } }) => [
        row.index,
        row.item?.total ?? row.error?.code
      ])
    ).toEqual([
      [0, 5],
      [1, 6],
      [2, "CONFLICT"],
      [3, "PRODUCT_NOT_FOUND"],
      [4, "VALIDATION_FAILED"],
      [5, 30],
      [6, 40],
      [7, "INVALID_STOCK_VALUE"]
    ])
    expect(answer.body.results[2].error.details).toEqual({ expectedTotal: 5, currentTotal: 6 })
    expect([(await read(lamp)).total, (await read(product)).total]).toEqual([6, 70])
    expect((await history(lamp)).data.map((entry: { delta: number }) => entry.delta)).toEqual([4, 2])
    expect([(await eventsOf(lamp)).length, (await eventsOf(product)).length]).toEqual([1, 1])
    const tooMany = await shop.call("PUT", "/v1/inventory/bulk", {
      body: { items: Array.from({ length: 101 }, () => ({ productId: lamp, total: 1 })) }
    })
    expect(tooMany.status).toBe(400)
  })

  it("are put right where what is reserved is not what is held", async () => {
    const lamp = await make({ inventory: { total: 10 } })
    const right = await make({ inventory: { total: 10 } })
    await hold(lamp, "cart_x", 3)
    await hold(right, "cart_x", 2)
    await client.query("UPDATE stock SET reserved = 8 WHERE key = $1", [lamp])
    const drifted = [{ productId: lamp, variantId: null, reserved: 8, expected: 3 }]
    const reconcile = (body: object) => shop.call("POST", "/v1/inventory/reconcile", { body })
    const dry = await reconcile({ productIds: [lamp, right] })
    expect([dry.status, dry.body]).toEqual([200, { checked: 2, drifted, fixed: 0 }])
    expect((await read(lamp)).reserved).toBe(8)
    expect((await reconcile({ productIds: [lamp, right], dryRun: false })).body).toEqual({
      checked: 2,
      drifted,
      fixed: 1
    })
    expect([(await read(lamp)).reserved, (await read(right)).reserved]).toEqual([3, 2])
    expect((await reconcile({})).body.drifted).toEqual([])
    expect((await reconcile({ productIds: ["prod_none"] })).status).toBe(400)
  })
})

describe("a key", () => {
  it("reads with inventory:read and writes with inventory:write, whatever it may do with products", async () => {
    const lamp = await make({})
    const [reader, writer, catalog] = await Promise.all([
      shop.mintKey({ scopes: ["inventory:read"] }),
      shop.mintKey({ scopes: ["inventory:write"] }),
      shop.mintKey({ scopes: ["products:*"] })
    ])
    const path = `/v1/products/${lamp}/inventory`
    const codes = async (key: string) => [
      (await shop.call("GET", path, { key })).status,
      (await shop.call("GET", `${path}/history`, { key })).status,
      (await shop.call("PUT", path, { key, body: {} })).status,
      (await shop.call("POST", "/v1/inventory/reconcile", { key, body: {} })).status
    ]
    expect(await codes(reader)).toEqual([200, 200, 403, 403])
    expect(await codes(writer)).toEqual([403, 403, 200, 200])
    expect(await codes(catalog)).toEqual([403, 403, 403, 403])
  })
})

describe("a sale", () => {
  it("is an entry with the order's id, and tells subscribers", async () => {
    const lamp = await make({ inventory: { total: 5 } })
    const order = await shop.call("POST", "/v1/orders", { body: { items: [{ productId: lamp, quantity: 2 }] } })
    expect(order.status).toBe(201)
    expect((await history(lamp)).data[0]).toMatchObject({
      delta: -2,
      reason: "sale",
      reference: order.body.id,
      variantId: null
    })
    expect(
      (await eventsOf(lamp)).map((data) => [data.productId, data.inventory.total, data.inventory.available])
    ).toEqual([[lamp, 3, 3]])
    expect(await read(lamp)).toMatchObject({ total: 3, reserved: 0, available: 3 })
  })

  it("through a storefront finds the same units", async () => {
    const shopper = shopperOf(shop)
    const lamp = await make({ inventory: { total: 5 } })
    const checkout = await shopper.checkout(await shopper.cart([lamp, 5]))
    expect((await shopper.complete(checkout, `sale-${lamp}`)).status).toBe(200)
    expect(await read(lamp)).toMatchObject({ total: 0, reserved: 0, available: 0 })
  })

  it("are put right a thousand at a time, and a hundred products may be named", async () => {
    const lamp = await make({ inventory: { total: 10 } })
    const reconcile = (body: object) => shop.call("POST", "/v1/inventory/reconcile", { body })
    expect((await reconcile({ productIds: Array(100).fill(lamp) })).status).toBe(200)
    expect((await reconcile({ productIds: Array(101).fill(lamp) })).body.details.errors).toHaveProperty("productIds")
    await client.query(
      `INSERT INTO stock (store_id, key, product_id, tracking_mode, backorder_mode, total, reserved, updated_at)
        SELECT store_id, key || n, product_id, tracking_mode, backorder_mode, 10, 1, now() FROM stock, generate_series(1, 1001) n WHERE key = $1`,
      [lamp]
    )
    const [first, second, third] = [
      await reconcile({ dryRun: false }),
      await reconcile({ dryRun: false }),
      await reconcile({ dryRun: false })
    ]
    expect([first, second, third].map(({ body }) => [body.drifted.length, body.fixed])).toEqual([
      [1_000, 1_000],
      [1, 1],
      [0, 0]
    ])
  })
})
