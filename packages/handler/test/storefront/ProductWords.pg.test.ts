/** Small texts of products: tags, ids of other systems, options; and versions of what is added to a product. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

const create = (body: object) => shop.call("POST", "/v1/products", { body: { name: "Lamp", ...body } })

it("tags are trimmed and each there once", async () => {
  const { body } = await create({ tags: [" sale", "new", "sale ", "New"] })
  expect(body.tags).toEqual(["sale", "new", "New"])
  const patched = await shop.call("PATCH", `/v1/products/${body.id}`, { body: { tags: ["b", "a", "b"] } })
  expect(patched.body.tags).toEqual(["b", "a"])
  expect((await shop.call("PATCH", `/v1/products/${body.id}`, { body: {} })).body.tags).toEqual(["b", "a"])
})

it.each([
  [{ tags: ["sale", " "] }, "tags.1", "must not be empty"],
  [{ externalSourceId: "" }, "externalSourceId", "must not be empty"],
  [{ variants: [{ externalId: " " }] }, "variants.0.externalId", "must not be empty"],
  [{ variants: [{ attributes: { Size: "" } }] }, "variants.0.attributes", "must not have empty names"],
  [{ variants: [{ attributes: { " ": "S" } }] }, "variants.0.attributes", "must not have empty names"]
])("words that say nothing are refused: %j", async (body, field, reason) => {
  const refused = await create(body)
  expect([refused.status, refused.body.code, refused.body.details]).toEqual([
    400,
    "VALIDATION_FAILED",
    { errors: { [field]: reason } }
  ])
})

it("links to other products are each there once, may be sent back as they were read, and lead elsewhere", async () => {
  const [{ body: chair }, { body: sofa }] = [await create({}), await create({})]
  const made = await create({ related: [chair.id, sofa.id, chair.id], crossSells: [chair.id] })
  expect([made.body.related, made.body.crossSells]).toEqual([[chair.id, sofa.id], [chair.id]])
  const change = (body: object) => shop.call("PATCH", `/v1/products/${made.body.id}`, { body })
  await shop.call("DELETE", `/v1/products/${chair.id}`)
  const kept = await change({ related: [sofa.id, chair.id], crossSells: [] })
  expect([kept.status, kept.body.related, kept.body.crossSells]).toEqual([200, [sofa.id, chair.id], []])
  for (const [body, field, reason] of [
    [{ crossSells: [chair.id] }, "crossSells", `${chair.id} is not a product of this store`],
    [{ upsells: [made.body.id] }, "upsells", "must not name the product itself"]
  ] as const) {
    const refused = await change(body)
    expect([refused.status, refused.body.details]).toEqual([400, { errors: { [field]: reason } }])
  }
})

it("a variant is added only by who has read the product as it is", async () => {
  const { body: product } = await create({ variants: [{ attributes: { Size: "S" } }] })
  const path = `/v1/products/${product.id}`
  const add = (size: string, version: string) =>
    shop.call("POST", `${path}/variants`, {
      body: { attributes: { Size: size } },
      headers: { "if-match": `"${version}"` }
    })
  expect((await add("M", product.updatedAt)).status).toBe(201)
  const late = await add("L", product.updatedAt)
  const { body: read } = await shop.call("GET", path)
  expect([late.status, late.body.code, late.body.details]).toEqual([409, "CONFLICT", { updatedAt: read.updatedAt }])
  expect(read.variants.map(({ name }: { name: string }) => name)).toEqual(["S", "M"])
  expect((await add("L", read.updatedAt)).status).toBe(201)
})

it("each change of a variant gives the product another version, and each change of the product too", async () => {
  const { body: product } = await create({ variants: [{ attributes: { Size: "S" } }, { attributes: { Size: "M" } }] })
  const path = `/v1/products/${product.id}`
  const version = async () => (await shop.call("GET", path)).body.updatedAt
  const versions = [product.updatedAt]
  const [small, medium] = product.variants
  for (const [method, at, body] of [
    ["PATCH", `${path}/variants/${small.id}`, { sku: "S-1" }],
    ["DELETE", `${path}/variants/${medium.id}`, undefined],
    ["POST", `${path}/variants`, { attributes: { Size: "L" } }]
  ] as const) {
    const written = await shop.call(method, at, body === undefined ? {} : { body })
    expect([at, written.status < 300]).toEqual([at, true])
    versions.push(await version())
  }
  expect(versions).toEqual([...new Set(versions)].toSorted())
  const late = await shop.call("PATCH", path, { body: { name: "Late" }, headers: { "if-match": `"${versions[0]}"` } })
  expect([late.status, late.body.details]).toEqual([409, { updatedAt: versions.at(-1) }])
  const many = await Promise.all(
    Array.from({ length: 20 }, (_, i) => shop.call("PATCH", path, { body: { menuOrder: i } }))
  )
  expect(new Set(many.map(({ body }) => body.updatedAt)).size).toBe(20)
})
