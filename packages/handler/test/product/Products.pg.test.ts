import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { asDocumented } from "../system/documentedAnswers.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = asDocumented(await openTestCommerce())
})
afterAll(() => shop.close())

const create = (body: object) => shop.call("POST", "/v1/products", { body })
const answer = async (promise: ReturnType<TestCommerce["call"]>) => {
  const { status, body } = await promise
  return [status, body?.code]
}

describe("a product", () => {
  it("is created with its price, stock and every documented field", async () => {
    const made = await create({
      name: "Straße Lamp",
      basePrice: "19.99",
      costPrice: 7.5,
      sku: "LAMP-1",
      gtin: "4006381333931",
      status: "active",
      tags: ["light"],
      images: [{ url: "https://img.example/lamp.jpg" }],
      downloadData: {
        files: [{ name: "n", url: "https://secret", storageKey: "k" }],
        downloadLimit: 3
      },
      inventory: { total: 5 }
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      slug: "strasse-lamp",
      type: "SIMPLE",
      status: "active",
      basePrice: "19.99",
      costPrice: "7.50",
      priceMin: "19.99",
      priceMax: "19.99",
      priceVaries: false,
      displayCurrency: "USD",
      inventory: {
        trackingMode: "TRACKED",
        total: 5,
        reserved: 0,
        available: 5,
        inStock: true,
        canPurchase: true,
        lastInventorySyncAt: null
      }
    })
    const shown = await shop.call("GET", `/vc/${shop.channelId}/products/slug/strasse-lamp`)
    expect(shown.status).toBe(200)
    expect(shown.body.id).toBe(made.body.id)
    expect(shown.body).not.toHaveProperty("costPrice")
    const [file] = made.body.downloadData.files
    expect(made.body.downloadData).toEqual({
      files: [{ id: file.id, name: "n", url: "https://secret", storageKey: "k", size: null, mimeType: null }],
      downloadLimit: 3,
      downloadExpiry: null
    })
    expect(shown.body.downloadData).toEqual({
      files: [{ id: file.id, name: "n", size: null, mimeType: null }],
      downloadLimit: 3,
      downloadExpiry: null
    })
    const open = await shop.call("GET", `/stores/${shop.storeId}/products/${made.body.id}`, {
      headers: { origin: "https://a.example" }
    })
    expect(open.body.slug).toBe("strasse-lamp")
    expect(await answer(shop.call("GET", `/stores/${shop.storeId}/products/${made.body.id}`))).toEqual([
      401,
      "UNAUTHORIZED"
    ])
  })

  it.each([
    ["no name", { basePrice: 1 }],
    ["a sale price above the price", { name: "a", basePrice: "1.00", salePrice: "1.01" }],
    ["one sale date", { name: "a", salePriceStartsAt: "2030-01-01T00:00:00Z" }],
    [
      "sale dates the wrong way round",
      { name: "a", salePriceStartsAt: "2030-01-02T00:00:00Z", salePriceEndsAt: "2030-01-01T00:00:00Z" }
    ],
    ["too many digits", { name: "a", basePrice: "1.001" }],
    ["a negative price", { name: "a", basePrice: -1 }],
    ["a price beyond any number", { name: "a", basePrice: "99999999999999999999" }],
    ["a bad GTIN", { name: "a", gtin: "4006381333932" }],
    ["a long mpn", { name: "a", mpn: "x".repeat(71) }],
    ["a long external id", { name: "a", externalSourceId: "x".repeat(192) }],
    ["a slug with a space", { name: "a", slug: "a b" }],
    ["an unknown type", { name: "a", type: "OTHER" }],
    ["an unknown category", { name: "a", categories: ["cat_unknown"] }],
    ["an unknown tax class", { name: "a", taxClassId: "taxclass_unknown" }],
    ["a fraction of stock", { name: "a", inventory: { total: 1.5 } }]
  ])("with %s is refused with 400", async (_what, body) => {
    expect(await answer(create(body))).toEqual([400, "VALIDATION_FAILED"])
  })

  it("keeps slugs and external ids apart: asked for twice is 409, generated gets a number", async () => {
    const first = await create({ name: "Twice", externalSourceId: "ext-1" })
    const second = await create({ name: "Twice" })
    expect([first.body.slug, second.body.slug]).toEqual(["twice", "twice-2"])
    expect(await answer(create({ name: "Other", slug: "twice" }))).toEqual([409, "CONFLICT"])
    expect(await answer(create({ name: "Other", externalSourceId: "ext-1" }))).toEqual([409, "CONFLICT"])
    expect((await shop.call("DELETE", `/v1/products/${first.body.id}`)).body).toEqual({ success: true })
    expect(await answer(shop.call("DELETE", `/v1/products/${first.body.id}`))).toEqual([404, "PRODUCT_NOT_FOUND"])
    expect((await create({ name: "Other", slug: "twice", externalSourceId: "ext-1" })).status).toBe(201)
  })

  it("is found by its slug however long that is, and what is too long to be an id is an unknown one", async () => {
    const { body } = await create({ name: `Long ${"name ".repeat(60)}`, status: "active" })
    expect(body.slug.length).toBeGreaterThan(150)
    expect((await shop.call("GET", `/vc/${shop.channelId}/products/slug/${body.slug}`)).body.id).toBe(body.id)
    expect(await answer(shop.call("GET", `/v1/products/${"x".repeat(500)}`))).toEqual([404, "PRODUCT_NOT_FOUND"])
    expect((await shop.call("GET", `/v1/products/${"x".repeat(500)}/inventory`)).body).toEqual({
      available: 0,
      reserved: 0,
      total: 0
    })
  })

  it("is sold by its variants when VARIABLE, each with price and stock of its own", async () => {
    const made = await create({
      name: "Shirt",
      type: "VARIABLE",
      status: "active",
      basePrice: "20.00",
      variants: [
        { attributes: { Size: "S" }, inventory: { total: 1 } },
        { attributes: { Size: "M" }, price: "22.50", sku: "SH-M", inventory: { total: 2 } }
      ]
    })
    expect(made.body).toMatchObject({
      priceMin: "20.00",
      priceMax: "22.50",
      priceVaries: true,
      inventory: { total: 3, available: 3 }
    })
    const [small, medium] = made.body.variants
    expect([small.name, medium.name, medium.price]).toEqual(["S", "M", "22.50"])
    const path = `/v1/products/${made.body.id}/variants`
    expect(await answer(shop.call("POST", path, { body: { attributes: { Size: "S" } } }))).toEqual([409, "CONFLICT"])
    const large = await shop.call("POST", path, {
      body: { attributes: { Size: "L" }, price: 25, inventory: { total: 4 } }
    })
    expect([large.status, large.body.price]).toEqual([201, "25.00"])
    const changed = await shop.call("PATCH", `${path}/${large.body.id}`, { body: { salePrice: "24.00" } })
    expect(changed.body.displaySalePrice).toBe("24.00")
    expect(await answer(shop.call("PATCH", `/v1/products/${made.body.id}`, { body: { type: "SIMPLE" } }))).toEqual([
      409,
      "CONFLICT"
    ])
    const cart = await shop.call("POST", `/vc/${shop.channelId}/cart`)
    const add = (body: object) => shop.call("POST", `/vc/${shop.channelId}/cart/${cart.body.id}/items`, { body })
    expect(await answer(add({ productId: made.body.id, quantity: 1 }))).toEqual([400, "PRODUCT_UNAVAILABLE"])
    const taken = await add({ productId: made.body.id, variantId: medium.id, quantity: 2 })
    expect([taken.status, taken.body.subtotal]).toEqual([200, "45.00"])
    const more = await add({ productId: made.body.id, variantId: medium.id, quantity: 1 })
    expect([more.status, more.body.code, more.body.details]).toEqual([
      400,
      "INSUFFICIENT_STOCK",
      { available: 2, requested: 3 }
    ])
    expect((await shop.call("DELETE", `${path}/${large.body.id}`)).body).toEqual({ success: true })
  })

  it("as a draft, or deleted, is unknown to storefronts", async () => {
    const draft = await create({ name: "Draft one" })
    expect(await answer(shop.call("GET", `/vc/${shop.channelId}/products/${draft.body.id}`))).toEqual([
      404,
      "PRODUCT_NOT_FOUND"
    ])
    expect((await shop.call("GET", `/v1/products/${draft.body.id}`)).status).toBe(200)
    await shop.call("PATCH", `/v1/products/${draft.body.id}`, { body: { status: "active" } })
    expect((await shop.call("GET", `/vc/${shop.channelId}/products/${draft.body.id}`)).status).toBe(200)
  })

  it("is on sale exactly inside its window", async () => {
    const starts = "2031-01-01T00:00:00.000Z"
    const ends = "2031-01-02T00:00:00.000Z"
    const made = await create({
      name: "Windowed",
      status: "active",
      basePrice: "10.00",
      salePrice: "8.00",
      salePriceStartsAt: starts,
      salePriceEndsAt: ends
    })
    const shown = async (now: string) => {
      await shop.call("POST", "/test/clock", { body: { now } })
      return (await shop.call("GET", `/vc/${shop.channelId}/products/${made.body.id}`)).body.displaySalePrice
    }
    expect(await shown("2030-12-31T23:59:58.000Z")).toBeNull()
    expect(await shown(starts)).toBe("8.00")
    expect(await shown("2031-01-01T23:59:58.000Z")).toBe("8.00")
    expect(await shown(ends)).toBeNull()
  })
})

