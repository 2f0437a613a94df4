import { ProductReadModel } from "@effect-commerce/core/product/ProductReadModel"
import { Stores } from "@effect-commerce/core/store/Stores"
import type { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { asDocumented } from "../system/documentedAnswers.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = asDocumented(await openTestCommerce())
})
afterAll(() => shop.close())

const query = async (text: string, productId: string) => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  try {
    return (await client.query(text, [productId])).rows
  } finally {
    await client.end()
  }
}

const definitions = "/v1/metafield-definitions"
const define = async (key: string, type: string, body: object = {}) => {
  const made = await shop.call("POST", definitions, { body: { name: key, key, type, ...body } })
  if (made.status !== 201) throw new Error(made.text)
  return made.body
}
const forget = async (...ids: ReadonlyArray<string>) => {
  for (const id of ids) await shop.call("DELETE", `${definitions}/${id}?force=true`)
}
const create = (body: object = {}) =>
  shop.call("POST", "/v1/products", { body: { name: "Table", basePrice: "10.00", ...body } })
const product = async (body: object = {}) => (await create(body)).body
const put = (productId: string, values: object, more: object = {}) =>
  shop.call("PUT", `/v1/products/${productId}/metafields`, { body: { values, ...more } })
const valuesOf = async (productId: string) =>
  (await shop.call("GET", `/v1/products/${productId}/metafields`)).body.values
const choices = [{ value: "oak" }, { value: "ash" }]
/** The metafields of each event of a change. */
const eventsOf = async (productId: string) => {
  const rows = await query(
    `SELECT data -> 'product' -> 'metafields' AS metafields FROM event
      WHERE type = 'product.updated' AND data ->> 'productId' = $1 ORDER BY created_at, id`,
    productId
  )
  return rows.map((row) => row["metafields"])
}
const filterKeysOf = async (productId: string) =>
  (await query("SELECT filter_keys FROM product_listing WHERE product_id = $1", productId))[0]?.[
    "filter_keys"
  ] as Array<string>

