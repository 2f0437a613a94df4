import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let product: { readonly id: string; readonly name: string }
let definitionId: string
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const definitions = "/v1/metafield-definitions"
const conflicts = "/v1/metafield-conflicts"
const put = (care: unknown, source?: string) =>
  shop.call("PUT", `/v1/products/${product.id}/metafields`, {
    body: { values: { care }, ...(source === undefined ? {} : { source }) }
  })
const care = async () => (await shop.call("GET", `/v1/products/${product.id}/metafields`)).body.values.care
const list = async (query = "") => (await shop.call("GET", `${conflicts}${query}`)).body
const resolve = (id: string, body: object) => shop.call("POST", `${conflicts}/${id}/resolve`, { body })
const ignore = (id: string) => shop.call("POST", `${conflicts}/${id}/ignore`)
/** The merchant writes "wool", then the platform sends this. */
const disputed = async (value: unknown, source = "shopify") => {
  await put("wool")
  const sent = await put(value, source)
  return sent.body.conflicts[0]?.conflictId as string
}

beforeEach(async () => {
  for (const definition of (await shop.call("GET", definitions)).body)
    await shop.call("DELETE", `${definitions}/${definition.id}?force=true`)
  const body = { name: "Care", key: "care", type: "TEXT", maxLength: 10 }
  definitionId = (await shop.call("POST", definitions, { body })).body.id
  product = (await shop.call("POST", "/v1/products", { body: { name: "Scarf", sku: "S-1", basePrice: "1.00" } })).body
})

