import { waitedFor } from "@effect-commerce/core/testing/LockWaits"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const rates = "/v1/tax/rates"
const create = (body: object) =>
  shop.call("POST", rates, { body: { name: "Sales tax", country: "US", rate: 8.875, ...body } })

describe("tax rates", () => {
  it("answer every documented field, the rate as a decimal string, and list as a bare array", async () => {
    const created = await create({
      region: "NY",
      postalCode: "10001",
      taxType: "sales",
      exceptionCountries: ["CA"],
      priority: 2,
      stackable: true
    })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: created.body.id,
      accountId: shop.accountId,
      storeId: shop.storeId,
      name: "Sales tax",
      country: "US",
      region: "NY",
      postalCode: "10001",
      rate: "8.875",
      taxType: "sales",
      isInclusive: false,
      priority: 2,
      stackable: true,
      exceptionCountries: ["CA"],
      isActive: true,
      taxClassId: null,
      createdAt: expect.stringMatching(isoTime),
      updatedAt: expect.stringMatching(isoTime)
    })
    expect((await shop.call("GET", `${rates}/${created.body.id}`)).body).toEqual(created.body)
    expect((await shop.call("GET", rates)).body).toEqual([created.body])
    const patched = await shop.call("PATCH", `${rates}/${created.body.id}`, {
      body: { rate: "9.0", region: null, isActive: false }
    })
    expect([
      patched.status,
      patched.body.rate,
      patched.body.region,
      patched.body.isActive,
      patched.body.postalCode
    ]).toEqual([200, "9", null, false, "10001"])
    const removed = await shop.call("DELETE", `${rates}/${created.body.id}`)
    expect([removed.status, removed.body]).toEqual([200, { success: true }])
    expect((await shop.call("DELETE", `${rates}/${created.body.id}`)).status).toBe(404)
    expect((await shop.call("GET", rates)).body).toEqual([])
  })

  it.each([
    ["country", { country: undefined }],
    ["country", { country: null }],
    ["country", { country: "USA" }],
    ["country", { country: "us" }],
    ["country", { country: "UK" }],
    ["name", { name: "  " }],
    ["name", { name: 7 }],
    ["rate", { rate: undefined }],
    ["rate", { rate: null }],
    ["rate", { rate: -0.01 }],
    ["rate", { rate: 100.001 }],
    ["rate", { rate: "19%" }],
    ["rate", { rate: "1e1" }],
    ["rate", { rate: "" }],
    ["priority", { priority: 1.5 }],
    ["priority", { priority: 4_294_967_296 }],
    ["isInclusive", { isInclusive: "yes" }],
    ["isActive", { isActive: null }],
    ["exceptionCountries.1", { exceptionCountries: ["CA", "XX"] }],
    ["taxClassId", { taxClassId: "taxclass_none" }]
  ])("refuse a wrong %s, naming it: %j", async (field, body) => {
    const refused = await create(body)
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      [field]
    ])
    expect(refused.body.message).toContain(field)
    expect((await shop.call("GET", rates)).body).toEqual([])
  })

  it("cannot lose their country, and keep it when an update is refused", async () => {
    const { body } = await create({})
    for (const patch of [{ country: null }, { country: "XX" }, { rate: 101, name: "x" }]) {
      expect((await shop.call("PATCH", `${rates}/${body.id}`, { body: patch })).status).toBe(400)
    }
    expect((await shop.call("GET", `${rates}/${body.id}`)).body).toEqual(body)
    await shop.call("DELETE", `${rates}/${body.id}`)
  })

  it("take the edges 0 and 100", async () => {
    for (const rate of [0, "100"]) {
      const made = await create({ rate })
      expect([made.status, made.body.rate]).toEqual([201, String(rate)])
      await shop.call("DELETE", `${rates}/${made.body.id}`)
    }
  })

  it("are made once per Idempotency-Key", async () => {
    const send = () =>
      shop.call("POST", rates, {
        body: { name: "Once", country: "US", rate: 1 },
        headers: { "idempotency-key": "tax-once" }
      })
    const [first, second] = [await send(), await send()]
    expect([second.status, second.body]).toEqual([201, first.body])
    expect((await shop.call("GET", rates)).body).toHaveLength(1)
    await shop.call("DELETE", `${rates}/${first.body.id}`)
  })

  it("need the tax scopes", async () => {
    const reader = await shop.mintKey({ scopes: ["tax:read"] })
    const stranger = await shop.mintKey({ scopes: ["shipping:*"] })
    expect((await shop.call("GET", rates, { key: reader })).status).toBe(200)
    const write = await shop.call("POST", rates, { key: reader, body: { name: "x", country: "US", rate: 1 } })
    expect([write.status, write.body.code, write.body.details]).toEqual([
      403,
      "INSUFFICIENT_SCOPE",
      { required: "tax:write" }
    ])
    expect((await shop.call("GET", rates, { key: stranger })).status).toBe(403)
  })
})

