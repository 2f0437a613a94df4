/** On which channels shoppers find products, categories and brands, and where they can buy. */
import { StockAlerts } from "@effect-commerce/core/inventory/StockAlerts"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, runWith, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
/** Two channels of the shop: what is published is published to the first. */
let here: string
let there: string
let owner: InstanceType<typeof pg.Client>

const send = async (method: string, path: string, body?: unknown) => {
  const called = await shop.call(method, path, body === undefined ? {} : { body })
  expect([path, called.status < 300, called.text]).toEqual([path, true, called.text])
  return called.body
}

beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  here = shop.channelId
  there = (await send("POST", "/v1/sales-channels", { name: "Trade" })).id
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

let count = 0
const create = async (fields: object = {}) => {
  count += 1
  const lamp = { name: `Lamp ${count}`, status: "active", basePrice: "10.00", inventory: { total: 5 }, ...fields }
  return await send("POST", "/v1/products", lamp)
}
const publish = (id: string, body: object) => shop.call("POST", `/v1/products/${id}/publish`, { body })
const onChannels = (path: string) =>
  Promise.all(
    [`/vc/${here}`, `/vc/${there}`, `/stores/${shop.storeId}`].map((at) =>
      shop.call("GET", `${at}${path}`, { headers: { origin: "https://a.example" } })
    )
  )
/** Of the answers on the first channel, on the second, and to the public. */
const statuses = async (path: string) => (await onChannels(path)).map(({ status }) => status)
const channel = (id: string, name: string) => {
  const named = { id, name, connectionId: id }
  return { salesChannel: named, connection: named }
}

describe("publishing a product", () => {
  it("adds channels, and answers the product with them under both names", async () => {
    const { id, channelPublishes, salesChannelIds, updatedAt } = await create()
    expect([channelPublishes, salesChannelIds]).toEqual([[], null])
    const first = await publish(id, { salesChannelIds: [there] })
    expect(first.status).toBe(200)
    expect(first.body.salesChannelIds).toEqual([there])
    expect(first.body.channelPublishes).toEqual([channel(there, "Trade")])
    expect(first.body.vibeCodedPublishes).toEqual(first.body.channelPublishes)
    expect(first.body.updatedAt > updatedAt).toBe(true)
    const both = await publish(id, { salesChannelIds: [here, there, here], platforms: ["SHOPIFY"] })
    expect(both.body.salesChannelIds).toEqual([there, here])
    expect((await shop.call("GET", `/v1/products/${id}`)).body.channelPublishes).toEqual(both.body.channelPublishes)
  })

  it("changes nothing for platforms, of which none is connected", async () => {
    const { id } = await create()
    const answer = await publish(id, { platforms: ["SHOPIFY"] })
    expect([answer.status, answer.body.salesChannelIds]).toEqual([200, null])
  })

  it.each([
    ["nothing", {}, "PLATFORMS_REQUIRED"],
    ["empty lists", { salesChannelIds: [], platforms: [] }, "PLATFORMS_REQUIRED"],
    ["an unknown channel", { salesChannelIds: ["vc_unknown"] }, "VALIDATION_FAILED"],
    ["too many channels", { salesChannelIds: Array.from({ length: 201 }, () => here) }, "VALIDATION_FAILED"],
    ["too many platforms", { platforms: Array.from({ length: 51 }, (_, i) => `P${i}`) }, "VALIDATION_FAILED"]
  ])("refuses %s", async (_, body, code) => {
    const { id } = await create()
    const refused = await publish(id, body)
    expect([refused.status, refused.body.code]).toEqual([400, code])
    expect((await shop.call("GET", `/v1/products/${id}`)).body.salesChannelIds).toBe(null)
  })

  it("refuses a channel of another store, and a product that is unknown", async () => {
    const other = await shop.openStore()
    const { id } = await create()
    expect((await publish(id, { salesChannelIds: [other.channelId] })).status).toBe(400)
    expect((await publish("prod_unknown", { salesChannelIds: [here] })).status).toBe(404)
  })

  it("is said by create and PATCH too, where null is every channel and an empty list none", async () => {
    const { id, slug, channelPublishes } = await create({ salesChannelIds: [here] })
    expect(channelPublishes).toHaveLength(1)
    expect(await statuses(`/products/${id}`)).toEqual([200, 404, 404])
    expect((await send("PATCH", `/v1/products/${id}`, { salesChannelIds: [] })).salesChannelIds).toEqual([])
    expect(await statuses(`/products/${id}`)).toEqual([404, 404, 404])
    await send("PATCH", `/v1/products/${id}`, { salesChannelIds: null })
    expect(await statuses(`/products/slug/${slug}`)).toEqual([200, 200, 200])
    const refused = await shop.call("PATCH", `/v1/products/${id}`, { body: { salesChannelIds: ["vc_unknown"] } })
    expect([refused.status, refused.body.code]).toEqual([400, "VALIDATION_FAILED"])
  })
})