describe("lists of products", () => {
  it("page, clamp, sort by what is allowed, ignore what is not, and refuse unknown filters", async () => {
    const other = await shop.openStore()
    const list = (query: string) => shop.call("GET", `/v1/products?${query}`, { key: other.apiKey })
    for (const [name, basePrice, status] of [
      ["Cup", "3.00", "active"],
      ["Axe", "9.00", "active"],
      ["Bow", "6.00", "draft"]
    ]) {
      await shop.call("POST", "/v1/products", { key: other.apiKey, body: { name, basePrice, status } })
    }
    const names = async (query: string) =>
      (await list(query)).body.data.map((product: { name: string }) => product.name)
    expect(await names("")).toEqual(["Cup", "Axe", "Bow"])
    expect(await names("sortBy=name")).toEqual(["Axe", "Bow", "Cup"])
    expect(await names("sortBy=price&sortOrder=desc")).toEqual(["Axe", "Bow", "Cup"])
    expect(await names("sortBy=nonsense")).toEqual(["Cup", "Axe", "Bow"])
    expect(await names("search=ax")).toEqual(["Axe"])
    expect(await names("sortOrder=desc")).toEqual(["Bow", "Axe", "Cup"])
    expect(await names("sortBy=nonsense&sortOrder=desc")).toEqual(["Cup", "Axe", "Bow"])
    expect(await names("status=draft")).toEqual(["Bow"])
    expect(await names("status=draft,active&type=SIMPLE,KIT")).toEqual(["Cup", "Axe", "Bow"])
    expect((await list("limit=1000")).body.meta).toEqual({ page: 1, limit: 100, total: 3, totalPages: 1 })
    expect((await list("limit=2&page=2")).body.meta).toEqual({ page: 2, limit: 2, total: 3, totalPages: 2 })
    for (const query of [
      "page=0",
      "page=-1",
      "page=x",
      "limit=0",
      "limit=x",
      "status=other",
      "status=draft,other",
      "status=",
      "type=other"
    ]) {
      const { status, body } = await list(query)
      expect([query, status, body.code]).toEqual([query, 400, "VALIDATION_FAILED"])
    }
    expect(await answer(shop.call("GET", `/v1/products/${(await list("")).body.data[0].id}`))).toEqual([
      404,
      "PRODUCT_NOT_FOUND"
    ])
  })

  it("say of each product what its own route says, and no more: to admins with costs, to shoppers without", async () => {
    const other = await shop.openStore()
    const at = `/vc/${other.channelId}`
    const admin = (method: string, path: string, body?: object) =>
      shop.call(method, `/v1${path}`, { key: other.apiKey, body })
    const shippingClass = await admin("POST", "/shipping/classes", { name: "Bulky" })
    const shown = await admin("POST", "/categories", { name: "Lamps" })
    const hidden = await admin("POST", "/categories", { name: "Hidden", isActive: false })
    const common = {
      status: "active",
      description: "Bright",
      costPrice: "3.00",
      tags: ["new"],
      images: [{ url: "https://img.example/lamp.jpg", alt: "A lamp" }],
      translations: { de: { name: "Leuchte" } },
      categories: [shown.body.id, hidden.body.id],
      shippingClassId: shippingClass.body.id,
      shippingWeightValue: 1.5,
      shippingWeightUnit: "kg",
      downloadData: { files: [{ id: "f", name: "n", url: "https://secret" }], downloadLimit: 3 }
    }
    const sale = {
      salePrice: "8.00",
      salePriceStartsAt: "2020-01-01T00:00:00Z",
      salePriceEndsAt: "2999-01-01T00:00:00Z"
    }
    const simple = {
      name: "Simple",
      basePrice: "10.00",
      inventory: { total: 5, backorderMode: "LIMITED", backorderLimit: 2 },
      ...sale
    }
    const variants = [
      {
        name: "Small",
        attributes: { Size: "S" },
        price: "9.00",
        salePrice: "7.00",
        costPrice: "2.00",
        inventory: { total: 3 }
      },
      { name: "Large", attributes: { Size: "L" }, price: "12.00", status: "draft" }
    ]
    for (const body of [simple, { name: "Variable", basePrice: "9.00", variants }]) {
      expect((await admin("POST", "/products", { ...common, ...body })).status).toBe(201)
    }
    for (const [list, one] of [
      ["/v1/products", "/v1/products"],
      [`${at}/products?locale=de`, `${at}/products`]
    ] as const) {
      const page = await shop.call("GET", list, { key: list.startsWith("/v1") ? other.apiKey : null })
      expect([page.status, page.headers.get("content-type"), page.body.data.length]).toEqual([
        200,
        "application/json",
        2
      ])
      for (const product of page.body.data) {
        const query = list.split("?")[1] ?? ""
        const own = await shop.call("GET", `${one}/${product.id}?${query}`, {
          key: list.startsWith("/v1") ? other.apiKey : null
        })
        expect(product).toEqual(own.body)
        if (list.startsWith(at))
          expect((await shop.call("GET", `${one}/slug/${product.slug}?${query}`)).body).toEqual(own.body)
        expect(Object.hasOwn(product, "costPrice")).toBe(list.startsWith("/v1"))
      }
    }
  })

  it("filter a storefront by category with what lies below it, price and stock", async () => {
    const other = await shop.openStore()
    const admin = (path: string, body: object) => shop.call("POST", path, { key: other.apiKey, body })
    const home = (await admin("/v1/categories", { name: "Home" })).body
    const kitchen = (await admin("/v1/categories", { name: "Kitchen", parentId: home.id })).body
    await admin("/v1/products", {
      name: "Pan",
      status: "active",
      basePrice: "30.00",
      categories: [kitchen.id],
      inventory: { total: 2 }
    })
    await admin("/v1/products", {
      name: "Rug",
      status: "active",
      basePrice: "80.00",
      salePrice: "60.00",
      categories: [home.id]
    })
    await admin("/v1/products", { name: "Tent", status: "active", basePrice: "90.00", inventory: { total: 1 } })
    const names = async (query: string) =>
      (await shop.call("GET", `/vc/${other.channelId}/products?sortBy=name&${query}`)).body.data.map(
        (product: { name: string }) => product.name
      )
    expect(await names("category=home")).toEqual(["Pan", "Rug"])
    expect(await names(`category=${kitchen.id}`)).toEqual(["Pan"])
    expect(await names("category=unknown")).toEqual([])
    expect(await names("minPrice=60.00")).toEqual(["Rug", "Tent"])
    expect(await names("minPrice=30&maxPrice=60.00")).toEqual(["Pan", "Rug"])
    expect(await names("inStock=true")).toEqual(["Pan", "Tent"])
    expect(await names("inStock=false")).toEqual(["Rug"])
    expect(await answer(shop.call("GET", `/vc/${other.channelId}/products?minPrice=x`))).toEqual([
      400,
      "VALIDATION_FAILED"
    ])
    const tree = (await shop.call("GET", `/vc/${other.channelId}/categories`)).body.categories
    expect(tree).toMatchObject([{ name: "Home", children: [{ name: "Kitchen", parentId: home.id, children: [] }] }])
    const page = (await shop.call("GET", `/vc/${other.channelId}/categories/slug/kitchen`)).body
    expect(page).toMatchObject({
      productCount: 1,
      breadcrumb: [
        { name: "Home", slug: "home" },
        { name: "Kitchen", slug: "kitchen" }
      ]
    })
    expect((await shop.call("GET", `/vc/${other.channelId}/categories/slug/home`)).body.productCount).toBe(2)
  })
})