describe("a metafield conflict", () => {
  it("arises where a platform's value differs from what somebody else wrote, and changes nothing", async () => {
    expect((await put("wool")).body.conflicts).toEqual([])
    const before = (await shop.call("GET", `/v1/products/${product.id}`)).body.updatedAt
    const sent = await put("silk", "shopify")
    expect([sent.status, sent.body.values]).toEqual([200, { care: "wool" }])
    const [{ conflictId }] = sent.body.conflicts
    expect(sent.body.conflicts).toEqual([{ conflictId, key: "care" }])
    const [conflict] = await list()
    expect(conflict).toEqual({
      id: conflictId,
      storeId: shop.storeId,
      productId: product.id,
      metafieldDefinitionId: definitionId,
      sourcePlatform: "shopify",
      sourceValue: "silk",
      currentValue: "wool",
      status: "PENDING",
      resolution: null,
      resolvedAt: null,
      createdAt: conflict.createdAt,
      updatedAt: conflict.updatedAt,
      product: { id: product.id, name: "Scarf", sku: "S-1" },
      definition: { id: definitionId, name: "Care", key: "care", type: "TEXT" }
    })
    expect((await shop.call("GET", `/v1/products/${product.id}`)).body.updatedAt).toBe(before)
  })

  it("does not arise where nothing was written, the same platform wrote, or the values are the same", async () => {
    expect((await put("silk", "shopify")).body).toEqual({ values: { care: "silk" }, conflicts: [] })
    expect((await put("wool", "shopify")).body).toEqual({ values: { care: "wool" }, conflicts: [] })
    expect((await put("wool", "magento")).body).toEqual({ values: { care: "wool" }, conflicts: [] })
    expect((await put("linen", "magento")).body.conflicts.length).toBe(1)
    expect((await put("hemp")).body).toEqual({ values: { care: "hemp" }, conflicts: [] })
  })

  it("is one for each platform: a later value replaces the open one, and one that agrees settles it", async () => {
    const id = await disputed("silk")
    expect((await put("linen", "shopify")).body.conflicts).toEqual([{ conflictId: id, key: "care" }])
    const other = (await put("hemp", "magento")).body.conflicts[0].conflictId
    expect(other).not.toBe(id)
    expect((await list()).map((one: { sourceValue: unknown }) => one.sourceValue)).toEqual(["hemp", "linen"])
    await put("cotton")
    expect((await list()).map((one: { currentValue: unknown }) => one.currentValue)).toEqual(["cotton", "cotton"])
    expect((await put("cotton", "shopify")).body.conflicts).toEqual([])
    expect(await list("?status=RESOLVED")).toMatchObject([{ id, resolution: "keep_current", currentValue: "cotton" }])
    expect(await list("?status=PENDING")).toMatchObject([{ id: other }])
    expect((await list("?limit=1")).length).toBe(1)
    expect((await shop.call("GET", `${conflicts}?status=OPEN`)).status).toBe(400)
  })

  it.each([
    ["accept_source", {}, "silk"],
    ["keep_current", {}, "wool"],
    ["custom", { value: "linen" }, "linen"],
    ["custom", { value: null }, undefined]
  ] as const)("is resolved once, by %s %j", async (resolution, more, expected) => {
    const id = await disputed("silk")
    const done = await resolve(id, { resolution, ...more })
    expect([done.status, done.body.id, done.body.status, done.body.resolution]).toEqual([
      200,
      id,
      "RESOLVED",
      resolution
    ])
    expect([done.body.currentValue, done.body.sourceValue, typeof done.body.resolvedAt]).toEqual([
      "wool",
      "silk",
      "string"
    ])
    expect(await care()).toBe(expected)
    for (const again of [await resolve(id, { resolution }), await ignore(id)])
      expect([again.status, again.body.code, again.body.details]).toEqual([409, "CONFLICT", { status: "RESOLVED" }])
    expect(await care()).toBe(expected)
  })

  it("tells of the product once where its value changes, and not where it stays", async () => {
    const updates = async () => {
      const { body } = await shop.call("GET", "/v1/events?types=product.updated&limit=100")
      return body.data.filter(({ data }: { data: { productId: string } }) => data.productId === product.id)
    }
    const toldBy = async (sent: string, settle: (id: string) => Promise<{ readonly status: number }>) => {
      const id = await disputed(sent)
      const before = (await updates()).length
      expect((await settle(id)).status).toBe(200)
      return (await updates()).slice(before)
    }
    expect(await toldBy("silk", (id) => resolve(id, { resolution: "keep_current" }))).toEqual([])
    expect(await toldBy("hemp", (id) => resolve(id, { resolution: "custom", value: "wool" }))).toEqual([])
    expect(await toldBy("linen", ignore)).toEqual([])
    const told = await toldBy("cotton", (id) => resolve(id, { resolution: "accept_source" }))
    expect(told).toMatchObject([{ data: { product: { metafields: { care: "cotton" } } } }])
  })

  it("is listed and settled by a key with the scope of metafields alone, and nobody else's is found", async () => {
    const id = await disputed("silk")
    const reader = await shop.mintKey({ scopes: ["metafields:read", "products:write"] })
    const other = await shop.openStore()
    expect((await shop.call("GET", conflicts, { key: reader })).body).toHaveLength(1)
    for (const action of ["resolve", "ignore"]) {
      const body = { resolution: "accept_source" }
      const refused = await shop.call("POST", `${conflicts}/${id}/${action}`, { key: reader, body })
      expect([refused.status, refused.body.code]).toEqual([403, "INSUFFICIENT_SCOPE"])
      const foreign = await shop.call("POST", `${conflicts}/${id}/${action}`, { key: other.apiKey, body })
      expect([foreign.status, foreign.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    }
    expect((await shop.call("GET", conflicts, { key: other.apiKey })).body).toEqual([])
    expect([(await list())[0].status, await care()]).toEqual(["PENDING", "wool"])
  })

  it("gives the platform what it accepted, and asks again only for another value", async () => {
    await resolve(await disputed("silk"), { resolution: "accept_source" })
    expect((await put("linen", "shopify")).body).toEqual({ values: { care: "linen" }, conflicts: [] })
    await resolve(await disputed("silk"), { resolution: "keep_current" })
    expect((await put("silk", "shopify")).body).toEqual({ values: { care: "wool" }, conflicts: [] })
    expect((await put("hemp", "shopify")).body.conflicts.length).toBe(1)
  })

  it("is ignored once, and the value of the platform with it", async () => {
    const id = await disputed("silk")
    const done = await ignore(id)
    expect([done.status, done.body.status, done.body.resolution]).toEqual([200, "IGNORED", null])
    expect(await care()).toBe("wool")
    for (const again of [await ignore(id), await resolve(id, { resolution: "accept_source" })])
      expect([again.status, again.body.code, again.body.details]).toEqual([409, "CONFLICT", { status: "IGNORED" }])
    expect((await put("silk", "shopify")).body.conflicts).toEqual([])
  })

  it("is refused a decision that says nothing, or a value that does not fit, and stays open", async () => {
    const id = await disputed("silk")
    for (const body of [{}, { resolution: null }]) {
      const refused = await resolve(id, body)
      expect([refused.status, refused.body.code]).toEqual([400, "RESOLUTION_REQUIRED"])
    }
    expect((await shop.call("POST", `${conflicts}/${id}/resolve`)).body.code).toBe("RESOLUTION_REQUIRED")
    for (const [body, errors] of [
      [{ resolution: "custom" }, { value: "is needed with custom" }],
      [{ resolution: "custom", value: 7 }, { value: "must be text" }]
    ] as const) {
      const refused = await resolve(id, body)
      expect([refused.status, refused.body.code, refused.body.details.errors]).toEqual([
        400,
        "VALIDATION_FAILED",
        errors
      ])
    }
    expect((await resolve(id, { resolution: "whatever" })).body.code).toBe("VALIDATION_FAILED")
    await shop.call("PATCH", `${definitions}/${definitionId}`, { body: { maxLength: 3 } })
    const late = await resolve(id, { resolution: "accept_source" })
    expect([late.status, late.body.details.errors]).toEqual([400, { value: "must have at most 3 characters" }])
    expect([(await list())[0].status, await care()]).toEqual(["PENDING", "wool"])
    for (const unknown of [await resolve("mfconf_none", {}), await ignore("mfconf_none")])
      expect([unknown.status, unknown.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    const stale = await shop.call("POST", `${conflicts}/${id}/ignore`, {
      headers: { "if-match": '"2020-01-01T00:00:00.000Z"' }
    })
    expect([stale.status, stale.body.code]).toEqual([409, "CONFLICT"])
  })

  it("also is what a platform would take away, and goes with the product", async () => {
    const id = await disputed(null)
    expect([(await list())[0].sourceValue, await care()]).toEqual([null, "wool"])
    expect((await resolve(id, { resolution: "accept_source" })).status).toBe(200)
    expect(await care()).toBe(undefined)
    const open = await disputed("silk")
    await shop.call("DELETE", `/v1/products/${product.id}`)
    expect(await list()).toEqual([])
    expect((await ignore(open)).status).toBe(404)
  })

  it("is settled by one of four who decide at once, in two processes", async () => {
    const twin = await shop.openTwin()
    const there = async (path: string, body: object = {}) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${shop.apiKey}` }
      const request = { method: "POST", headers, body: JSON.stringify(body) }
      const response = await twin.fetch(new Request(`http://commerce.test/api${path}`, request))
      // oxlint-disable-next-line typescript/no-explicit-any -- a test reads any path of any answer
      return { status: response.status, body: (await response.json()) as any }
    }
    for (let i = 0; i < 6; i++) {
      const id = await disputed(`silk ${i}`)
      const both = await Promise.all([
        ...[{ resolution: "accept_source" }, { resolution: "custom", value: "hemp" }].map((body) => resolve(id, body)),
        there(`${conflicts}/${id}/resolve`, { resolution: "keep_current" }),
        there(`${conflicts}/${id}/ignore`)
      ])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
      const done = both.find(({ status }) => status === 200)?.body
      const expected: Record<string, string> = { accept_source: `silk ${i}`, custom: "hemp" }
      expect(await care()).toBe(expected[done.resolution ?? ""] ?? "wool")
      expect(await list()).toEqual([])
    }
  })
})

it("are answered whole while they are open, also where there are more than a page", async () => {
  const settled = await disputed("silk")
  await ignore(settled)
  const ids: Array<string> = []
  for (let i = 0; i < 25; i++) {
    product = (await shop.call("POST", "/v1/products", { body: { name: `Scarf ${i}`, basePrice: "1.00" } })).body
    ids.push(await disputed(`silk ${i}`))
  }
  await resolve(ids[24] ?? "", { resolution: "keep_current" })
  const idsOf = async (query?: string) =>
    (await list(query))
      .filter(({ metafieldDefinitionId }: { metafieldDefinitionId: string }) => metafieldDefinitionId === definitionId)
      .map(({ id }: { readonly id: string }) => id)
  expect(await idsOf()).toEqual(ids.slice(0, 24).toReversed())
  expect([await idsOf("?status=RESOLVED"), await idsOf("?status=IGNORED")]).toEqual([[ids[24]], [settled]])
  expect((await list("?page=1&limit=3")).map(({ id }: { readonly id: string }) => id)).toEqual(
    ids.slice(21, 24).toReversed()
  )
})
