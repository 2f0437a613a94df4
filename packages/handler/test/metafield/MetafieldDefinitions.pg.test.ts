import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const at = "/v1/metafield-definitions"
const make = (body: object) => shop.call("POST", at, { body })
const change = (id: string, body: object) => shop.call("PATCH", `${at}/${id}`, { body })
const product = async (body: object = {}) =>
  (await shop.call("POST", "/v1/products", { body: { name: "Table", basePrice: "10.00", ...body } })).body
const put = (productId: string, values: object) =>
  shop.call("PUT", `/v1/products/${productId}/metafields`, { body: { values } })
const oak = { value: "oak", label: "Oak" }

describe("a metafield definition", () => {
  it("is made with every field that it has, read, listed, changed and deleted", async () => {
    const { body: table } = await shop.call("POST", "/v1/products", { body: { name: "Table", basePrice: "10.00" } })
    const made = await make({
      name: " Material ",
      key: "material",
      type: "SELECT",
      description: "What it is made of",
      required: false,
      filterable: true,
      productIds: [table.id],
      enumValues: [oak, { value: "ash", swatchColor: "#AABBCC", swatchImageUrl: "https://cdn.example.com/ash.png" }],
      defaultValue: "oak",
      position: 3,
      translations: { de: { name: "Material", enumValues: { oak: "Eiche" } } }
    })
    expect(made.status).toBe(201)
    const { id, createdAt, updatedAt } = made.body
    expect(made.body).toEqual({
      id,
      accountId: shop.accountId,
      storeId: shop.storeId,
      name: "Material",
      key: "material",
      description: "What it is made of",
      type: "SELECT",
      required: false,
      isCustomerInput: false,
      appliesToAllProducts: false,
      filterable: true,
      minLength: null,
      maxLength: null,
      minValue: null,
      maxValue: null,
      dateAvailability: null,
      enumValues: [
        { label: "Oak", value: "oak", swatchColor: null, swatchImageUrl: null },
        { label: "ash", value: "ash", swatchColor: "#aabbcc", swatchImageUrl: "https://cdn.example.com/ash.png" }
      ],
      defaultValue: "oak",
      position: 3,
      isActive: true,
      publishedOn: [],
      platformIds: {},
      platformMetadata: {},
      syncStatus: {},
      lastSyncedAt: {},
      source: "INTERNAL",
      products: [{ id: table.id, name: "Table" }],
      channelPublishes: [],
      vibeCodedPublishes: [],
      _count: { values: 0 },
      translations: { de: { name: "Material", enumValues: { oak: "Eiche" } } },
      createdAt,
      updatedAt
    })
    expect((await shop.call("GET", `${at}/${id}`)).body).toEqual(made.body)
    expect((await shop.call("GET", at)).body).toEqual([made.body])
    const changed = await change(id, { name: "Wood", description: null, position: 1, isActive: false })
    expect([changed.status, changed.body.name, changed.body.description, changed.body.products.length]).toEqual([
      200,
      "Wood",
      null,
      1
    ])
    expect(changed.body.updatedAt > updatedAt).toBe(true)
    const stale = await shop.call("PATCH", `${at}/${id}`, {
      body: { name: "Late" },
      headers: { "if-match": `"${updatedAt}"` }
    })
    expect([stale.status, stale.body.code]).toEqual([409, "CONFLICT"])
    expect((await shop.call("DELETE", `${at}/${id}`)).body).toEqual({ success: true })
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const gone = await shop.call(method, `${at}/${id}`, method === "PATCH" ? { body: {} } : {})
      expect([method, gone.status, gone.body.code]).toEqual([method, 404, "RESOURCE_NOT_FOUND"])
    }
  })

  it("has a key of its own in the store", async () => {
    const { body: first } = await make({ name: "Care", key: "care", type: "TEXT" })
    const twin = await make({ name: "Other", key: "care", type: "TEXT" })
    expect([twin.status, twin.body.code, twin.body.details]).toEqual([409, "CONFLICT", { key: "care" }])
    const { body: other } = await make({ name: "Other", key: "other", type: "TEXT" })
    const renamed = await change(other.id, { key: "care" })
    expect([renamed.status, renamed.body.details]).toEqual([409, { key: "care" }])
    const elsewhere = await shop.openStore()
    const theirs = await shop.call("POST", at, {
      key: elsewhere.apiKey,
      body: { name: "Care", key: "care", type: "TEXT" }
    })
    expect(theirs.status).toBe(201)
    for (const { id } of [first, other]) await shop.call("DELETE", `${at}/${id}`)
  })

  it.each([
    [{ key: "Material" }, "key"],
    [{ key: "1st" }, "key"],
    [{ key: "a".repeat(65) }, "key"],
    [{ name: " " }, "name"],
    [{ type: "TXT" }, "type"],
    [{ minValue: 1 }, "minValue"],
    [{ type: "NUMBER", maxLength: 3 }, "maxLength"],
    [{ type: "NUMBER", minValue: 3, maxValue: 2 }, "minValue"],
    [{ minLength: 4, maxLength: 3 }, "minLength"],
    [{ maxLength: 5_001 }, "maxLength"],
    [{ type: "GALLERY", minLength: 51 }, "minLength"],
    [{ dateAvailability: {} }, "dateAvailability"],
    [{ type: "DATE", dateAvailability: { from: "2026-02-30" } }, "dateAvailability.from"],
    [{ type: "DATE", dateAvailability: { from: "2026-02-02", to: "2026-02-01" } }, "dateAvailability.to"],
    [{ type: "DATE", dateAvailability: { minDaysAhead: 3, maxDaysAhead: 2 } }, "dateAvailability.maxDaysAhead"],
    [{ type: "DATE", dateAvailability: { weekdays: [] } }, "dateAvailability.weekdays"],
    [{ type: "DATE", dateAvailability: { unavailableDates: ["2026-13-01"] } }, "dateAvailability.unavailableDates.0"],
    [{ enumValues: [oak] }, "enumValues"],
    [{ type: "SELECT" }, "enumValues"],
    [{ type: "SELECT", enumValues: [oak, { value: "OAK" }] }, "enumValues.1"],
    [{ type: "SELECT", enumValues: [{ value: "a,b" }] }, "enumValues.0"],
    [{ type: "SELECT", enumValues: [{ value: "a", swatchColor: "red" }] }, "enumValues.0"],
    [{ type: "SELECT", enumValues: [oak], defaultValue: "ash" }, "defaultValue"],
    [{ type: "NUMBER", maxValue: 3, defaultValue: 4 }, "defaultValue"],
    [{ type: "JSON", isCustomerInput: true }, "isCustomerInput"],
    [{ type: "JSON", filterable: true }, "filterable"],
    [{ isCustomerInput: true, filterable: true }, "filterable"],
    [{ productIds: ["prod_none"] }, "productIds.0"],
    [{ appliesToAllProducts: true, productIds: ["prod_none"] }, "productIds"]
  ])("is refused where its parts do not fit: %j", async (body, field) => {
    const refused = await make({ name: "Care", key: "care", type: "TEXT", ...body })
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      [field]
    ])
    expect((await shop.call("GET", at)).body).toEqual([])
  })

  it("has at most 200 choices, and a store 200 definitions", async () => {
    const choices = (count: number) => Array.from({ length: count }, (_, i) => ({ value: `v${i}` }))
    const full = { name: "Many", key: "many", type: "SELECT", enumValues: choices(200) }
    expect((await make({ ...full, enumValues: choices(201) })).status).toBe(400)
    const made = await make(full)
    expect([made.status, made.body.enumValues.length]).toEqual([201, 200])
    const all = await Promise.all(
      Array.from({ length: 199 }, (_, i) => make({ name: "Filler", key: `filler_${i}`, type: "TEXT" }))
    )
    expect(all.every(({ status }) => status === 201)).toBe(true)
    const beyond = await make({ name: "Filler", key: "beyond", type: "TEXT" })
    expect([beyond.status, beyond.body.details.errors]).toEqual([
      400,
      { metafieldDefinitions: "there are 200 metafield definitions, which is the most" }
    ])
    for (const { body } of [made, ...all]) await shop.call("DELETE", `${at}/${body.id}`)
  })

  it("may be filterable together with 49 others: facets count the values of all of them", async () => {
    const field = (i: number, filterable: boolean) => ({ name: "Field", key: `field_${i}`, type: "TEXT", filterable })
    const all = await Promise.all(Array.from({ length: 51 }, (_, i) => make(field(i, i < 49))))
    const [one, other] = all.slice(49).map(({ body }) => body.id)
    const refusal = { filterableMetafields: "there are 50 filterable metafield definitions, which is the most" }
    const switched = await Promise.all([one, other].map((id) => change(id, { filterable: true })))
    expect(switched.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(switched.find(({ status }) => status === 400)?.body.details.errors).toEqual(refusal)
    expect((await make(field(51, true))).body.details.errors).toEqual(refusal)
    const last = await make(field(51, false))
    // One that is filterable already changes otherwise.
    expect((await change(all[0]?.body.id, { name: "Renamed", filterable: true })).status).toBe(200)
    for (const { body } of [...all, last]) await shop.call("DELETE", `${at}/${body.id}`)
  })

  it("holds at most 64 KiB of texts, and all of a store 1 MiB", async () => {
    const empty = JSON.stringify(["Long", null, [], null, { de: { name: "" } }]).length
    const long = (bytes: number) => ({
      name: "Long",
      type: "TEXT",
      translations: { de: { name: "x".repeat(bytes - empty) } }
    })
    const tooLong = await make({ key: "long", ...long(65_537) })
    expect([tooLong.status, Object.keys(tooLong.body.details.errors)]).toEqual([400, ["enumValues"]])
    const ids: Array<string> = []
    for (let i = 0; i < 16; i++) {
      const made = await make({ key: `long_${i}`, ...long(65_536) })
      expect(made.status).toBe(201)
      ids.push(made.body.id)
    }
    const beyond = await make({ key: "beyond", ...long(100) })
    expect([beyond.status, Object.keys(beyond.body.details.errors)]).toEqual([400, ["enumValues"]])
    expect((await change(ids[0] ?? "", { name: "Lang" })).status).toBe(200)
    expect((await change(ids[0] ?? "", { name: "Longer" })).status).toBe(400)
    for (const id of ids) await shop.call("DELETE", `${at}/${id}`)
  })

  it("keeps what gives values that are there their meaning", async () => {
    const [table, chair] = [await product(), await product({ name: "Chair" })]
    const { body: made } = await make({
      name: "Material",
      key: "material",
      type: "MULTI_SELECT",
      enumValues: [oak, { value: "ash" }, { value: "elm" }]
    })
    expect((await put(table.id, { material: ["oak", "ash"] })).status).toBe(200)
    expect((await shop.call("GET", `${at}/${made.id}`)).body._count).toEqual({ values: 1 })
    for (const [body, field] of [
      [{ type: "TEXT", enumValues: [] }, "type"],
      // Also where its choices do not suit the other type.
      [{ type: "TEXT" }, "type"],
      [{ isCustomerInput: true }, "isCustomerInput"],
      [{ enumValues: [oak, { value: "elm" }] }, "enumValues"],
      [{ productIds: [chair.id] }, "productIds"]
    ] as const) {
      const refused = await change(made.id, body)
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([
        409,
        "CONFLICT",
        { field, valueCount: 1 }
      ])
    }
    const fewer = await change(made.id, { enumValues: [oak, { value: "ash", label: "Ash tree" }] })
    expect([fewer.status, fewer.body.enumValues.length]).toEqual([200, 2])
    const attached = await change(made.id, { productIds: [table.id] })
    expect([attached.body.appliesToAllProducts, attached.body.products]).toEqual([
      false,
      [{ id: table.id, name: "Table" }]
    ])
    const everywhere = await change(made.id, { appliesToAllProducts: true })
    expect([everywhere.body.appliesToAllProducts, everywhere.body.products]).toEqual([true, []])

    const kept = await shop.call("DELETE", `${at}/${made.id}`)
    expect([kept.status, kept.body.code, kept.body.details]).toEqual([
      409,
      "CONFLICT",
      { field: "definition", valueCount: 1 }
    ])
    expect((await shop.call("DELETE", `${at}/${made.id}?force=true`)).status).toBe(200)
    expect((await shop.call("GET", `/v1/products/${table.id}/metafields`)).body).toEqual({ values: {} })
    for (const { id } of [table, chair]) await shop.call("DELETE", `/v1/products/${id}`)
  })

  it("forgets a deleted product, which no longer stands in the way of a change", async () => {
    const table = await product()
    const { body: made } = await make({ name: "Care", key: "care", type: "TEXT", productIds: [table.id] })
    await put(table.id, { care: "wool" })
    await shop.call("DELETE", `/v1/products/${table.id}`)
    const changed = await change(made.id, { type: "NUMBER" })
    expect([changed.status, changed.body.type, changed.body._count, changed.body.products]).toEqual([
      200,
      "NUMBER",
      { values: 0 },
      []
    ])
    await shop.call("DELETE", `${at}/${made.id}`)
  })

  it("is shown to storefronts by position, in the language asked for, and not while it is inactive", async () => {
    const made = [
      await make({
        name: "Material",
        key: "material",
        type: "SELECT",
        filterable: true,
        position: 2,
        enumValues: [oak],
        translations: { de: { name: "Werkstoff", description: "Woraus", enumValues: { oak: "Eiche" } } }
      }),
      await make({ name: "Engraving", key: "engraving", type: "TEXT", position: 1, isCustomerInput: true }),
      await make({ name: "Hidden", key: "hidden", type: "TEXT", isActive: false })
    ].map(({ body }) => body)
    const path = `/vc/${shop.channelId}/metafield-definitions`
    const read = await shop.call("GET", path)
    expect(read.body).toEqual({
      definitions: [
        {
          id: made[1].id,
          name: "Engraving",
          key: "engraving",
          description: null,
          type: "TEXT",
          required: false,
          filterable: false,
          enumValues: [],
          position: 1
        },
        {
          id: made[0].id,
          name: "Material",
          key: "material",
          description: null,
          type: "SELECT",
          required: false,
          filterable: true,
          enumValues: [{ label: "Oak", value: "oak", swatchColor: null, swatchImageUrl: null }],
          position: 2
        }
      ]
    })
    const german = await shop.call("GET", `${path}?locale=de`)
    const [, material] = german.body.definitions
    expect([material.name, material.description, material.enumValues[0].label]).toEqual([
      "Werkstoff",
      "Woraus",
      "Eiche"
    ])
    for (const { id } of made) await shop.call("DELETE", `${at}/${id}`)
  })
})