describe("categories", () => {
  it("form a tree of at most ten levels without cycles", async () => {
    const ids: Array<string> = []
    for (let level = 1; level <= 10; level++) {
      const made = await shop.call("POST", "/v1/categories", {
        body: { name: `Level ${level}`, ...(ids.length === 0 ? {} : { parentId: ids.at(-1) }) }
      })
      expect(made.status).toBe(201)
      ids.push(made.body.id)
    }
    expect(await answer(shop.call("POST", "/v1/categories", { body: { name: "Level 11", parentId: ids[9] } }))).toEqual(
      [400, "VALIDATION_FAILED"]
    )
    expect(await answer(shop.call("PATCH", `/v1/categories/${ids[0]}`, { body: { parentId: ids[4] } }))).toEqual([
      400,
      "VALIDATION_FAILED"
    ])
    expect(await answer(shop.call("DELETE", `/v1/categories/${ids[0]}?children=restrict`))).toEqual([409, "CONFLICT"])
    expect(await answer(shop.call("DELETE", `/v1/categories/${ids[0]}?children=other`))).toEqual([
      400,
      "VALIDATION_FAILED"
    ])
    expect((await shop.call("DELETE", `/v1/categories/${ids[1]}`)).status).toBe(200)
    expect((await shop.call("GET", `/v1/categories/${ids[2]}`)).body.parentId).toBe(ids[0])
    expect((await shop.call("DELETE", `/v1/categories/${ids[0]}?children=cascade`)).status).toBe(200)
    expect(await answer(shop.call("GET", `/v1/categories/${ids[9]}`))).toEqual([404, "RESOURCE_NOT_FOUND"])
  })
})

