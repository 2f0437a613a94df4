import { png } from "@effect-commerce/core/testing/TestImages"
import { formOf } from "../media/sendForm.ts"
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

const statements = makeStatementCounter()
let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ statementLog: statements, role: "api" })
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

const at = "/v1/categories"
const make = async (body: object) => (await shop.call("POST", at, { body })).body

describe("a category", () => {
  it("has every field of its shape", async () => {
    const file = (await shop.call("POST", "/v1/media", { raw: formOf({ bytes: png(2, 2) }) })).body
    const made = await make({
      name: "Lamps",
      description: "<p>Bright</p>",
      metaDescription: "Lamps of all kinds",
      image: file.url,
      imageKey: file.key,
      source: "SHOPIFY",
      googleProductCategory: 2608,
      taxBehavior: "exempt",
      translations: { de: { name: "Lampen", slug: "lampen" } }
    })
    expect(made).toEqual({
      id: expect.stringMatching(/^cat_/),
      accountId: shop.accountId,
      storeId: shop.storeId,
      name: "Lamps",
      platformIds: {},
      publishedOn: [],
      platformMetadata: {},
      parentId: null,
      slug: "lamps",
      description: "<p>Bright</p>",
      metaDescription: "Lamps of all kinds",
      image: file.url,
      imageKey: file.key,
      source: "SHOPIFY",
      googleProductCategory: 2608,
      isActive: true,
      taxBehavior: "exempt",
      translations: { de: { name: "Lampen", slug: "lampen" } },
      deletedAt: null,
      productCount: 0,
      products: [],
      channelPublishes: [],
      vibeCodedPublishes: [],
      salesChannelIds: null,
      createdAt: expect.any(String),
      updatedAt: made.createdAt
    })
    const again = await shop.call("PATCH", `${at}/${made.id}`, { body: { name: "Lights" } })
    expect(again.body.updatedAt > made.updatedAt).toBe(true)
  })

  it("has an external id of its own in the store, which a deleted one gives back", async () => {
    const body = { name: "Vases", externalId: "erp-vases" }
    const { id } = await make(body)
    const twin = await shop.call("POST", at, { body: { name: "Bowls", externalId: "erp-vases" } })
    expect([twin.status, twin.body.code, twin.body.details]).toEqual([409, "CONFLICT", { externalId: "erp-vases" }])
    expect((await shop.call("DELETE", `${at}/${id}`)).status).toBe(200)
    const again = await shop.call("POST", at, { body })
    expect([again.status, again.body.id === id]).toEqual([201, false])
  })

  it("gets a later version when its parent goes, also within the millisecond in which it was written", async () => {
    const parent = await make({ name: "Gone" })
    const child = await make({ name: "Orphan", parentId: parent.id })
    const ahead = new Date(Date.parse(child.updatedAt) + 60_000)
    await owner.query("UPDATE category SET updated_at = $1 WHERE id = $2", [ahead, child.id])
    await shop.call("DELETE", `${at}/${parent.id}?children=reparent`)
    const { body } = await shop.call("GET", `${at}/${child.id}`)
    expect([body.parentId, Date.parse(body.updatedAt) > ahead.getTime()]).toEqual([null, true])
  })

  it("shows its first twenty products, oldest first, and counts all that are not deleted", async () => {
    const { id } = await make({ name: "Cups" })
    const named = []
    for (let i = 1; i <= 22; i++) {
      const { body } = await shop.call("POST", "/v1/products", {
        body: { name: `Cup ${i}`, sku: `C-${i}`, status: i === 3 ? "draft" : "active", categories: [id] }
      })
      named.push({ id: body.id, name: `Cup ${i}`, sku: `C-${i}` })
    }
    await shop.call("DELETE", `/v1/products/${named[0]?.id}`)
    const { body } = await shop.call("GET", `${at}/${id}`)
    expect([body.productCount, body.products]).toEqual([21, named.slice(1, 21)])
  })

  it("has a page that is found by its slug in any language", async () => {
    const root = await make({ name: "Rooms", translations: { de: { name: "Räume", slug: "raeume" } } })
    const leaf = await make({
      name: "Kitchen",
      parentId: root.id,
      translations: { de: { name: "Küche", slug: "kueche" }, fr: { name: "Cuisine" } }
    })
    const page = (slug: string) => shop.call("GET", `/vc/${shop.channelId}/categories/slug/${slug}?locale=de`)
    const { body } = await page("kitchen")
    expect(body).toEqual({
      id: leaf.id,
      name: "Küche",
      slug: "kitchen",
      description: null,
      metaDescription: null,
      image: null,
      breadcrumb: [
        { name: "Räume", slug: "rooms" },
        { name: "Küche", slug: "kitchen" }
      ],
      productCount: 0
    })
    expect((await page("kueche")).body).toEqual(body)
    // Its own slug comes first.
    await make({ name: "kueche", slug: "kueche" })
    expect((await page("kueche")).body.name).toBe("kueche")
    expect((await page("cuisine")).status).toBe(404)
  })

  it("is moved without a look at the products below it, and read in the tree without one", async () => {
    const [home, garden] = [await make({ name: "Home" }), await make({ name: "Garden" })]
    const tools = await make({ name: "Tools", parentId: home.id })
    await owner.query(
      `INSERT INTO product (store_id, id, status, name, slug, base_price, search, created_at, updated_at)
        SELECT $1, 'prod_t' || i, 'active', 'Tool', 'tool-' || i, 100, 'tool', now(), now() FROM generate_series(1, 2000) i`,
      [shop.storeId]
    )
    await owner.query(
      `INSERT INTO product_category (store_id, product_id, category_id, position)
        SELECT $1, 'prod_t' || i, $2, 1 FROM generate_series(1, 2000) i`,
      [shop.storeId, tools.id]
    )
    const versions = () => owner.query("SELECT sum(xmin::text::bigint) AS x FROM product_category").then((r) => r.rows)
    const before = await versions()
    statements.reset()
    const moved = await shop.call("PATCH", `${at}/${home.id}`, { body: { parentId: garden.id } })
    expect([moved.status, moved.body.parentId]).toEqual([200, garden.id])
    const ofProducts = statements.entries().filter(({ sql }) => sql.includes("JOIN product p"))
    // The answer shows the number of products of the category that was moved.
    expect(ofProducts.length).toBe(1)
    expect(await versions()).toEqual(before)
    statements.reset()
    const { body } = await shop.call("GET", `/stores/${shop.storeId}/categories`, {
      headers: { origin: "https://anywhere.example" }
    })
    const node = (name: string, nodes: ReadonlyArray<{ readonly name: string; readonly children: [] }>) =>
      nodes.find((one) => one.name === name)
    const path = node("Tools", node("Home", node("Garden", body.categories)?.children ?? [])?.children ?? [])
    expect(path).toEqual({
      id: tools.id,
      name: "Tools",
      slug: "tools",
      parentId: home.id,
      image: null,
      translations: {},
      children: []
    })
    expect(statements.entries().filter(({ sql }) => sql.includes("JOIN product p")).length).toBe(0)
  })
})