describe("a product that is published to one channel", () => {
  let id: string
  let slug: string
  let beside: string
  let category: string
  let brand: string
  beforeEach(async () => {
    category = (await send("POST", "/v1/categories", { name: `Rooms ${(count += 1)}` })).id
    brand = (await send("POST", "/v1/brands", { name: `North ${count}` })).id
    ;({ id, slug } = await create({ categories: [category], brands: [brand] }))
    beside = (await create({ categories: [category], related: [id] })).id
    await publish(id, { salesChannelIds: [here] })
  })

  it("is unknown on others, by id, by slug and as a start of recommendations", async () => {
    for (const path of [`/products/${id}`, `/products/slug/${slug}`, `/products/${id}/recommendations`])
      expect([path, ...(await statuses(path))]).toEqual([path, 200, 404, 404])
    const [shown] = await onChannels(`/products/${id}`)
    expect([shown?.body.channelPublishes, "salesChannelIds" in (shown?.body ?? {})]).toEqual([[], false])
  })

  it("is in the lists, counts, facets and searches of its own alone, also of those that are remembered", async () => {
    for (let i = 0; i < 2; i++) {
      const lists = await onChannels(`/products?category=${category}&facets=true`)
      expect(lists.map(({ body }) => body.data.map((one: { id: string }) => one.id))).toEqual([
        [id, beside],
        [beside],
        [beside]
      ])
      expect(lists.map(({ body }) => body.meta.total)).toEqual([2, 1, 1])
      const counted = lists.map(({ body }) => body.facets.categories.find((one: { id: string }) => one.id === category))
      expect(counted.map(({ count: n }) => n)).toEqual([2, 1, 1])
      const searched = await onChannels(`/products?search=${slug}`)
      expect(searched.map(({ body }) => body.meta.total)).toEqual([1, 0, 0])
    }
  })

  it("is recommended on its own alone", async () => {
    const answers = await onChannels(`/products/${beside}/recommendations`)
    expect(answers.map(({ body }) => body.products.length)).toEqual([1, 0, 0])
  })

  it("is counted by the pages of its category and brand on its own alone", async () => {
    const named = async (path: string) => (await shop.call("GET", path)).body
    const { slug: categorySlug } = await named(`/v1/categories/${category}`)
    const { slug: brandSlug } = await named(`/v1/brands/${brand}`)
    const counts = await Promise.all(
      [here, there].flatMap((at) => [
        named(`/vc/${at}/categories/slug/${categorySlug}`),
        named(`/vc/${at}/brands/slug/${brandSlug}`)
      ])
    )
    expect(counts.map(({ productCount }) => productCount)).toEqual([2, 1, 1, 0])
  })

  it("has stock, availability and reviews on its own alone", async () => {
    const asked = await Promise.all(
      [here, there].map(async (at) => [
        (await shop.call("GET", `/vc/${at}/inventory?productIds=${id}`)).body.inventory.length,
        (await shop.call("POST", `/vc/${at}/availability`, { body: { productIds: [id] } })).body.length,
        (
          await shop.call("POST", `/vc/${at}/inventory/check-availability`, {
            body: { items: [{ productId: id, quantity: 1 }] }
          })
        ).body.allAvailable,
        (await shop.call("GET", `/vc/${at}/products/${id}/reviews`)).status
      ])
    )
    expect(asked).toEqual([
      [1, 1, true, 200],
      [0, 0, false, 404]
    ])
  })

  it("goes into carts of its own channel, and of merchants", async () => {
    const body = { productId: id, quantity: 1 }
    for (const [at, status] of [
      [here, 200],
      [there, 400]
    ] as const) {
      const cart = (await shop.call("POST", `/vc/${at}/cart`)).body.id
      const added = await shop.call("POST", `/vc/${at}/cart/${cart}/items`, { body })
      expect([added.status, added.body.code]).toEqual([status, status === 400 ? "PRODUCT_UNAVAILABLE" : undefined])
    }
    const cart = (await send("POST", "/v1/cart", {})).id
    expect((await send("POST", `/v1/cart/${cart}/items`, body)).items[0].isUnavailable).not.toBe(true)
  })

  it("cannot be paid for any more once it is taken off the channel, and can again when it is back", async () => {
    const shopper = shopperOf(shop)
    const cart = await shopper.cart([id, 1])
    const checkout = await shopper.checkout(cart)
    await send("PATCH", `/v1/products/${id}`, { salesChannelIds: [there] })
    const refused = await shopper.complete(checkout, `off-${id}`)
    expect(refused.body.code).toBe("PRODUCT_UNAVAILABLE")
    await publish(id, { salesChannelIds: [here] })
    expect((await shopper.complete(checkout, `on-${id}`)).status).toBe(200)
  })

  it("cannot be ordered at once on another", async () => {
    const order = {
      items: [{ productId: id, quantity: 1, price: "10.00" }],
      customer: { email: "ada@example.com" },
      shippingAddress: { line1: "1 Main St", city: "Town", region: "CA", postalCode: "94105", country: "US" }
    }
    const [own, other] = await Promise.all(
      [here, there].map((at) => shop.call("POST", `/vc/${at}/orders`, { body: order }))
    )
    expect([own?.status, other?.status]).toEqual([200, 404])
  })
})

