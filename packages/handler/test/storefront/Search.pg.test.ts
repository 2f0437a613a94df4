import { Database } from "@effect-commerce/core/database/Database"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

/** What shoppers find by words, over HTTP. */
let shop: TestCommerce
let lampsId: string
beforeAll(async () => {
  shop = await openTestCommerce()
  const { body: lamps } = await shop.call("POST", "/v1/categories", { body: { name: "Éclairage" } })
  lampsId = lamps.id
  const products = [
    { name: "Desk lamp", sku: "DL-100", tags: ["office"], description: "<p>Lights a <b>chair</b> &amp; table</p>" },
    { name: "Lamp shade, crème", mpn: "SHADE 7", categories: [lampsId] },
    { name: "Office chair", gtin: "4006381333931", description: "Sits beside a desk with a lamp" },
    { name: "Straße-Öfen", translations: { de: { name: "Großer Ofen", description: "Backt Brötchen" } } },
    { name: "日本茶 テスト" },
    { name: "Wi-Fi router", variants: [{ sku: "WIFI-RED", name: "Red", attributes: { Colour: "Red" } }] },
    { name: "Samsung television" },
    { name: "Secret lamp draft", status: "draft" }
  ]
  for (const product of products) {
    const made = await shop.call("POST", "/v1/products", { body: { basePrice: "1.00", status: "active", ...product } })
    if (made.status !== 201) throw new Error(made.text)
  }
})
afterAll(() => shop.close())

const found = async (search: string, more = "") => {
  const asked = `search=${encodeURIComponent(search)}${more}`
  const { status, body } = await shop.call("GET", `/vc/${shop.channelId}/products?${asked}`)
  return status === 200 ? body.data.map(({ name }: { readonly name: string }) => name) : [status, body.details]
}
const lamp = "Desk lamp"
const shade = "Lamp shade, crème"
const chair = "Office chair"
const oven = "Straße-Öfen"

describe("a search finds", () => {
  it.each([
    ["a word of a name", "router", ["Wi-Fi router"]],
    ["whatever its case and accents", "CREME", [shade]],
    ["what was typed with accents", "lámp shàde", [shade]],
    ["the beginning of the last word", "tele", ["Samsung television"]],
    ["only whole words before the last", "tele samsung", []],
    ["all words, wherever each is", "chair desk table", [lamp]],
    ["any of two", "samsung or router", ["Wi-Fi router", "Samsung television"]],
    ["words in this order", '"desk lamp"', [lamp]],
    ["no words in another order", '"lamp desk"', []],
    ["nothing across two fields", '"lamp dl"', []],
    ["what is not excluded", "lamp -chair", [shade]],
    ["everything but what is excluded", "-lamp -chair", [oven, "日本茶 テスト", "Wi-Fi router", "Samsung television"]],
    ["a number with its hyphen", "dl-100", [lamp]],
    ["a number without it", "dl100", [lamp]],
    ["the beginning of a number", "DL-1", [lamp]],
    ["a barcode", "4006381333931", [chair]],
    ["a part number", "shade 7", [shade]],
    ["a tag and a name", "office", [chair, lamp]],
    ["of four alternatives what has it in its name first", "office or qqa or qqb or qqc", [chair, lamp]],
    ["of more in the order of the list", "office or qqa or qqb or qqc or qqd", [lamp, chair]],
    ["a variant's number", "wifi-red", ["Wi-Fi router"]],
    ["a variant's name", "router red", ["Wi-Fi router"]],
    ["a word that is written with and without a hyphen", "wifi", ["Wi-Fi router"]],
    ["a translated name", "großer", [oven]],
    ["a translated description", "brotchen", [oven]],
    ["sharp s as ss", "strasse ofen", [oven]],
    ["text without its HTML", "lights chair", [lamp]],
    ["no HTML", "amp", []],
    ["characters without blanks between them", "本茶", ["日本茶 テスト"]],
    ["one of them", "日", ["日本茶 テスト"]],
    ["what is filed under a category of that name", "eclairage", [shade]],
    ["a category's name and one of its own", "eclairage shade", [shade]],
    ["no draft", "secret", []],
    ["nothing of a word that nothing is like", "zzzzzzzz", []]
  ])("%s: %s", async (_words, search, names) => {
    expect((await found(search)).toSorted()).toEqual([...names].toSorted())
  })
})

