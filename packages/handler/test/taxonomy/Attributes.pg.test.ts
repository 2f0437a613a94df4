/** Attributes and their options. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const at = "/v1/attributes"
const make = (body: object) => shop.call("POST", at, { body })
const answer = async (call: ReturnType<TestCommerce["call"]>) => {
  const { status, body } = await call
  return [status, body?.code, body?.details?.errors ?? body?.details]
}
const names = (options: ReadonlyArray<{ readonly name: string }>) => options.map(({ name }) => name)

describe("an attribute", () => {
  it("is made with its options, with every documented field, and read, listed and deleted", async () => {
    const made = await make({
      name: " Colour ",
      displayType: "SWATCH",
      source: "SHOPIFY",
      platform: "shopify",
      externalId: "gid-1",
      platformMetadata: { a: 1 },
      translations: { de: { name: "Farbe" } },
      options: [
        { name: "Red", swatchColor: "#cc0000", swatchColor2: "#ffffff", swatchImageUrl: "https://i.example/r.png" },
        { name: "Blue sky", position: -1, isActive: false, externalId: "o-2", translations: { de: { name: "Blau" } } }
      ]
    })
    expect(made.status).toBe(201)
    const [blue, red] = made.body.options
    expect(made.body).toEqual({
      id: made.body.id,
      accountId: shop.accountId,
      storeId: shop.storeId,
      name: "Colour",
      displayType: "SWATCH",
      source: "SHOPIFY",
      platform: "shopify",
      externalId: "gid-1",
      platformMetadata: { a: 1 },
      translations: { de: { name: "Farbe" } },
      isActive: true,
      deletedAt: null,
      createdAt: made.body.createdAt,
      updatedAt: made.body.updatedAt,
      productCount: 0,
      options: [blue, red]
    })
    expect(blue).toMatchObject({
      name: "Blue sky",
      value: "blue-sky",
      position: -1,
      isActive: false,
      externalId: "o-2"
    })
    expect(red).toEqual({
      id: red.id,
      attributeId: made.body.id,
      name: "Red",
      value: "red",
      swatchColor: "#cc0000",
      swatchColor2: "#ffffff",
      swatchImageUrl: "https://i.example/r.png",
      source: "INTERNAL",
      platform: null,
      externalId: null,
      platformMetadata: {},
      translations: {},
      position: 0,
      isActive: true,
      deletedAt: null,
      createdAt: red.createdAt,
      updatedAt: red.updatedAt
    })
    expect((await shop.call("GET", `${at}/${made.body.id}`)).body).toEqual(made.body)
    await make({ name: "Size" })
    const found = async (query: string) =>
      (await shop.call("GET", `${at}?${query}`)).body.data.map(({ name }: { readonly name: string }) => name)
    expect(await found("")).toEqual(["Colour", "Size"])
    expect(await found("search=OLO")).toEqual(["Colour"])
    expect(await found("platform=Shopify")).toEqual(["Colour"])
    expect(await found("source=INTERNAL")).toEqual(["Size"])
    expect(await found("source=MAGENTO")).toEqual([])
    expect((await shop.call("DELETE", `${at}/${made.body.id}`)).body).toEqual({ success: true })
    for (const method of ["GET", "PATCH", "DELETE"])
      expect(await answer(shop.call(method, `${at}/${made.body.id}`, method === "PATCH" ? { body: {} } : {}))).toEqual([
        404,
        "RESOURCE_NOT_FOUND",
        undefined
      ])
    expect((await make({ name: "colour", externalId: "gid-1" })).status).toBe(201)
  })

  it("keeps its name, and its options keep theirs, whatever the case", async () => {
    const { body: shape } = await make({ name: "Shape", options: [{ name: "Round" }] })
    expect(await answer(make({ name: "SHAPE" }))).toEqual([409, "CONFLICT", { name: "SHAPE" }])
    expect(await answer(make({ name: "Form", options: [{ name: "A" }, { name: "a" }] }))).toEqual([
      409,
      "CONFLICT",
      { name: "a" }
    ])
    expect(
      await answer(
        make({
          name: "Form",
          options: [
            { name: "A", value: "x" },
            { name: "B", value: "x" }
          ]
        })
      )
    ).toEqual([409, "CONFLICT", { value: "x" }])
    const options = `${at}/${shape.id}/options`
    expect(await answer(shop.call("POST", options, { body: { name: "rOUND" } }))).toEqual([
      409,
      "CONFLICT",
      { name: "rOUND" }
    ])
    expect((await shop.call("GET", `${at}?search=form`)).body.meta.total).toBe(0)
    // Values that are made of names give way.
    const { body } = await make({ name: "Language", options: [{ name: "C" }, { name: "C++" }, { name: "C#" }] })
    expect(body.options.map(({ value }: { readonly value: string }) => value)).toEqual(["c", "c-2", "c-3"])
  })

  it.each([
    ["no name", {}, "name"],
    ["an empty name", { name: " " }, "name"],
    ["a name of 101 characters", { name: "x".repeat(101) }, "name"],
    ["an unknown source", { name: "a", source: "ETSY" }, "source"],
    ["a colour that is none", { name: "a", options: [{ name: "b", swatchColor: "red" }] }, "options.0.swatchColor"],
    ["an option without a name", { name: "a", options: [{}] }, "options.0.name"],
    ["metadata of more than 4 KiB", { name: "a", platformMetadata: { a: "x".repeat(4_096) } }, "platformMetadata"],
    ["501 options", { name: "a", options: Array.from({ length: 501 }, (_, i) => ({ name: `o${i}` })) }, "options"]
  ])("with %s is refused with 400, and nothing is kept", async (_what, body, field) => {
    const refused = await make(body)
    expect([refused.status, Object.keys(refused.body.details.errors)]).toEqual([400, [field]])
    expect((await shop.call("GET", `${at}?search=a&limit=100`)).body.data.map((one: { name: string }) => one.name))
      .not // .
      .toContain("a")
  })

  it("has 500 options at most, also when they come one by one", async () => {
    const { status, body } = await make({
      name: "Many",
      options: Array.from({ length: 500 }, (_, i) => ({ name: `o${i}` }))
    })
    expect([status, body.options.length]).toEqual([201, 500])
    expect(await answer(shop.call("POST", `${at}/${body.id}/options`, { body: { name: "one more" } }))).toEqual([
      400,
      "VALIDATION_FAILED",
      { options: "an attribute has at most 500 options" }
    ])
  })

  it("has its options changed by id, deleted with _delete, and added without an id; names may be exchanged", async () => {
    const { body: made } = await make({ name: "Width", options: [{ name: "S" }, { name: "M" }, { name: "L" }] })
    const [s, m, l] = made.options
    const path = `${at}/${made.id}`
    const { status, body } = await shop.call("PATCH", path, {
      body: {
        name: "Breadth",
        options: [
          { id: s.id, name: "M", value: "m" },
          { id: m.id, name: "S", value: "s" },
          { id: l.id, _delete: true },
          { name: "XL" }
        ]
      }
    })
    expect([status, body.name, names(body.options)]).toEqual([200, "Breadth", ["M", "S", "XL"]])
    expect(body.options[0].id).toBe(s.id)
    expect(body.updatedAt > made.updatedAt).toBe(true)
    for (const [change, field] of [
      [{ id: "opt_none", name: "N" }, "options.0.id"],
      [{ _delete: true }, "options.0.id"],
      [{ position: 3 }, "options.0.name"]
    ] as const)
      expect((await answer(shop.call("PATCH", path, { body: { options: [change] } })))[2]).toHaveProperty([field])
    const added = await shop.call("POST", `${path}/options`, { body: { name: "XXL" } })
    expect([added.status, added.body.position]).toEqual([201, 4])
    const option = `${path}/options/${added.body.id}`
    const renamed = await shop.call("PATCH", option, { body: { name: "Huge", value: null, swatchColor: "#abc" } })
    expect([renamed.body.name, renamed.body.value, renamed.body.swatchColor]).toEqual(["Huge", "huge", "#abc"])
    expect((await shop.call("DELETE", option)).body).toEqual({ success: true })
    expect(await answer(shop.call("DELETE", option))).toEqual([404, "RESOURCE_NOT_FOUND", undefined])
    expect(names((await shop.call("GET", path)).body.options)).toEqual(["M", "S", "XL"])
  })

  it("is changed only by who has read it as it is", async () => {
    const { body: made } = await make({ name: "Versioned", options: [{ name: "A" }] })
    const change = (path: string, version: string, body: object) =>
      shop.call("PATCH", path, { body, headers: { "if-match": `"${version}"` } })
    const path = `${at}/${made.id}`
    const option = `${path}/options/${made.options[0].id}`
    expect((await change(option, made.options[0].updatedAt, { name: "B" })).status).toBe(200)
    expect((await change(option, made.options[0].updatedAt, { name: "C" })).body.code).toBe("CONFLICT")
    expect((await change(path, made.updatedAt, { name: "Late" })).body.code).toBe("CONFLICT")
    const add = (version: string) =>
      shop.call("POST", `${path}/options`, { body: { name: "Z" }, headers: { "if-match": `"${version}"` } })
    expect((await add(made.updatedAt)).body.code).toBe("CONFLICT")
    const read = (await shop.call("GET", path)).body
    expect(read.options.map(({ name }: { name: string }) => name)).toEqual(["B"])
    expect([(await add(read.updatedAt)).status, (await add(read.updatedAt)).body.code]).toEqual([201, "CONFLICT"])
  })
})