describe("tax classes", () => {
  it("are listed in the envelope, renamed, and kept while rates name them", async () => {
    const made = await shop.call("POST", "/v1/tax/classes", { body: { name: "Reduced" } })
    expect([made.status, Object.keys(made.body)]).toEqual([
      201,
      ["id", "accountId", "storeId", "name", "createdAt", "updatedAt"]
    ])
    const { id } = made.body
    expect((await shop.call("GET", "/v1/tax/classes")).body).toEqual({
      data: [made.body],
      meta: { page: 1, limit: 20, total: 1, totalPages: 1 }
    })
    const twin = await shop.call("POST", "/v1/tax/classes", { body: { name: "Reduced" } })
    expect([twin.status, twin.body.code]).toEqual([409, "CONFLICT"])
    expect((await shop.call("PATCH", `/v1/tax/classes/${id}`, { body: { name: "Food" } })).body.name).toBe("Food")
    const rate = await create({ taxClassId: id })
    expect(rate.body.taxClassId).toBe(id)
    const blocked = await shop.call("DELETE", `/v1/tax/classes/${id}`)
    expect([blocked.status, blocked.body.code, blocked.body.details]).toEqual([409, "CONFLICT", { usedBy: "rates" }])
    expect((await shop.call("PATCH", `${rates}/${rate.body.id}`, { body: { taxClassId: null } })).body.taxClassId).toBe(
      null
    )
    expect((await shop.call("DELETE", `/v1/tax/classes/${id}`)).body).toEqual({ success: true })
    expect((await shop.call("GET", `/v1/tax/classes/${id}`)).status).toBe(404)
  })

  it("are kept while products name them, and let go of by products that are deleted", async () => {
    const { id } = (await shop.call("POST", "/v1/tax/classes", { body: { name: "Books" } })).body
    const { body: book } = await shop.call("POST", "/v1/products", { body: { name: "Book", taxClassId: id } })
    const blocked = await shop.call("DELETE", `/v1/tax/classes/${id}`)
    expect([blocked.status, blocked.body.details]).toEqual([409, { usedBy: "products" }])
    await shop.call("DELETE", `/v1/products/${book.id}`)
    expect((await shop.call("DELETE", `/v1/tax/classes/${id}`)).body).toEqual({ success: true })
  })

  it("do not share a name with a blank", async () => {
    for (const body of [{}, { name: "" }, { name: null }]) {
      const refused = await shop.call("POST", "/v1/tax/classes", { body })
      expect([refused.status, Object.keys(refused.body.details.errors)]).toEqual([400, ["name"]])
    }
  })
})

describe("a tax class that two rename at once", () => {
  it("has a later version after the second than after the first", async () => {
    const { body: made } = await shop.call("POST", "/v1/tax/classes", { body: { name: "Books" } })
    const other = new pg.Client(shop.database.nodePostgres)
    await other.connect()
    await other.query("BEGIN")
    const first = "2099-01-01T00:00:00.000Z"
    await other.query("UPDATE tax_class SET name = 'Print', updated_at = $1 WHERE store_id = $2 AND id = $3", [
      first,
      shop.storeId,
      made.id
    ])
    const renaming = shop.call("PATCH", `/v1/tax/classes/${made.id}`, { body: { name: "Paper" } })
    await waitedFor(other)
    await other.query("COMMIT")
    await other.end()
    const { body } = await renaming
    expect([body.name, body.updatedAt]).toEqual(["Paper", "2099-01-01T00:00:00.001Z"])
  })

  it("is not found where the first has deleted it", async () => {
    const { body: made } = await shop.call("POST", "/v1/tax/classes", { body: { name: "Maps" } })
    const other = new pg.Client(shop.database.nodePostgres)
    await other.connect()
    await other.query("BEGIN")
    await other.query("DELETE FROM tax_class WHERE store_id = $1 AND id = $2", [shop.storeId, made.id])
    const renaming = shop.call("PATCH", `/v1/tax/classes/${made.id}`, { body: { name: "Charts" } })
    await waitedFor(other)
    await other.query("COMMIT")
    await other.end()
    expect((await renaming).status).toBe(404)
  })
})