describe("an inactive category", () => {
  it("and what lies below it are unknown to storefronts, on every route that could name them", async () => {
    const other = await shop.openStore()
    const admin = async (method: string, path: string, body: object) =>
      (await shop.call(method, path, { key: other.apiKey, body })).body
    const top = await admin("POST", "/v1/categories", { name: "Top" })
    const hidden = await admin("POST", "/v1/categories", { name: "Hidden", parentId: top.id })
    const below = await admin("POST", "/v1/categories", { name: "Below", parentId: hidden.id })
    const lamp = await admin("POST", "/v1/products", {
      name: "Lamp",
      status: "active",
      categories: [top.id, hidden.id]
    })
    const rug = await admin("POST", "/v1/products", { name: "Rug", status: "active", categories: [below.id] })
    const shelf = (path: string) => shop.call("GET", `/vc/${other.channelId}${path}`)
    const names = async (category: string) =>
      (await shelf(`/products?sortBy=name&category=${category}`)).body.data.map((one: { name: string }) => one.name)
    const seen = async () => [
      await names("top"),
      await names(hidden.id),
      await names("below"),
      (await shelf("/categories/slug/top")).body.productCount
    ]
    expect(await seen()).toEqual([["Lamp", "Rug"], ["Lamp", "Rug"], ["Rug"], 2])
    await admin("PATCH", `/v1/categories/${hidden.id}`, { isActive: false })
    expect(await seen()).toEqual([["Lamp"], [], [], 1])
    const filedIn = (product: { readonly categories: ReadonlyArray<{ readonly name: string }> }) =>
      product.categories.map(({ name }) => name)
    expect(filedIn((await shelf(`/products/${lamp.id}`)).body)).toEqual(["Top"])
    expect(filedIn((await shop.call("GET", `/v1/products/${lamp.id}`, { key: other.apiKey })).body)).toEqual([
      "Top",
      "Hidden"
    ])
    expect((await shelf(`/products/${rug.id}`)).status).toBe(200)
    for (const slug of ["hidden", "below"])
      expect(await answer(shelf(`/categories/slug/${slug}`))).toEqual([404, "RESOURCE_NOT_FOUND"])
    expect((await shelf("/categories")).body.categories).toMatchObject([{ name: "Top", children: [] }])
  })
})

