/**
 * What storefronts are answered of products is composed when it is written. Here it is compared, to the byte, with what
 * `toProductView` makes of the rows: after every write route that touches products, in the process that wrote and in
 * another one, and after writes by somebody who does not compose.
 */
import { DocumentChecks } from "@effect-commerce/core/storefront/DocumentChecks"
import { ProductReadModel } from "@effect-commerce/core/product/ProductReadModel"
import { Products } from "@effect-commerce/core/product/Products"
import { ListingRepair } from "@effect-commerce/core/storefront/ListingRepair"
import { StorefrontProducts } from "@effect-commerce/core/storefront/StorefrontProducts"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Clock, Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import type { Commerce } from "../../src/createCommerce.ts"
import { routesOf } from "../../src/middleware/routesOf.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let twin: Commerce
let owner: InstanceType<typeof pg.Client>
const ids: Record<string, string> = {}

beforeAll(async () => {
  // No workers: what is right here is right without one.
  shop = await openTestCommerce({ role: "api" })
  twin = await shop.openTwin()
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

const run = <A>(effect: Effect.Effect<A, unknown, unknown>): Promise<A> =>
  shop.run(effect as unknown as Effect.Effect<A>)

/** JSON of what the rows say, as a storefront is shown it. */
const fromRows = (id: string, languages: ReadonlyArray<string>) =>
  run(
    Effect.gen(function* () {
      const store = yield* (yield* Stores).context(shop.storeId)
      const reader = { channelId: shop.channelId, languages }
      return JSON.stringify(yield* (yield* Products).get(store, { id }, "storefront", reader))
    })
  )

const answers = async (path: string, language?: string) => {
  const url = `http://commerce.test/api/vc/${shop.channelId}${path}`
  const request = () => new Request(url, { headers: language === undefined ? {} : { "accept-language": language } })
  const [here, there] = await Promise.all(
    [shop.commerce, twin].map(async (commerce) => {
      const response = await commerce.fetch(request(), { clientAddress: "127.0.0.1" })
      return response.text()
    })
  )
  expect(there).toBe(here)
  return here ?? ""
}

/** Compares every active product: by id, by slug, in the list. What the audit compares is the same, too. */
const compare = async () => {
  const checks = DocumentChecks.use(({ different }) => different(shop.storeId, 10))
  expect(await run(Effect.provide(checks, DocumentChecks.layer))).toEqual([])
  const { rows } = await owner.query(
    "SELECT id, slug FROM product WHERE store_id = $1 AND status = 'active' AND deleted_at IS NULL ORDER BY menu_order, id",
    [shop.storeId]
  )
  for (const [language, wanted] of [
    [undefined, []],
    ["de-AT, fr", ["de-AT", "fr"]]
  ] as const) {
    const expected: Array<string> = []
    for (const { id, slug } of rows) {
      const text = await fromRows(String(id), wanted)
      // Read, and then remembered.
      for (let time = 0; time < 2; time++) {
        expect(await answers(`/products/${id}`, language)).toBe(text)
        expect(await answers(`/products/slug/${slug}`, language)).toBe(text)
      }
      expected.push(text)
    }
    const meta = { page: 1, limit: 100, total: rows.length, totalPages: Math.ceil(rows.length / 100) }
    // Found, found again, and then remembered whole, which the next write finds.
    for (let time = 0; time < 3; time++)
      expect(await answers("/products?limit=100", language)).toBe(
        `{"data":[${expected.join(",")}],"meta":${JSON.stringify(meta)}}`
      )
  }
}

const send = async (method: string, path: string, body?: unknown) => {
  const called = await shop.call(method, path, body === undefined ? {} : { body })
  expect([path, called.status < 300, called.text]).toEqual([path, true, called.text])
  return called.body
}

/**
 * Every write route below these paths, with a call that changes what a product shows. A new route has no row, and fails
 * the test that compares the two.
 */
const touching =
  /^\/api\/v1\/(products|categories|brands|attributes|reviews|inventory|modifier-groups|metafield-[a-z]+|shipping\/classes|tax\/classes)(\/|$)/
const writes: Readonly<Record<string, () => Promise<unknown>>> = {
  "POST /v1/categories": async () => {
    ids["root"] = (await send("POST", "/v1/categories", { name: "Rooms" })).id
    ids["leaf"] = (await send("POST", "/v1/categories", { name: "Kitchen", parentId: ids["root"] })).id
  },
  "POST /v1/brands": async () => {
    ids["brand"] = (await send("POST", "/v1/brands", { name: "North" })).id
  },
  "POST /v1/shipping/classes": async () => {
    ids["class"] = (await send("POST", "/v1/shipping/classes", { name: "Bulky", slug: "bulky" })).id
  },
  "POST /v1/tax/classes": async () => {
    ids["tax"] = (await send("POST", "/v1/tax/classes", { name: "Reduced" })).id
  },
  "POST /v1/products": async () => {
    const common = {
      status: "active",
      categories: [ids["leaf"], ids["root"]],
      brands: [ids["brand"]],
      shippingClassId: ids["class"],
      taxClassId: ids["tax"],
      translations: { de: { name: "Lampe", description: "Hell" }, fr: { name: 'Lampe "F"' } }
    }
    const simple = { ...common, name: "Lamp", basePrice: "20.00", salePrice: "15.00", inventory: { total: 3 } }
    ids["lamp"] = (await send("POST", "/v1/products", simple)).id
    const variants = ["S", "M"].map((size) => ({ attributes: { Size: size }, price: "12.00", inventory: { total: 1 } }))
    const rug = await send("POST", "/v1/products", { ...common, name: "Rug", basePrice: "10.00", variants })
    ids["rug"] = rug.id
    ids["small"] = rug.variants[0].id
    await send("POST", "/v1/products", { name: "Draft", basePrice: "1.00" })
  },
  "POST /v1/products/bulk": async () => {
    await send("POST", "/v1/products/bulk", { products: [{ name: "Vase", basePrice: "5.00", status: "active" }] })
    const { ProductImports } = await import("@effect-commerce/core/product/ProductImports")
    await run(ProductImports.use((imports) => imports.pass))
  },
  "PATCH /v1/products/:id": () =>
    send("PATCH", `/v1/products/${ids["lamp"]}`, {
      description: "Bright",
      categories: [ids["root"]],
      tags: ["a", "b"]
    }),
  "POST /v1/products/:id/publish": async () => {
    await send("PATCH", `/v1/categories/${ids["leaf"]}`, { salesChannelIds: [] })
    await send("PATCH", `/v1/brands/${ids["brand"]}`, { salesChannelIds: [] })
    await send("POST", `/v1/products/${ids["lamp"]}/publish`, { salesChannelIds: [shop.channelId] })
  },
  "POST /v1/products/:id/variants": () =>
    send("POST", `/v1/products/${ids["rug"]}/variants`, { attributes: { Size: "L" }, price: "9.00" }),
  "POST /v1/products/:id/variants/preview": () => send("POST", `/v1/products/${ids["rug"]}/variants/preview`, {}),
  "POST /v1/attributes": async () => {
    const colour = await send("POST", "/v1/attributes", {
      name: "Colour",
      options: [
        { name: "Red", translations: { de: { name: "Rot" } } },
        { name: "Blue", swatchColor: "#0000ff" }
      ]
    })
    ids["colour"] = colour.id
    ids["red"] = colour.options[0].id
    ids["blue"] = colour.options[1].id
    const attributes = [{ attributeId: colour.id, optionIds: [ids["red"], ids["blue"]] }]
    const body = { name: "Scarf", status: "active", type: "VARIABLE", basePrice: "9.00", attributes }
    ids["scarf"] = (await send("POST", "/v1/products", body)).id
  },
  "PATCH /v1/attributes/:id": () =>
    send("PATCH", `/v1/attributes/${ids["colour"]}`, { name: 'Hue "1"', translations: { de: { name: "Farbe" } } }),
  "POST /v1/attributes/:id/options": async () => {
    const { id } = await send("POST", `/v1/attributes/${ids["colour"]}/options`, { name: "Green" })
    const attributes = [{ attributeId: ids["colour"], optionIds: [id, ids["blue"], ids["red"]] }]
    await send("PATCH", `/v1/products/${ids["scarf"]}`, { attributes })
  },
  "PATCH /v1/attributes/:id/options/:optionId": () =>
    send("PATCH", `/v1/attributes/${ids["colour"]}/options/${ids["red"]}`, { name: "Crimson\u00a0/ red", position: 7 }),
  "DELETE /v1/attributes/:id/options/:optionId": () =>
    send("DELETE", `/v1/attributes/${ids["colour"]}/options/${ids["blue"]}?force=true`),
  "DELETE /v1/attributes/:id": () => send("DELETE", `/v1/attributes/${ids["colour"]}?force=true`),
  "PATCH /v1/products/:id/variants/:variantId": async () => {
    await send("DELETE", `/v1/products/${ids["scarf"]}`)
    await send("PATCH", `/v1/products/${ids["rug"]}/variants/${ids["small"]}`, { price: "8.00", status: "draft" })
  },
  "DELETE /v1/products/:id/variants/:variantId": () =>
    send("DELETE", `/v1/products/${ids["rug"]}/variants/${ids["small"]}`),
  "POST /v1/metafield-definitions": async () => {
    const define = (body: object) => send("POST", "/v1/metafield-definitions", body)
    const choices = [
      { value: "oak", label: "Oak" },
      { value: "ash", label: "Ash" }
    ]
    ids["wood"] = (await define({ name: "Wood", key: "wood", type: "MULTI_SELECT", enumValues: choices })).id
    await define({ name: "Care", key: "care", type: "TEXT", defaultValue: "Dust", position: -1 })
    await define({
      name: "Engraving",
      key: "engraving",
      type: "TEXT",
      isCustomerInput: true,
      translations: { de: { name: "Gravur" } }
    })
    ids["gift"] = (
      await define({ name: "Gift", key: "gift", type: "BOOLEAN", isCustomerInput: true, productIds: [ids["lamp"]] })
    ).id
    const metafields = { wood: ["oak"] }
    const bench = await send("POST", "/v1/products", { name: "Bench", status: "active", basePrice: "9.00", metafields })
    await compare()
    await send("DELETE", `/v1/products/${bench.id}`)
  },
  "PUT /v1/products/:id/metafields": () =>
    send("PUT", `/v1/products/${ids["lamp"]}/metafields`, { values: { wood: ["ash", "oak"], care: 'Wipe "dry"' } }),
  "POST /v1/metafield-values/bulk": () =>
    send("POST", "/v1/metafield-values/bulk", {
      values: [
        { productId: ids["lamp"], key: "care", value: null },
        { productId: ids["rug"], key: "care", value: "Beat" }
      ]
    }),
  "POST /v1/metafield-conflicts/:conflictId/resolve": async () => {
    const values = { care: "Vacuum" }
    const { conflicts } = await send("PUT", `/v1/products/${ids["rug"]}/metafields`, { values, source: "shopify" })
    await compare()
    await send("POST", `/v1/metafield-conflicts/${conflicts[0].conflictId}/resolve`, { resolution: "accept_source" })
  },
  "POST /v1/metafield-conflicts/:conflictId/ignore": async () => {
    const values = { care: "Wash" }
    const { conflicts } = await send("PUT", `/v1/products/${ids["rug"]}/metafields`, { values, source: "magento" })
    await send("POST", `/v1/metafield-conflicts/${conflicts[0].conflictId}/ignore`)
  },
  "PATCH /v1/metafield-definitions/:id": async () => {
    const change = (id: string | undefined, body: object) => send("PATCH", `/v1/metafield-definitions/${id}`, body)
    await change(ids["wood"], { key: "timber", position: -2 })
    await compare()
    await change(ids["gift"], { productIds: [ids["rug"]], name: "Wrapped" })
    await compare()
    await change(ids["gift"], { appliesToAllProducts: true, position: -3 })
    await compare()
    await change(ids["wood"], { isActive: false })
  },
  "DELETE /v1/metafield-definitions/:id": () => send("DELETE", `/v1/metafield-definitions/${ids["wood"]}?force=true`),
  "PUT /v1/products/:id/inventory": () => send("PUT", `/v1/products/${ids["lamp"]}/inventory`, { total: 9 }),
  "POST /v1/products/:id/inventory/adjust": () =>
    send("POST", `/v1/products/${ids["lamp"]}/inventory/adjust`, { delta: -9, reason: "damage" }),
  "POST /v1/inventory/bulk": () => send("POST", "/v1/inventory/bulk", { productIds: [ids["lamp"]] }),
  "PUT /v1/inventory/bulk": () =>
    send("PUT", "/v1/inventory/bulk", { items: [{ productId: ids["lamp"], total: 2, backorderMode: "ALLOW" }] }),
  "POST /v1/inventory/reconcile": async () => {
    await owner.query("UPDATE stock SET reserved = 2 WHERE key = $1", [ids["lamp"]])
    await send("POST", "/v1/inventory/reconcile", {})
  },
  "PATCH /v1/categories/:id": () =>
    send("PATCH", `/v1/categories/${ids["root"]}`, { name: 'Living "rooms"', slug: "living", isActive: false }),
  "PATCH /v1/brands/:id": () => send("PATCH", `/v1/brands/${ids["brand"]}`, { name: "South", salesChannelIds: null }),
  "PATCH /v1/shipping/classes/:id": () => send("PATCH", `/v1/shipping/classes/${ids["class"]}`, { name: "Heavy" }),
  "PATCH /v1/tax/classes/:id": () => send("PATCH", `/v1/tax/classes/${ids["tax"]}`, { name: "Low" }),
  "POST /v1/modifier-groups": async () => {
    const modifiers = [{ name: "Wrap", priceDelta: "1.50" }, { name: "Card" }, { name: "Secret", status: "draft" }]
    const body = { name: "Gift", internalName: "Counter 3", selectionType: "MULTIPLE", modifiers }
    ids["group"] = (await send("POST", "/v1/modifier-groups", body)).id
    const attached = { groupId: ids["group"], maxOverride: 2, requiredOverride: false }
    await send("PATCH", `/v1/products/${ids["lamp"]}`, { modifierGroups: [attached] })
  },
  "PATCH /v1/modifier-groups/:id": () =>
    send("PATCH", `/v1/modifier-groups/${ids["group"]}`, { name: 'Gift "box"', freeQuantity: 1 }),
  "DELETE /v1/modifier-groups/:id": async () => {
    await send("PATCH", `/v1/modifier-groups/${ids["group"]}`, { status: "draft" })
    await compare()
    await send("PATCH", `/v1/products/${ids["lamp"]}`, { modifierGroups: [] })
    await send("DELETE", `/v1/modifier-groups/${ids["group"]}`)
  },
  "PATCH /v1/reviews/:id": async () => {
    const account = { email: "ada@example.com", password: "Corr3ct-Horse" }
    const { token } = await send("POST", `/vc/${shop.channelId}/customers/register`, account)
    const { body } = await shop.call("POST", `/vc/${shop.channelId}/products/${ids["lamp"]}/reviews`, {
      body: { rating: 4, body: "Bright." },
      headers: { authorization: `Bearer ${token}` }
    })
    ids["review"] = body.id
    await send("PATCH", `/v1/reviews/${ids["review"]}`, { status: "APPROVED" })
  },
  "DELETE /v1/reviews/:id": () => send("DELETE", `/v1/reviews/${ids["review"]}`),
  "DELETE /v1/categories/:id": () => send("DELETE", `/v1/categories/${ids["root"]}`),
  "DELETE /v1/brands/:id": () => send("DELETE", `/v1/brands/${ids["brand"]}?force=true`),
  "DELETE /v1/products/:id": () => send("DELETE", `/v1/products/${ids["rug"]}`),
  "DELETE /v1/shipping/classes/:id": async () => {
    await send("PATCH", `/v1/products/${ids["lamp"]}`, { shippingClassId: null })
    await send("DELETE", `/v1/shipping/classes/${ids["class"]}`)
  },
  "DELETE /v1/tax/classes/:id": async () => {
    await send("PATCH", `/v1/products/${ids["lamp"]}`, { taxClassId: null })
    await send("DELETE", `/v1/tax/classes/${ids["tax"]}`)
  }
}

describe("what storefronts are answered of products", () => {
  it("is compared after every write route that touches them", () => {
    const declared = routesOf(Api)
      .filter(({ method, path }) => method !== "GET" && touching.test(path))
      .map(({ method, path }) => `${method} ${path.replace("/api", "")}`)
    expect(Object.keys(writes).toSorted()).toEqual(declared.toSorted())
  })

  it.each(Object.entries(writes))("is what their rows say, after %s", async (_, write) => {
    await write()
    await compare()
  })

  it("is right at once when a category gets another name, and not one document is written", async () => {
    const { id } = await send("POST", "/v1/categories", { name: "Before" })
    await send("PATCH", `/v1/products/${ids["lamp"]}`, { categories: [id] })
    await compare()
    const written = () =>
      owner
        .query(
          "SELECT d.xmin, d.ctid, l.xmin AS listed, * FROM product_document d, product_listing l WHERE d.product_id = l.product_id ORDER BY d.product_id"
        )
        .then(({ rows }) => rows)
    const before = await written()
    await send("PATCH", `/v1/categories/${id}`, { name: "After", slug: "after" })
    expect(JSON.parse(await answers(`/products/${ids["lamp"]}`)).categories[0].name).toBe("After")
    const found = async (slug: string) => JSON.parse(await answers(`/products?category=${slug}`)).meta.total
    expect([await found("before"), await found("after")]).toEqual([0, 1])
    const parent = await send("POST", "/v1/categories", { name: "Above" })
    expect(await found("above")).toBe(0)
    await send("PATCH", `/v1/categories/${id}`, { parentId: parent.id })
    expect(await found("above")).toBe(1)
    await compare()
    expect(await written()).toEqual(before)
  })

  it("follows the store's own language, which decides with those that are asked for", async () => {
    const body = { name: "Own", status: "active", basePrice: "1.00", translations: { de: { name: "Eigen" } } }
    const { id } = await send("POST", "/v1/products", body)
    // Another process hears of settings a few seconds later.
    const headers = { "accept-language": "en, de" }
    const name = async () => (await shop.call("GET", `/vc/${shop.channelId}/products/${id}`, { headers })).body.name
    const { languages } = await send("GET", "/v1/store")
    await send("PATCH", "/v1/store", { languages: ["en"] })
    expect(await name()).toBe("Own")
    await send("PATCH", "/v1/store", { languages: ["fr"] })
    expect(await name()).toBe("Eigen")
    await send("PATCH", "/v1/store", { languages })
    await send("DELETE", `/v1/products/${id}`)
  })

  it("is JSON whatever an earlier release let a merchant call a language", async () => {
    const translations = { "d\u0004e": { name: "no tag" }, "\u0003": { name: "no tag" }, de: { name: "Leuchte" } }
    await owner.query("UPDATE product SET translations = $1 WHERE id = $2", [JSON.stringify(translations), ids["lamp"]])
    expect(JSON.parse(await answers(`/products/${ids["lamp"]}`)).translations).toEqual(translations)
    expect(JSON.parse(await answers(`/products/${ids["lamp"]}`, "de")).name).toBe("Leuchte")
    await compare()
  })

  it("has a new metafield at once on every product that is attached to it, however many", async () => {
    const all: Array<string> = []
    for (let i = 0; i < 201; i++)
      all.push((await send("POST", "/v1/products", { name: `Bulk ${i}`, basePrice: "1.00", status: "active" })).id)
    const last = all.toSorted().at(-1)
    const keys = async () =>
      JSON.parse(await answers(`/products/${last}`)).customizationFields.map(({ key }: { key: string }) => key)
    const body = { name: "Monogram", key: "monogram", type: "TEXT", isCustomerInput: true, productIds: all }
    const noted = () => owner.query("SELECT 1 FROM product_stale WHERE product_id = ANY($1)", [all])
    const { id } = await send("POST", "/v1/metafield-definitions", body)
    expect((await noted()).rowCount).toBe(0)
    expect(await keys()).toContain("monogram")
    await send("PATCH", `/v1/metafield-definitions/${id}`, { productIds: [all[0]] })
    expect((await noted()).rowCount).toBe(0)
    expect(await keys()).not.toContain("monogram")
    await send("DELETE", `/v1/metafield-definitions/${id}`)
    for (const product of all) await send("DELETE", `/v1/products/${product}`)
  })

  it("is right at once after a write that composes nothing, as a release before makes it", async () => {
    await owner.query("UPDATE product SET name = 'Old hand', menu_order = 7 WHERE id = $1", [ids["lamp"]])
    await compare()
    await owner.query("UPDATE product_category SET position = 3 WHERE product_id = $1", [ids["lamp"]])
    await owner.query("UPDATE product SET deleted_at = now() WHERE name = 'Vase'")
    await compare()
    expect((await owner.query("SELECT 1 FROM product_stale")).rowCount).toBe(0)
  })

  it("shows a kit at the price of a component that somebody has written without composing it", async () => {
    const part = await send("POST", "/v1/products", { name: "Part", basePrice: "3.00", status: "active" })
    const kit = { name: "Set", type: "KIT", status: "active", kitPricingMode: "COMPONENTS" }
    const kitComponents = [{ productId: part.id, quantity: 2 }]
    const { id } = await send("POST", "/v1/products", { ...kit, kitComponents })
    const price = async () => JSON.parse(await answers(`/products/${id}`)).displayPriceMin
    expect(await price()).toBe("6.00")
    await owner.query("UPDATE product SET base_price = 500 WHERE id = $1", [part.id])
    expect(await price()).toBe("10.00")
    await compare()
    await owner.query("UPDATE product SET status = 'draft' WHERE id = $1", [part.id])
    await compare()
    await send("DELETE", `/v1/products/${id}`)
    await send("DELETE", `/v1/products/${part.id}`)
  })

  it("is composed anew by a rebuild, as it was", async () => {
    const composed = () => owner.query("SELECT * FROM product_document ORDER BY product_id").then(({ rows }) => rows)
    const before = await composed()
    await owner.query("UPDATE product_document SET document = 'spoilt'")
    const told: Array<string> = []
    const all = await run(
      ListingRepair.use((stale) => stale.rebuild(undefined, (done, of) => told.push(`${done}/${of}`)))
    )
    expect([all, told]).toEqual([2, ["2/2"]])
    expect(await composed()).toEqual(before)
    // A server beside it has taken a product before it comes to it.
    await owner.query(`CREATE FUNCTION taken() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN DELETE FROM product_stale WHERE id = (SELECT min(id) FROM product_stale); RETURN NULL; END $$`)
    await owner.query(
      "CREATE TRIGGER taken AFTER INSERT ON product_stale FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION taken()"
    )
    told.length = 0
    const shared = await run(
      ListingRepair.use((stale) => stale.rebuild(undefined, (done, of) => told.push(`${done}/${of}`)))
    )
    await owner.query("DROP FUNCTION taken CASCADE")
    expect([shared, told]).toEqual([2, ["1/2", "2/2"]])
    await compare()
  })
})

const textOf = ({ body }: { readonly body: Uint8Array }) => Buffer.from(body).toString("utf8")

describe("a sale", () => {
  const begins = Date.parse("2030-01-01T00:00:00.000Z")
  const ends = Date.parse("2030-01-02T00:00:00.000Z")
  let id: string

  /** What the list answers at an instant, and how many products cost 10 at most then. */
  const at = (millis: number) =>
    run(
      Effect.gen(function* () {
        const store = yield* (yield* Stores).context(shop.storeId)
        const storefront = yield* StorefrontProducts
        const reader = { channelId: shop.channelId }
        const query = { page: { page: 1, limit: 100 }, sortBy: "displayPriceMin", descending: false } as const
        const list = JSON.parse(textOf(yield* storefront.list(store, { ...query, filter: {} }, reader)))
        const cheap = JSON.parse(
          textOf(yield* storefront.list(store, { ...query, filter: { maxPrice: 1000n } }, reader))
        )
        const rows = JSON.stringify(yield* (yield* Products).get(store, { id }, "storefront", reader))
        const shown = textOf(yield* storefront.get(store, { id }, reader))
        return { first: list.data[0].id === id, cheap: cheap.meta.total, same: rows === shown }
      }).pipe(
        Effect.provideService(Clock.Clock, {
          currentTimeMillisUnsafe: () => millis,
          currentTimeMillis: Effect.succeed(millis),
          currentTimeNanosUnsafe: () => BigInt(millis) * 1_000_000n,
          currentTimeNanos: Effect.succeed(BigInt(millis) * 1_000_000n),
          sleep: () => Effect.void
        } as unknown as Clock.Clock)
      )
    )

  it("shows its price from its first millisecond to its last, in lists, filters and orders", async () => {
    const dates = { salePriceStartsAt: new Date(begins).toISOString(), salePriceEndsAt: new Date(ends).toISOString() }
    const body = { name: "Chair", status: "active", basePrice: "90.00", salePrice: "1.00", ...dates }
    id = (await send("POST", "/v1/products", body)).id
    const regular = { first: false, cheap: 0, same: true }
    const sale = { first: true, cheap: 1, same: true }
    for (const [instant, expected] of [
      [begins - 1, regular],
      [begins, sale],
      [ends - 1, sale],
      [ends, regular],
      // What the process remembers of a later instant says nothing of an earlier one.
      [begins, sale],
      [begins - 1, regular]
    ] as const)
      expect([instant, await at(instant)]).toEqual([instant, expected])
  })

  it.each([
    ["while it lasts", begins + 1_000],
    ["after its end", ends + 1_000]
  ])("is right for a reader whose clock is behind that of who wrote the product %s", async (_, writtenAt) => {
    const kitComponents = [{ productId: id, quantity: 1 }]
    const body = { name: "Half", type: "KIT", status: "active", kitPricingMode: "COMPONENTS", kitDiscountValue: 50 }
    const kit = await send("POST", "/v1/products", { ...body, kitComponents })
    await run(
      Effect.gen(function* () {
        const store = yield* (yield* Stores).context(shop.storeId)
        yield* (yield* ProductReadModel).rebuild(store, [id, kit.id], writtenAt)
      })
    )
    const chair = id
    id = kit.id
    // In the order of time, so that each reading could be answered by what the one before it has found.
    for (const instant of [begins - 1_000, begins - 1, begins, ends - 1, ends, ends + 1]) {
      const onSale = instant >= begins && instant < ends
      const expected = { first: onSale, cheap: onSale ? 2 : 0, same: true }
      expect([instant, await at(instant)]).toEqual([instant, expected])
    }
    id = chair
    await send("DELETE", `/v1/products/${kit.id}`)
  })
})

describe("stock", () => {
  it("decides what can be bought the moment it changes, and when what was held has run out", async () => {
    const shopper = shopperOf(shop)
    const inStock = async (flag: boolean) =>
      JSON.parse(await answers(`/products?inStock=${flag}&limit=100`)).data.map(({ id }: { id: string }) => id)
    const { id } = await send("POST", "/v1/products", {
      name: "Last",
      status: "active",
      basePrice: "1.00",
      inventory: { total: 1 }
    })
    expect(await inStock(true)).toContain(id)
    await send("POST", `/v1/products/${id}/inventory/adjust`, { delta: -1, reason: "damage" })
    expect([await inStock(true), await inStock(false)]).toEqual([
      expect.not.arrayContaining([id]),
      expect.arrayContaining([id])
    ])
    await run(ListingRepair.use((stale) => stale.pass))
    expect((await owner.query("SELECT buyable FROM product_listing WHERE product_id = $1", [id])).rows).toEqual([
      { buyable: false }
    ])
    expect(await inStock(true)).not.toContain(id)
    await send("PUT", `/v1/products/${id}/inventory`, { total: 1 })
    expect(await inStock(true)).toContain(id)
    await run(ListingRepair.use((stale) => stale.pass))
    // Held, and not written down yet that its time has passed.
    await owner.query(
      "INSERT INTO reservation (store_id, holder_id, key, quantity, expires_at) VALUES ($1, 'cart_x', $2, 1, now() + interval '1 hour')",
      [shop.storeId, id]
    )
    await owner.query("UPDATE stock SET reserved = 1 WHERE key = $1", [id])
    expect(await inStock(true)).not.toContain(id)
    await owner.query("UPDATE reservation SET expires_at = now() - interval '1 second' WHERE key = $1", [id])
    expect(await inStock(true)).toContain(id)
    expect(JSON.parse(await answers(`/products/${id}`)).inventory).toMatchObject({ reserved: 0, canPurchase: true })
    void shopper
  })
})