describe("a stock alert", () => {
  it("waits until the product is on the channel where it was asked for", async () => {
    const { id } = await create({ inventory: { total: 0 } })
    await shop.call("POST", `/vc/${here}/stock-alerts`, { body: { email: "ada@example.com", productId: id } })
    await publish(id, { salesChannelIds: [there] })
    await send("PUT", `/v1/products/${id}/inventory`, { total: 3 })
    const told = async () => {
      for (let i = 0; i < 12; i++) {
        await send("POST", "/test/clock", { advanceMs: 30_000 })
        await runWith(shop.commerce, StockAlerts.use((all) => all.tellDue) as never)
      }
      const { rows } = await owner.query("SELECT data FROM event WHERE type = 'internal.back_in_stock'")
      return rows.map((row) => (row["data"] as { readonly productId: string }).productId)
    }
    expect(await told()).toEqual([])
    await publish(id, { salesChannelIds: [here] })
    expect(await told()).toEqual([id])
  })
})

describe("a category that is published to one channel", () => {
  it("is unknown on others, with what lies below it, and on the products that are filed under it", async () => {
    const root = await send("POST", "/v1/categories", { name: "Trade rooms", salesChannelIds: [here] })
    expect(root.channelPublishes).toHaveLength(1)
    expect(root.vibeCodedPublishes).toEqual(root.channelPublishes)
    const leaf = await send("POST", "/v1/categories", { name: "Trade halls", parentId: root.id })
    const { id } = await create({ categories: [root.id, leaf.id] })
    const trees = await onChannels("/categories")
    expect(trees.map(({ text }) => text.includes(root.id) || text.includes(leaf.id))).toEqual([true, false, false])
    const pages = await Promise.all(
      [here, there].map((at) => shop.call("GET", `/vc/${at}/categories/slug/${root.slug}`))
    )
    expect(pages.map(({ status }) => status)).toEqual([200, 404])
    const shown = await onChannels(`/products/${id}`)
    expect(shown.map(({ body }) => body.categories.map((one: { id: string }) => one.id))).toEqual([
      [root.id, leaf.id],
      [],
      []
    ])
    const lists = await onChannels(`/products?category=${root.slug}&facets=true`)
    expect(lists.map(({ body }) => body.meta.total)).toEqual([1, 0, 0])
    const named = lists.map(({ body }) =>
      body.facets.categories.filter((one: { id: string }) => one.id === root.id || one.id === leaf.id)
    )
    expect(named.map((choices) => choices.length)).toEqual([2, 0, 0])
    await send("PATCH", `/v1/categories/${root.id}`, { salesChannelIds: null })
    expect((await onChannels("/categories")).every(({ text }) => text.includes(leaf.id))).toBe(true)
    const refused = await shop.call("PATCH", `/v1/categories/${root.id}`, { body: { salesChannelIds: ["vc_x"] } })
    expect(refused.status).toBe(400)
  })
})

