import { png } from "@effect-commerce/core/testing/TestImages"
import { formOf } from "../media/sendForm.ts"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const at = "/v1/brands"
const make = (body: object) => shop.call("POST", at, { body })
const change = (id: string, body: object) => shop.call("PATCH", `${at}/${id}`, { body })
const remove = (id: string) => shop.call("DELETE", `${at}/${id}`)
const shownNames = async (query = "") =>
  (await shop.call("GET", `/vc/${shop.channelId}/brands${query}`)).body.brands.map(({ name }: { name: string }) => name)
const product = async (name: string, body: object = {}) =>
  (
    await shop.call("POST", "/v1/products", {
      body: { name, basePrice: "10.00", status: "active", sku: name.toUpperCase(), ...body }
    })
  ).body

const asOwner = async (text: string, values: ReadonlyArray<unknown>) => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  try {
    return (await client.query(text, [...values])).rows
  } finally {
    await client.end()
  }
}

describe("a brand", () => {
  it("is made with every field of its shape, read, changed and deleted", async () => {
    const file = (await shop.call("POST", "/v1/media", { raw: formOf({ bytes: png(2, 2) }) })).body
    const made = await make({
      name: " Acme ",
      description: "Tools",
      logo: file.url,
      logoKey: file.key,
      source: "SHOPIFY",
      translations: { de: { name: "Akme" } }
    })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.stringMatching(/^brand_/),
      accountId: shop.accountId,
      storeId: shop.storeId,
      name: "Acme",
      slug: "acme",
      description: "Tools",
      logo: file.url,
      logoKey: file.key,
      platformIds: {},
      publishedOn: [],
      platformMetadata: {},
      source: "SHOPIFY",
      syncStatus: {},
      lastSyncedAt: {},
      translations: { de: { name: "Akme" } },
      isActive: true,
      deletedAt: null,
      productCount: 0,
      products: [],
      channelPublishes: [],
      vibeCodedPublishes: [],
      salesChannelIds: null,
      createdAt: expect.any(String),
      updatedAt: made.body.createdAt
    })
    const one = `${at}/${made.body.id}`
    expect((await shop.call("GET", one)).body).toEqual(made.body)
    const changed = await change(made.body.id, { description: null, slug: "the-acme", isActive: false })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({
      ...made.body,
      description: null,
      slug: "the-acme",
      isActive: false,
      updatedAt: changed.body.updatedAt
    })
    expect(changed.body.updatedAt > made.body.updatedAt).toBe(true)
    const stale = await shop.call("PATCH", one, {
      body: { name: "Late" },
      headers: { "if-match": `"${made.body.updatedAt}"` }
    })
    expect([stale.status, stale.body.code]).toEqual([409, "CONFLICT"])
    expect((await remove(made.body.id)).body).toEqual({ success: true })
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const gone = await shop.call(method, one, method === "PATCH" ? { body: {} } : {})
      expect([method, gone.status, gone.body.code]).toEqual([method, 404, "RESOURCE_NOT_FOUND"])
    }
  })

  it("has a name and a slug of its own, which a deleted one frees", async () => {
    const { body: first } = await make({ name: "North" })
    const twin = await make({ name: "North", slug: "other" })
    expect([twin.status, twin.body.code, twin.body.details]).toEqual([409, "CONFLICT", { name: "North" }])
    const same = await make({ name: "South", slug: "north" })
    expect([same.status, same.body.code, same.body.details]).toEqual([409, "CONFLICT", { slug: "north" }])
    const { body: numbered } = await make({ name: "North!" })
    expect(numbered.slug).toBe("north-2")
    const renamed = await change(numbered.id, { name: "North" })
    expect([renamed.status, renamed.body.details]).toEqual([409, { name: "North" }])
    await remove(first.id)
    const { body: again } = await make({ name: "North" })
    expect(again.slug).toBe("north")
    expect(again.id).not.toBe(first.id)
  })

  it("is refused field by field, and nothing is kept", async () => {
    const before = (await shop.call("GET", at)).body.meta.total
    for (const [body, field] of [
      [{}, "name"],
      [{ name: " " }, "name"],
      [{ name: "a".repeat(201) }, "name"],
      [{ name: "Bad", slug: "a b" }, "slug"],
      [{ name: "Bad", slug: "a".repeat(191) }, "slug"],
      [{ name: "Bad", source: "EBAY" }, "source"],
      [{ name: "Bad", description: "a".repeat(10_001) }, "description"],
      [{ name: "Bad", translations: { de: { name: "a".repeat(64 * 1_024) } } }, "translations"],
      [{ name: "Bad", isActive: "yes" }, "isActive"]
    ] as const) {
      const refused = await make(body)
      expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
        400,
        "VALIDATION_FAILED",
        [field]
      ])
    }
    expect((await shop.call("GET", at)).body.meta.total).toBe(before)
    expect((await make({ name: "a".repeat(200), slug: "a".repeat(190), description: "a".repeat(10_000) })).status).toBe(
      201
    )
  })

  it("is listed by name, searched, and filtered by the system it came from", async () => {
    await make({ name: "Zeta_1", source: "MAGENTO" })
    await make({ name: "Zeta 2" })
    const names = async (query: string) => {
      const { body } = await shop.call("GET", `${at}?${query}`)
      return [body.meta.total, body.data.map(({ name }: { name: string }) => name)]
    }
    expect(await names("search=zETA")).toEqual([2, ["Zeta 2", "Zeta_1"]])
    expect(await names("search=ta_")).toEqual([1, ["Zeta_1"]])
    expect(await names("platform=magento")).toEqual([1, ["Zeta_1"]])
    expect(await names("search=zeta&limit=1&page=2")).toEqual([2, ["Zeta_1"]])
    expect((await shop.call("GET", `${at}?search=${"a".repeat(201)}`)).status).toBe(400)
  })
})