describe("the values of a product", () => {
  it("are found by their first 200 characters, also where these end in half of a character", async () => {
    const { id } = await define("long", "TEXT", { filterable: true })
    const value = `${"a".repeat(199)}\u{1f600} and more`
    const made = await create({ status: "active", metafields: { long: value } })
    expect([made.status, made.body.metafields]).toEqual([201, { long: value }])
    expect(await filterKeysOf(made.body.id)).toEqual([`${id}=${"a".repeat(199)}`])
    const found = await shop.call("GET", `/vc/${shop.channelId}/products?mf.long=${encodeURIComponent(value)}`)
    expect(found.body.meta.total).toBe(1)
    await forget(id)
  })

  it.each([
    ["TEXT", {}, ["Wool", "", "x".repeat(5_000)], [7, true, ["a"], {}, "x".repeat(5_001)]],
    ["TEXT", { minLength: 2, maxLength: 3 }, ["ab", "abc"], ["a", "abcd"]],
    ["TEXTAREA", {}, ["two\nlines", "x".repeat(20_000)], [7, "x".repeat(20_001)]],
    ["NUMBER", {}, [0, -1.5, 1e15, 0.1], ["7", true, 1.1e15]],
    ["NUMBER", { minValue: 0, maxValue: 1 }, [0, 1], [-0.1, 1.1]],
    ["BOOLEAN", {}, [true, false], ["true", 1]],
    ["DATE", {}, ["2026-02-28", "1899-12-31"], ["2026-02-29", "2026-2-1", "2026-02-01T00:00:00Z", 20260201]],
    [
      "DATE",
      {
        dateAvailability: {
          from: "2026-02-02",
          to: "2026-02-10",
          weekdays: ["MON", "TUE"],
          unavailableDates: ["2026-02-09"]
        }
      },
      ["2026-02-02", "2026-02-10"],
      ["2026-01-27", "2026-02-16", "2026-02-04", "2026-02-09"]
    ],
    ["SELECT", { enumValues: choices }, ["oak", "ash"], ["Oak", "elm", ["oak"], 1]],
    ["MULTI_SELECT", { enumValues: choices }, [["oak"], ["ash", "oak"], []], ["oak", ["elm"], ["oak", "oak"], [1]]],
    ["MULTI_SELECT", { enumValues: choices, minLength: 1, maxLength: 1 }, [["oak"]], [[], ["oak", "ash"]]],
    ["COLOR", {}, ["#00ff99"], ["#0f9", "red", "#00ff9g", 7]],
    [
      "URL",
      {},
      ["https://example.com/a?b=c", "http://example.com"],
      ["example.com", "javascript:alert(1)", "ftp://a.b", 7]
    ],
    ["IMAGE", {}, ["https://cdn.example.com/a.png", "store/ab/cd.webp"], ["", "a b", "javascript:alert(1)", ["x"], 7]],
    [
      "GALLERY",
      {},
      [["https://cdn.example.com/a.png", "b.webp"], Array.from({ length: 50 }, (_, i) => `k${i}`)],
      ["b.webp", ["a b"], ["b.webp", "b.webp"], Array.from({ length: 51 }, (_, i) => `k${i}`)]
    ],
    ["JSON", {}, [{ a: [1, { b: null }] }, [], "text", 0, false], ["x".repeat(65_535)]]
  ] as const)("of type %s %j are what the type is, and nothing else", async (type, rules, good, bad) => {
    const definition = await define("field", type, rules)
    const table = await product()
    for (const value of good) {
      const set = await put(table.id, { field: value })
      expect([set.status, set.body]).toEqual([200, { values: { field: value }, conflicts: [] }])
      expect(await valuesOf(table.id)).toEqual({ field: value })
      expect((await shop.call("GET", `/v1/products/${table.id}`)).body.metafields).toEqual({ field: value })
    }
    for (const value of bad) {
      const refused = await put(table.id, { field: value })
      expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
        400,
        "VALIDATION_FAILED",
        ["values.field"]
      ])
    }
    expect(await valuesOf(table.id)).toEqual({ field: good.at(-1) })
    const cleared = await put(table.id, { field: null })
    expect(cleared.body.values).toEqual({})
    await forget(definition.id)
  })

  it("are written as filters compare them: colours in lower case", async () => {
    const definition = await define("tint", "COLOR", { filterable: true })
    const table = await product({ status: "active" })
    expect((await put(table.id, { tint: "#00FF99" })).body.values).toEqual({ tint: "#00ff99" })
    expect(await filterKeysOf(table.id)).toEqual([`${definition.id}=#00ff99`])
    await forget(definition.id)
  })

  it("are all written or none, with what is wrong with each", async () => {
    const made = [
      await define("care", "TEXT"),
      await define("size", "NUMBER"),
      await define("engraving", "TEXT", { isCustomerInput: true })
    ]
    const other = await product({ name: "Chair" })
    made.push(await define("legs", "NUMBER", { productIds: [other.id] }))
    const table = await product()
    const before = (await shop.call("GET", `/v1/products/${table.id}`)).body.updatedAt
    const refused = await put(table.id, { care: "wool", size: "large", engraving: "Ada", legs: 4, unknown: 1 })
    expect([refused.status, refused.body.details.errors]).toEqual([
      400,
      {
        "values.size": "must be a number",
        "values.engraving": "is filled in by shoppers: products have no value of it",
        "values.legs": "does not apply to this product",
        "values.unknown": "this store has no such metafield"
      }
    ])
    expect(await valuesOf(table.id)).toEqual({})
    expect((await shop.call("GET", `/v1/products/${table.id}`)).body.updatedAt).toBe(before)
    expect(await eventsOf(table.id)).toEqual([])
    expect((await put("prod_none", {})).body.code).toBe("PRODUCT_NOT_FOUND")
    expect((await shop.call("GET", "/v1/products/prod_none/metafields")).body.code).toBe("PRODUCT_NOT_FOUND")
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`k${i}`, 1]))
    expect((await put(table.id, many)).body.details.errors).toEqual({ values: "must have at most 200 entries" })
    await forget(...made.map(({ id }) => id))
  })

  it("change the product's version, its event, its document and its filter keys, and nothing where they say what is there", async () => {
    const made = [
      await define("material", "MULTI_SELECT", {
        enumValues: [{ value: "Oak" }, { value: "Ash" }],
        position: 1,
        filterable: true
      }),
      await define("note", "TEXTAREA")
    ]
    const table = await product({ status: "active" })
    const set = await put(table.id, { material: ["Oak", "Ash"], note: "Dry" })
    expect(Object.keys(set.body.values)).toEqual(["note", "material"])
    expect(await eventsOf(table.id)).toEqual([{ note: "Dry", material: ["Oak", "Ash"] }])
    expect([...(await filterKeysOf(table.id))].sort()).toEqual([`${made[0].id}=ash`, `${made[0].id}=oak`])
    const path = `/vc/${shop.channelId}/products/${table.id}`
    expect((await shop.call("GET", path)).body.metafields).toEqual({ note: "Dry", material: ["Oak", "Ash"] })
    const { body: read } = await shop.call("GET", `/v1/products/${table.id}`)
    const again = await put(table.id, { note: "Dry" })
    expect(again.status).toBe(200)
    expect((await shop.call("GET", `/v1/products/${table.id}`)).body.updatedAt).toBe(read.updatedAt)
    expect((await eventsOf(table.id)).length).toBe(1)

    const stale = await shop.call("PUT", `/v1/products/${table.id}/metafields`, {
      body: { values: { note: "Wet" } },
      headers: { "if-match": `"${table.updatedAt}"` }
    })
    expect([stale.status, stale.body.code]).toEqual([409, "CONFLICT"])
    const fresh = await shop.call("PUT", `/v1/products/${table.id}/metafields`, {
      body: { values: { note: "Wet" } },
      headers: { "if-match": `"${read.updatedAt}"` }
    })
    expect(fresh.body.values.note).toBe("Wet")

    // An inactive definition is the merchant's alone; its key follows a new name at once.
    await shop.call("PATCH", `${definitions}/${made[0].id}`, { body: { isActive: false } })
    await shop.call("PATCH", `${definitions}/${made[1].id}`, { body: { key: "remark" } })
    expect((await shop.call("GET", path)).body.metafields).toEqual({ remark: "Wet" })
    expect((await shop.call("GET", `/v1/products/${table.id}`)).body.metafields).toEqual({
      remark: "Wet",
      material: ["Oak", "Ash"]
    })
    await forget(...made.map(({ id }) => id))
    expect((await shop.call("GET", path)).body.metafields).toEqual({})
    // What the deletion left in documents is composed anew without a write of the product.
    const store = await shop.run(Stores.use((stores) => stores.context(shop.storeId)) as never)
    await shop.run(
      ProductReadModel.use((documents) =>
        documents.rebuild(store as never, [table.id], Date.now())
      ) as unknown as Effect.Effect<void>
    )
    expect(await filterKeysOf(table.id)).toEqual([])
  })

  it("come with the product's body, which names them by its own field", async () => {
    const made = [await define("care", "TEXT"), await define("size", "NUMBER")]
    const table = await create({ metafields: { care: "wool", size: 3 } })
    expect([table.status, table.body.metafields]).toEqual([201, { care: "wool", size: 3 }])
    const patched = await shop.call("PATCH", `/v1/products/${table.body.id}`, {
      body: { metafields: { size: null, care: "silk" } }
    })
    expect(patched.body.metafields).toEqual({ care: "silk" })
    for (const refused of [
      await create({ metafields: { care: 1, none: 1 } }),
      await shop.call("PATCH", `/v1/products/${table.body.id}`, { body: { metafields: { care: 1, none: 1 } } })
    ])
      expect([refused.status, refused.body.details.errors]).toEqual([
        400,
        { "metafields.care": "must be text", "metafields.none": "this store has no such metafield" }
      ])
    expect((await shop.call("GET", "/v1/products?search=Table&limit=1")).body.data[0].metafields).toBeDefined()
    await forget(...made.map(({ id }) => id))
  })

  it("begin with the default, which a body may take away and which old products do not get", async () => {
    const old = await product()
    const made = [
      await define("care", "TEXT", { defaultValue: "wash" }),
      await define("size", "NUMBER", { defaultValue: 0 }),
      await define("gift", "BOOLEAN", { defaultValue: true, isCustomerInput: true })
    ]
    expect((await product()).metafields).toEqual({ care: "wash", size: 0 })
    expect((await product({ metafields: { care: null, size: 2 } })).metafields).toEqual({ size: 2 })
    expect(await valuesOf(old.id)).toEqual({})
    await forget(...made.map(({ id }) => id))
  })

  it("that are required are needed when a product becomes active, and stay while it is", async () => {
    const draft = await product()
    const active = await product({ status: "active" })
    const definition = await define("care", "TEXT", { required: true })
    const missing = { "metafields.care": "is required" }
    const path = `/v1/products/${draft.id}`
    expect((await create({ status: "active" })).body.details.errors).toEqual(missing)
    expect((await shop.call("PATCH", path, { body: { status: "active" } })).body.details.errors).toEqual(missing)
    expect((await shop.call("GET", path)).body.status).toBe("draft")
    const other = await shop.call("PATCH", `/v1/products/${active.id}`, { body: { name: "Desk" } })
    expect(other.status).toBe(200)
    const made = await shop.call("PATCH", path, { body: { status: "active", metafields: { care: "wash" } } })
    expect([made.status, made.body.metafields]).toEqual([200, { care: "wash" }])
    for (const value of [null, " "])
      expect((await put(draft.id, { care: value })).body.details.errors).toEqual({ "values.care": "is required" })
    await shop.call("PATCH", path, { body: { status: "draft" } })
    expect((await put(draft.id, { care: null })).status).toBe(200)
    await forget(definition.id)
  })

  it("of many products are written in one call, each row by itself", async () => {
    const made = [await define("care", "TEXT"), await define("size", "NUMBER")]
    const [table, chair] = [await product(), await product({ name: "Chair" })]
    await put(chair.id, { care: "wash" })
    const bulk = (values: ReadonlyArray<object>, more: object = {}) =>
      shop.call("POST", "/v1/metafield-values/bulk", { body: { values, ...more } })
    const done = await bulk([
      { productId: table.id, key: "care", value: "wool" },
      { productId: table.id, key: "size", value: "large" },
      { productId: chair.id, key: "care", value: "wash" },
      { productId: "prod_none", key: "care", value: "wool" },
      { productId: chair.id, key: "size", value: 4 },
      { productId: table.id, key: "care", value: "silk" }
    ])
    expect(done.status).toBe(200)
    const row = { conflictId: null, error: null }
    expect(done.body).toEqual({
      written: 2,
      refused: 3,
      results: [
        { ...row, index: 0, productId: table.id, key: "care", status: "WRITTEN" },
        {
          ...row,
          index: 1,
          productId: table.id,
          key: "size",
          status: "REFUSED",
          error: { code: "VALIDATION_FAILED", message: "Invalid request: size: must be a number" }
        },
        { ...row, index: 2, productId: chair.id, key: "care", status: "UNCHANGED" },
        {
          ...row,
          index: 3,
          productId: "prod_none",
          key: "care",
          status: "REFUSED",
          error: { code: "PRODUCT_NOT_FOUND", message: "No such product" }
        },
        { ...row, index: 4, productId: chair.id, key: "size", status: "WRITTEN" },
        {
          ...row,
          index: 5,
          productId: table.id,
          key: "care",
          status: "REFUSED",
          error: { code: "VALIDATION_FAILED", message: "Invalid request: care: is there twice" }
        }
      ]
    })
    expect([await valuesOf(table.id), await valuesOf(chair.id)]).toEqual([{ care: "wool" }, { care: "wash", size: 4 }])
    expect([await eventsOf(table.id), (await eventsOf(chair.id)).at(-1)]).toEqual([
      [{ care: "wool" }],
      { care: "wash", size: 4 }
    ])
    const platform = await bulk([{ productId: chair.id, key: "care", value: "dry" }], { source: "shopify" })
    expect(platform.body.results[0]).toMatchObject({ status: "CONFLICT", error: null })
    expect(platform.body.results[0].conflictId).toMatch(/^mfconf_[0-9a-z]{26}$/)
    const rows = Array.from({ length: 1_001 }, () => ({ productId: table.id, key: "care", value: "x" }))
    expect((await bulk(rows)).status).toBe(400)
    expect((await bulk(rows.slice(1))).body.written).toBe(1)
    expect((await bulk([])).status).toBe(400)
    await forget(...made.map(({ id }) => id))
  })
})