describe("many at once", () => {
  const numbered = (slug: string, count: number) =>
    [slug, ...Array.from({ length: count - 1 }, (_, i) => `${slug}-${i + 2}`)].sort()
  const slugs = (made: ReadonlyArray<Awaited<ReturnType<typeof create>>>) =>
    made.map(({ body }) => body.slug ?? body.code).sort()

  it("of one name get a number each, whichever comes first", async () => {
    const products = await Promise.all(Array.from({ length: 15 }, () => create({ name: "Crowded name" })))
    expect(slugs(products)).toEqual(numbered("crowded-name", 15))
    const categories = await Promise.all(
      Array.from({ length: 8 }, () => shop.call("POST", "/v1/categories", { body: { name: "Crowded name" } }))
    )
    expect(slugs(categories)).toEqual(numbered("crowded-name", 8))
  })

  it("cannot move two categories under each other", async () => {
    const category = async (name: string) =>
      (await shop.call("POST", "/v1/categories", { body: { name } })).body.id as string
    const move = (id: string, parentId: string) => shop.call("PATCH", `/v1/categories/${id}`, { body: { parentId } })
    for (let i = 0; i < 6; i++) {
      const [left, right] = [await category(`Left ${i}`), await category(`Right ${i}`)]
      const moved = await Promise.all([move(left, right), move(right, left)])
      expect(moved.map(({ status }) => status).sort()).toEqual([200, 400])
      expect((await shop.call("DELETE", `/v1/categories/${left}?children=cascade`)).status).toBe(200)
    }
  })
})