describe("the brands of a product", () => {
  it("are kept in the order given, shown with their translations, and counted", async () => {
    const { body: oak } = await make({ name: "Oak", translations: { de: { name: "Eiche" } } })
    const { body: elm } = await make({ name: "Elm" })
    const chair = await product("chair", { brands: [oak.id, elm.id, oak.id] })
    expect(chair.brands).toEqual([
      { id: oak.id, name: "Oak", slug: "oak", translations: { de: { name: "Eiche" } } },
      { id: elm.id, name: "Elm", slug: "elm", translations: {} }
    ])
    const draft = await product("stool", { brands: [oak.id], status: "draft" })
    const { body: counted } = await shop.call("GET", `${at}/${oak.id}`)
    expect([counted.productCount, counted.products]).toEqual([
      2,
      [
        { id: chair.id, name: "chair", sku: "CHAIR" },
        { id: draft.id, name: "stool", sku: "STOOL" }
      ]
    ])
    const turned = await shop.call("PATCH", `/v1/products/${chair.id}`, { body: { brands: [elm.id, oak.id] } })
    expect(turned.body.brands.map(({ name }: { name: string }) => name)).toEqual(["Elm", "Oak"])
    expect((await shop.call("PATCH", `/v1/products/${chair.id}`, { body: { sku: "C-2" } })).body.brands).toHaveLength(2)
    const unknown = await shop.call("PATCH", `/v1/products/${chair.id}`, { body: { brands: ["brand_none"] } })
    expect([unknown.status, unknown.body.details.errors]).toEqual([
      400,
      { brands: "brand_none is not a brand of this store" }
    ])
    const none = await shop.call("PATCH", `/v1/products/${chair.id}`, { body: { brands: [] } })
    expect(none.body.brands).toEqual([])
    await shop.call("DELETE", `/v1/products/${draft.id}`)
    const { body: emptied } = await shop.call("GET", `${at}/${oak.id}`)
    expect([emptied.productCount, emptied.products]).toEqual([0, []])
  })

  it("show the first twenty of many products, oldest first", async () => {
    const { body: many } = await make({ name: "Many" })
    for (let i = 1; i <= 21; i++) await product(`many ${i}`, { brands: [many.id] })
    const { body } = await shop.call("GET", `${at}/${many.id}`)
    expect([body.productCount, body.products.length]).toEqual([21, 20])
    expect([body.products[0].name, body.products[19].name]).toEqual(["many 1", "many 20"])
  })

  it("lose a deleted brand, and follow a renamed one, without a product being written", async () => {
    const { body: brand } = await make({ name: "Passing" })
    const lamp = await product("lamp", { brands: [brand.id] })
    const shown = async () => {
      const answers = await Promise.all([
        shop.call("GET", `/v1/products/${lamp.id}`),
        shop.call("GET", `/vc/${shop.channelId}/products/slug/${lamp.slug}`),
        shop.call("GET", `/vc/${shop.channelId}/products?search=lamp`)
      ])
      return answers.map(({ body }) => (body.data?.[0] ?? body).brands.map(({ name }: { name: string }) => name))
    }
    expect(await shown()).toEqual([["Passing"], ["Passing"], ["Passing"]])
    const versionOf = () => asOwner("SELECT xmin FROM product WHERE id = $1", [lamp.id])
    const before = await versionOf()
    await change(brand.id, { name: "Lasting" })
    expect(await shown()).toEqual([["Lasting"], ["Lasting"], ["Lasting"]])
    await change(brand.id, { isActive: false })
    expect(await shown()).toEqual([["Lasting"], ["Lasting"], ["Lasting"]])
    await remove(brand.id)
    expect(await shown()).toEqual([[], [], []])
    expect(await versionOf()).toEqual(before)
    const { body: next } = await make({ name: "Lasting" })
    expect(next.productCount).toBe(0)
  })

  it("narrow a list of products, by id or slug; an inactive brand narrows it to nothing", async () => {
    const { body: iron } = await make({ name: "Iron" })
    const { body: steel } = await make({ name: "Steel" })
    await product("anvil", { brands: [iron.id] })
    await product("beam", { brands: [steel.id] })
    const found = async (brand: string) =>
      (await shop.call("GET", `/vc/${shop.channelId}/products?brand=${brand}&sortBy=name`)).body.data.map(
        ({ name }: { name: string }) => name
      )
    expect(await found(iron.id)).toEqual(["anvil"])
    expect(await found("iron,steel")).toEqual(["anvil", "beam"])
    expect(await found("brand_none")).toEqual([])
    await change(iron.id, { isActive: false })
    expect(await found("iron")).toEqual([])
    expect(await found(`${iron.id},steel`)).toEqual(["beam"])
  })
})