describe("a word that no product has", () => {
  it.each([
    ["two letters changed places", "lapm table", [lamp]],
    ["a letter is missing", "smsung", ["Samsung television"]],
    ["a letter is too many", "routter", ["Wi-Fi router"]],
    ["a letter is another", "charr", [chair, lamp]],
    ["two mistakes in a long word", "televizon", ["Samsung television"]],
    ["beside words that are right", "desk lapm", [lamp, chair]],
    ["in the name of a category", "eclairge", [shade]],
    ["of three letters, stays as it is", "dsk", []],
    ["excluded, excludes nothing else", "-lapm samsung", ["Samsung television"]],
    ["in quotes, stays as it is", '"desk lapm"', []]
  ])("is read as the nearest ones: %s", async (_words, search, names) => {
    expect((await found(search)).toSorted()).toEqual([...names].toSorted())
  })
})

describe("what a search finds", () => {
  it("is in the order of where it is found, unless another is asked for", async () => {
    const other = await shop.openStore()
    const add = (body: object) =>
      shop.call("POST", "/v1/products", { key: other.apiKey, body: { basePrice: "1.00", status: "active", ...body } })
    const brand = (await shop.call("POST", "/v1/brands", { key: other.apiKey, body: { name: "Torch" } })).body.id
    await add({ name: "In text", description: "A torch", menuOrder: 1 })
    await add({ name: "By brand", brands: [brand], menuOrder: 2 })
    await add({ name: "By tag", tags: ["torch"], menuOrder: 3 })
    await add({ name: "By number", sku: "TORCH-1", menuOrder: 4 })
    await add({ name: "Torchlight", menuOrder: 5 })
    await add({ name: "Torch", menuOrder: 6 })
    await add({ name: "Another torch", menuOrder: 0 })
    const names = async (query: string) =>
      (await shop.call("GET", `/vc/${other.channelId}/products?search=${query}`)).body.data.map(
        ({ name }: { readonly name: string }) => name
      )
    const ranked = ["Another torch", "Torch", "Torchlight", "By brand", "By tag", "By number", "In text"]
    expect(await names("torch")).toEqual(ranked)
    expect(await names("torch&sortBy=nonsense")).toEqual(ranked)
    expect(await names("torch&sortBy=menuOrder&sortOrder=desc&limit=2")).toEqual(["Torch", "Torchlight"])
    expect(await names("torhc")).toEqual(ranked.filter((name) => name !== "Torchlight"))
    expect(await names("torch&limit=3&page=2")).toEqual(["By brand", "By tag", "By number"])
  })

  it("follows a brand that is renamed in another process", async () => {
    const twin = await shop.openTwin()
    const other = await shop.openStore()
    const brand = (await shop.call("POST", "/v1/brands", { key: other.apiKey, body: { name: "Acme" } })).body.id
    const body = { name: "Anvil", basePrice: "1.00", status: "active", brands: [brand] }
    await shop.call("POST", "/v1/products", { key: other.apiKey, body })
    const elsewhere = async (search: string) => {
      const asked = new Request(`http://commerce.test/api/vc/${other.channelId}/products?search=${search}&facets=true`)
      const answer = (await (await twin.fetch(asked)).json()) as {
        readonly meta: { readonly total: number }
        readonly facets: { readonly brands: ReadonlyArray<{ readonly name: string }> }
      }
      return [answer.meta.total, answer.facets.brands[0]?.name]
    }
    expect([await elsewhere("acme"), await elsewhere("coyote")]).toEqual([
      [1, "Acme"],
      [0, undefined]
    ])
    await shop.call("PATCH", `/v1/brands/${brand}`, { key: other.apiKey, body: { name: "Coyote" } })
    expect([await elsewhere("acme"), await elsewhere("coyote")]).toEqual([
      [0, undefined],
      [1, "Coyote"]
    ])
  })
})