describe("what a shopper can fill in", () => {
  it("is shown with the product it applies to, in the shopper's language, while it is active", async () => {
    const table = await product({ status: "active" })
    const chair = await product({ name: "Chair", status: "active" })
    const definition = await define("engraving", "TEXT", {
      name: "Engraving",
      isCustomerInput: true,
      required: true,
      maxLength: 20,
      defaultValue: "Ada",
      productIds: [table.id],
      translations: { de: { name: "Gravur" } }
    })
    const read = async (id: string, query = "") =>
      (await shop.call("GET", `/vc/${shop.channelId}/products/${id}${query}`)).body.customizationFields
    const field = {
      id: definition.id,
      name: "Engraving",
      key: "engraving",
      description: null,
      type: "TEXT",
      required: true,
      minLength: null,
      maxLength: 20,
      minValue: null,
      maxValue: null,
      dateAvailability: null,
      enumValues: [],
      defaultValue: "Ada",
      position: 0
    }
    expect(await read(table.id)).toEqual([field])
    expect((await read(table.id, "?locale=de"))[0].name).toBe("Gravur")
    expect(await read(chair.id)).toEqual([])
    await shop.call("PATCH", `${definitions}/${definition.id}`, { body: { productIds: [chair.id] } })
    expect([await read(table.id), await read(chair.id)]).toEqual([[], [field]])
    await shop.call("PATCH", `${definitions}/${definition.id}`, { body: { isActive: false } })
    expect(await read(chair.id)).toEqual([])
    await forget(definition.id)
  })
})