describe("a storefront", () => {
  it("lists the active brands of its store by name, in the shopper's language", async () => {
    const other = await shop.openStore()
    const make = (body: object) => shop.call("POST", at, { key: other.apiKey, body })
    const { body: birch } = await make({ name: "Birch", translations: { de: { name: "Birke", description: "Hell" } } })
    const { body: ash } = await make({ name: "Ash", description: "Hard", logo: "https://cdn.example.com/ash.png" })
    await make({ name: "Hidden", isActive: false })
    const { body: gone } = await make({ name: "Gone" })
    await shop.call("DELETE", `${at}/${gone.id}`, { key: other.apiKey })
    const expected = {
      brands: [
        { id: ash.id, name: "Ash", slug: "ash", translations: {} },
        { id: birch.id, name: "Birch", slug: "birch", translations: birch.translations }
      ]
    }
    const origin = { headers: { origin: "https://anywhere.example" } }
    expect((await shop.call("GET", `/vc/${other.channelId}/brands`)).body).toEqual(expected)
    expect((await shop.call("GET", `/stores/${other.storeId}/brands`, origin)).body).toEqual(expected)
    expect(
      (await shop.call("GET", `/vc/${other.channelId}/brands?locale=de-AT`)).body.brands.map(
        ({ name }: { name: string }) => name
      )
    ).toEqual(["Ash", "Birke"])
    await shop.call("POST", "/v1/products", {
      key: other.apiKey,
      body: { name: "Door", status: "active", brands: [birch.id] }
    })
    await shop.call("POST", "/v1/products", { key: other.apiKey, body: { name: "Draft", brands: [birch.id] } })
    const page = `/vc/${other.channelId}/brands/slug`
    expect((await shop.call("GET", `${page}/birch?locale=de`)).body).toEqual({
      id: birch.id,
      name: "Birke",
      slug: "birch",
      description: "Hell",
      logo: null,
      translations: birch.translations,
      productCount: 1
    })
    for (const slug of ["hidden", "gone", "never"])
      expect([(await shop.call("GET", `${page}/${slug}`)).status, slug]).toEqual([404, slug])
    expect(await shownNames()).not.toContain("Ash")
  })
})

describe("a store", () => {
  it("has at most 10,000 brands", async () => {
    const other = await shop.openStore()
    const make = (body: object) => shop.call("POST", at, { key: other.apiKey, body })
    await asOwner(
      `INSERT INTO brand (store_id, id, name, slug, source, translations, is_active, created_at, updated_at)
        SELECT $1, 'brand_f' || i, 'F' || i, 'f' || i, 'INTERNAL', '{}', true, now(), now()
        FROM generate_series(1, 9999) AS i`,
      [other.storeId]
    )
    const { body: last } = await make({ name: "Last" })
    expect(last.name).toBe("Last")
    const over = await make({ name: "Over" })
    expect([over.status, over.body.details.errors]).toEqual([
      400,
      { brands: "there are 10000 brands, which is the most" }
    ])
    expect((await shop.call("GET", `${at}?limit=1`, { key: other.apiKey })).body.meta.total).toBe(10_000)
  }, 60_000)
})