describe("a brand that is published to one channel", () => {
  it("is unknown on others, and on the products that have it", async () => {
    const brand = await send("POST", "/v1/brands", { name: "Trade", salesChannelIds: [here] })
    expect(brand.channelPublishes).toHaveLength(1)
    const { id } = await create({ brands: [brand.id] })
    expect((await onChannels("/brands")).map(({ text }) => text.includes(brand.id))).toEqual([true, false, false])
    const pages = await Promise.all([here, there].map((at) => shop.call("GET", `/vc/${at}/brands/slug/${brand.slug}`)))
    expect(pages.map(({ status }) => status)).toEqual([200, 404])
    const shown = await onChannels(`/products/${id}`)
    expect(shown.map(({ body }) => body.brands.length)).toEqual([1, 0, 0])
    const lists = await onChannels(`/products?brand=${brand.slug}&facets=true`)
    expect(lists.map(({ body }) => body.meta.total)).toEqual([1, 0, 0])
    expect(lists.map(({ body }) => body.facets.brands.some((one: { id: string }) => one.id === brand.id))).toEqual([
      true,
      false,
      false
    ])
    await send("PATCH", `/v1/brands/${brand.id}`, { salesChannelIds: null })
    expect((await onChannels(`/products/${id}`)).map(({ body }) => body.brands.length)).toEqual([1, 1, 1])
  })
})

describe.each([
  ["category", "categories"],
  ["brand", "brands"]
])("the name of a %s that is not on every channel", (_, kind) => {
  const word = `zelkova${kind}`
  const found = async (search: string) =>
    (await onChannels(`/products?search=${search}`)).map(({ body }) => body.meta.total as number)
  const merchants = async (search: string) => (await shop.call("GET", `/v1/products?search=${search}`)).body.meta.total

  it("finds its products where it is shown, and there alone, from the moment that it is published or taken off", async () => {
    const { id } = await send("POST", `/v1/${kind}`, {
      name: `${word} works`,
      translations: { de: { name: "Ulmenwerk" } }
    })
    const product = await create({ [kind]: [id] })
    const change = (body: object) => send("PATCH", `/v1/${kind}/${id}`, body)
    expect([await found(word), await merchants(word)]).toEqual([[1, 1, 1], 1])
    await change({ salesChannelIds: [here] })
    // By the beginning of the word, by all of its words, by a translation, and by a word that is meant to be it.
    for (const search of [word, word.slice(0, -2), `works%20${word}`, "ulmenwerk", word.replace("l", "")])
      expect([search, await found(search), await merchants(search)]).toEqual([search, [1, 0, 0], 1])
    // Excluding what is hidden excludes nothing.
    const without = await found(`-${word}`)
    const lamps = await found("lamp")
    expect(without.slice(0, 2)).toEqual([(lamps[0] ?? 0) - 1, lamps[1]])
    await change({ name: `${word} renamed` })
    expect(await found(word)).toEqual([1, 0, 0])
    await change({ salesChannelIds: [there], name: `${word} again` })
    expect(await found(word)).toEqual([0, 1, 0])
    await change({ salesChannelIds: [] })
    expect([await found(word), await merchants(word)]).toEqual([[0, 0, 0], 1])
    await change({ salesChannelIds: null })
    expect(await found(word)).toEqual([1, 1, 1])
    await send("DELETE", `/v1/products/${product.id}`)
  })
})

describe("a channel that is deleted", () => {
  it("is no longer named, and what was on it alone is not shown on the others", async () => {
    const gone = (await send("POST", "/v1/sales-channels", { name: "Pop-up" })).id
    const { id } = await create({ salesChannelIds: [gone] })
    await send("DELETE", `/v1/sales-channels/${gone}`)
    expect((await send("GET", `/v1/products/${id}`)).channelPublishes).toEqual([])
    expect(await statuses(`/products/${id}`)).toEqual([404, 404, 404])
    await publish(id, { salesChannelIds: [there] })
    expect(await statuses(`/products/${id}`)).toEqual([404, 200, 404])
  })
})