describe("a search that asks for nothing", () => {
  it.each(["", " ", "or", "- OR -", '"', "🎉", "%_\\", "()&|!:*<->"])("is no search: %s", async (search) => {
    expect(await found(search)).toHaveLength(7)
  })
})

describe("a search that means harm", () => {
  it.each([
    ["of 200 characters", "x".repeat(200), 200],
    ["of 201 characters", "x".repeat(201), 400],
    ["of 10,000 characters", "lamp ".repeat(2_000), 400],
    ["of a hundred words", "a ".repeat(100).trim(), 200],
    ["of a hundred exclusions", "-a".repeat(50), 200],
    ["of quotes", '"a'.repeat(100), 200],
    ["of what means something to PostgreSQL", "'lamp':A & !'x' | y <-> z:* \\' ''", 200],
    ["of marks alone", "\u0301".repeat(200), 200],
    ["from right to left", "\u202elamp مصباح", 200],
    ["of an astral alphabet", "𝓵𝓪𝓶𝓹", 200]
  ])("%s is answered at once", async (_words, search, status) => {
    const began = performance.now()
    const path = `/vc/${shop.channelId}/products?search=${encodeURIComponent(search)}`
    const answer = await shop.call("GET", path)
    expect(answer.status).toBe(status)
    if (status === 400)
      expect(Object.keys(answer.body.details.errors)).toEqual([search.length > 8_192 ? "url" : "search"])
    expect(performance.now() - began).toBeLessThan(2_000)
  })
  it("with NUL is refused", async () => {
    expect((await shop.call("GET", `/vc/${shop.channelId}/products?search=a%00b`)).status).toBe(400)
  })
})

describe("what is found", () => {
  it("follows a category that is renamed, hidden, shown and deleted", async () => {
    const change = (body: object) => shop.call("PATCH", `/v1/categories/${lampsId}`, { body })
    await change({ name: "Lüster" })
    expect([await found("luster"), await found("eclairage")]).toEqual([[shade], []])
    await change({ translations: { fr: { name: "Luminaires" } } })
    expect(await found("luminaires")).toEqual([shade])
    await change({ isActive: false })
    expect(await found("luster")).toEqual([])
    await change({ isActive: true })
    expect(await found("luster")).toEqual([shade])
    await shop.call("DELETE", `/v1/categories/${lampsId}`)
    expect(await found("luster")).toEqual([])
  })

  it("is a draft too, for the merchant", async () => {
    const { body } = await shop.call("GET", "/v1/products?search=secret")
    expect(body.data.map(({ name }: { readonly name: string }) => name)).toEqual(["Secret lamp draft"])
  })

  it("is nothing of another store with the same words", async () => {
    const other = await shop.openStore()
    const { body } = await shop.call("GET", "/v1/products?search=lamp", { key: other.apiKey })
    expect(body.meta.total).toBe(0)
  })
})

describe("the words of a product", () => {
  it("lie outside of its row, however few they are, and stay there when it changes", async () => {
    const { body } = await shop.call("POST", "/v1/products", { body: { name: "Thin" } })
    const where = () =>
      shop.run(
        Effect.flatMap(
          Database,
          ({ sql }) => sql`SELECT pg_column_toast_chunk_id(search) IS NOT NULL AS words_are_outside,
            pg_column_toast_chunk_id(filter_keys) IS NULL AND pg_column_toast_chunk_id(name) IS NULL AS others_are_inside,
            pg_column_size(filler) < 60 AS filler_is_small
            FROM product_listing WHERE product_id = ${body.id}`
        ) as never
      )
    const thin = [{ wordsAreOutside: true, othersAreInside: true, fillerIsSmall: true }]
    expect(await where()).toEqual(thin)
    await shop.call("PATCH", `/v1/products/${body.id}`, { body: { name: "Thinner", tags: ["a", "b"] } })
    expect(await where()).toEqual(thin)
    await shop.call("PATCH", `/v1/products/${body.id}`, { body: { basePrice: "2.00" } })
    expect(await where()).toEqual(thin)
  })
})