describe("what the body of a product points at", () => {
  it.each([
    ["categories", { categories: ["cat_none"] }, "cat_none is not a category of this store"],
    ["crossSells", { crossSells: ["prod_none"] }, "prod_none is not a product of this store"],
    ["upsells", { upsells: ["prod_none"] }, "prod_none is not a product of this store"],
    ["related", { related: ["prod_none"] }, "prod_none is not a product of this store"],
    ["brands", { brands: ["brand_none"] }, "brand_none is not a brand of this store"],
    ["attributes", { attributes: [{ attributeId: "attr_none", optionIds: [] }] }, "this store has no such attribute"],
    ["modifierGroups.0.groupId", { modifierGroups: [{ groupId: "mg_none" }] }, "is not a modifier group of this store"],
    ["metafields.care", { metafields: { care: "wool" } }, "this store has no such metafield"],
    ["taxClassId", { taxClassId: "taxclass_none" }, "is not a tax class of this store"],
    ["shippingClassId", { shippingClassId: "shipclass_none" }, "is not a shipping class of this store"]
  ])("is refused by the name of the field where the store has no such thing: %s", async (field, body, reason) => {
    const made = await create({ name: "Pointing", ...body })
    expect([made.status, made.body.code, made.body.details.errors]).toEqual([
      400,
      "VALIDATION_FAILED",
      { [field]: reason }
    ])
    const { body: lamp } = await create({ name: "Pointing later" })
    const changed = await shop.call("PATCH", `/v1/products/${lamp.id}`, { body })
    expect([changed.status, changed.body.details.errors]).toEqual([400, { [field]: reason }])
    await shop.call("DELETE", `/v1/products/${lamp.id}`)
  })

  it("may be named twice, and is kept once", async () => {
    const { body: category } = await shop.call("POST", "/v1/categories", { body: { name: "Twice" } })
    const made = await create({ name: "Doubly filed", categories: [category.id, category.id] })
    expect([made.status, made.body.categories]).toEqual([
      201,
      [{ id: category.id, name: "Twice", slug: "twice", taxBehavior: "taxable" }]
    ])
  })

  it("of pictures is a url or a key, of names more than spaces", async () => {
    const picture = await create({ name: "Blind", images: [{ alt: "nothing" }] })
    expect([picture.status, picture.body.details.errors]).toEqual([400, { "images.0": "needs a url or a key" }])
    const blank = await create({ name: "  " })
    expect([blank.status, blank.body.details.errors]).toEqual([400, { name: "must not be empty" }])
    const category = await shop.call("POST", "/v1/categories", { body: { name: " " } })
    expect([category.status, category.body.details.errors]).toEqual([400, { name: "must not be empty" }])
  })
})

describe("a shopper's language", () => {
  it("translates names and descriptions by locale, then Accept-Language; what has no translation stays", async () => {
    const translations = { de: { name: "Laterne", description: "Hell." } }
    const { body: category } = await shop.call("POST", "/v1/categories", { body: { name: "Lanterns", translations } })
    const { body: made } = await create({
      name: "Lantern",
      description: "Bright.",
      status: "active",
      translations,
      categories: [category.id]
    })
    const read = async (path: string, acceptLanguage?: string) =>
      (
        await shop.call("GET", path, {
          headers: {
            origin: "https://a.example",
            ...(acceptLanguage === undefined ? {} : { "accept-language": acceptLanguage })
          }
        })
      ).body
    const at = `/vc/${shop.channelId}`
    const bySlug = await read(`${at}/products/slug/${made.slug}?locale=de-AT`)
    expect([bySlug.name, bySlug.description, bySlug.slug, bySlug.translations]).toEqual([
      "Laterne",
      "Hell.",
      "lantern",
      translations
    ])
    expect((await read(`${at}/products/${made.id}`, "fr, de;q=0.5")).name).toBe("Laterne")
    expect((await read(`${at}/products/${made.id}`, "en, de;q=0.5")).name).toBe("Lantern")
    expect((await read(`${at}/products/${made.id}?locale=fr`, "de")).name).toBe("Laterne")
    expect((await read(`${at}/products?category=${category.id}&locale=de`)).data[0].name).toBe("Laterne")
    expect((await read(`/stores/${shop.storeId}/products/${made.id}?locale=de`)).name).toBe("Laterne")
    const node = (await read(`${at}/categories?locale=de`)).categories.find(
      (one: { id: string }) => one.id === category.id
    )
    expect([node.name, node.slug]).toEqual(["Laterne", "lanterns"])
    const page = await read(`${at}/categories/slug/lanterns?locale=de`)
    expect([page.name, page.description, page.breadcrumb]).toEqual([
      "Laterne",
      "Hell.",
      [{ name: "Laterne", slug: "lanterns" }]
    ])
    expect((await shop.call("GET", `/v1/products/${made.id}?locale=de`)).body.name).toBe("Lantern")
  })
})

describe("filters for what is not there", () => {
  it("leave nothing: a brand on the shelf, a platform no category came from", async () => {
    await shop.call("POST", "/v1/categories", { body: { name: "Imported", source: "SHOPIFY" } })
    const names = async (path: string) =>
      (await shop.call("GET", path)).body.data.map((one: { name: string }) => one.name)
    expect(await names(`/vc/${shop.channelId}/products?brand=acme`)).toEqual([])
    expect(await names("/v1/categories?platform=SHOPIFY")).toEqual(["Imported"])
    expect(await names("/v1/categories?platform=MAGENTO")).toEqual([])
  })
})

describe("recommendations", () => {
  it("are what the product names, in that order, then others of its categories, never itself and nothing hidden", async () => {
    const { body: category } = await shop.call("POST", "/v1/categories", { body: { name: "Recommended" } })
    const make = async (name: string, body: object = {}) =>
      (await create({ name, status: "active", categories: [category.id], ...body })).body.id as string
    const [one, two, hidden] = [
      await make("Rec one"),
      await make("Rec two", { categories: [] }),
      await make("Rec hidden", { status: "draft" })
    ]
    const lamp = await make("Rec lamp", { related: [two], crossSells: [hidden, one] })
    const other = await make("Rec other")
    const namesAt = async (path: string) => {
      const { body } = await shop.call("GET", path, { headers: { origin: "https://a.example" } })
      return body.products.map((product: { id: string }) => product.id)
    }
    expect(await namesAt(`/vc/${shop.channelId}/products/${lamp}/recommendations`)).toEqual([two, one, other])
    expect(await namesAt(`/stores/${shop.storeId}/products/${two}/recommendations`)).toEqual([])
    expect(await answer(shop.call("GET", `/vc/${shop.channelId}/products/${hidden}/recommendations`))).toEqual([
      404,
      "PRODUCT_NOT_FOUND"
    ])
  })
})
