/** What the PATCH of a product takes beyond its own fields: variants, stock and pictures. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

interface Variant {
  readonly id: string
  readonly name: string
  readonly price: string
  readonly position: number
  readonly inventory: { readonly total: number }
}
const create = async (body: object) =>
  (await shop.call("POST", "/v1/products", { body: { status: "active", basePrice: "10.00", ...body } })).body
const patch = (id: string, body: object) => shop.call("PATCH", `/v1/products/${id}`, { body })
const shown = (variants: ReadonlyArray<Variant>) =>
  variants.map(({ name, price, inventory }) => [name, price, inventory.total])
const shirt = () =>
  create({
    name: "Shirt",
    variants: ["S", "M", "L"].map((Size, i) => ({
      attributes: { Size },
      price: `${10 + i}.00`,
      inventory: { total: 5 }
    }))
  })
const movements = async (id: string) =>
  (await shop.call("GET", `/v1/products/${id}/inventory/history`)).body.data.map(
    ({ delta, reason }: { delta: number; reason: string }) => [delta, reason]
  )
const eventsSince = async (after: string, type: string) =>
  (await shop.call("GET", `/v1/events?after=${after}&types=${type}&limit=100`)).body.data.map(
    ({ data }: { readonly data: unknown }) => data
  )
const lastEvent = async () => (await shop.call("GET", "/v1/events?limit=100")).body.data.at(-1).id
const refusal = async (call: ReturnType<typeof patch>) => {
  const { status, body } = await call
  return [status, body.code, Object.keys(body.details?.errors ?? {})]
}

describe("the PATCH of a product", () => {
  it("changes the variants it names, adds those without an id, takes away those marked, and leaves the others", async () => {
    const { id, variants } = await shirt()
    const [small, medium, large] = variants
    const { status, body } = await patch(id, {
      variants: [
        { id: medium.id, price: "12.50", inventory: { total: 9 } },
        { id: large.id, _delete: true },
        { attributes: { Size: "XL" }, price: "14.00", inventory: { total: 2 } }
      ]
    })
    expect(status).toBe(200)
    expect(shown(body.variants)).toEqual([
      ["S", "10.00", 5],
      ["M", "12.50", 9],
      ["XL", "14.00", 2]
    ])
    expect(body.variants.slice(0, 2).map(({ id: kept }: Variant) => kept)).toEqual([small.id, medium.id])
    expect([body.priceMin, body.priceMax, body.inventory.total]).toEqual(["10.00", "14.00", 16])
    expect((await shop.call("GET", `/vc/${shop.channelId}/products/${id}`)).body.variants).toHaveLength(3)
  })

  it("lets an option pass from a variant that goes to one that comes", async () => {
    const { id, variants } = await shirt()
    const swapped = await patch(id, {
      variants: [
        { attributes: { Size: "S" }, price: 11 },
        { id: variants[0].id, _delete: true }
      ]
    })
    expect([
      swapped.status,
      shown(swapped.body.variants)
        .map(([name]) => name)
        .sort()
    ]).toEqual([200, ["L", "M", "S"]])
  })

  it("sets stock with the movement that explains it, and tells of product and stock once each", async () => {
    const { id } = await create({ name: "Lamp", inventory: { total: 3 } })
    const before = await lastEvent()
    const { body } = await patch(id, { name: "Better lamp", inventory: { total: 8, lowStockThreshold: 2 } })
    expect([body.name, body.inventory.total, body.inventory.available]).toEqual(["Better lamp", 8, 8])
    expect((await shop.call("GET", `/v1/products/${id}/inventory`)).body).toMatchObject({
      total: 8,
      lowStockThreshold: 2,
      backorderMode: "DENY"
    })
    expect(await movements(id)).toEqual([
      [5, "correction"],
      [3, "correction"]
    ])
    expect(await eventsSince(before, "inventory.updated")).toMatchObject([{ productId: id, inventory: { total: 8 } }])
    expect(await eventsSince(before, "product.updated")).toMatchObject([
      { productId: id, product: { name: "Better lamp", inventory: { total: 8 } } }
    ])
    const cleared = await patch(id, { inventory: { lowStockThreshold: null, trackingMode: "UNTRACKED" } })
    expect(cleared.body.inventory).toMatchObject({ trackingMode: "UNTRACKED", total: 8 })
    expect((await shop.call("GET", `/v1/products/${id}/inventory`)).body.lowStockThreshold).toBeNull()
  })

  it("tells of the stock of several variants in one event, and of none where nothing is said of stock", async () => {
    const { id, variants } = await shirt()
    const before = await lastEvent()
    await patch(id, {
      variants: variants.map((variant: Variant, i: number) => ({ id: variant.id, inventory: { total: i } }))
    })
    await patch(id, { inventory: {}, variants: [{ id: variants[0].id, price: 5, inventory: {} }], tags: ["new"] })
    const told = await eventsSince(before, "inventory.updated")
    expect(told.map((data: { readonly inventory: { readonly total: number } }) => data.inventory.total)).toEqual([3])
  })

  it("sets the stock of one variant by the variant's own PATCH too", async () => {
    const { id, variants } = await shirt()
    const { status, body } = await shop.call("PATCH", `/v1/products/${id}/variants/${variants[0].id}`, {
      body: { inventory: { total: 40 } }
    })
    expect([status, body.inventory.total, body.price]).toEqual([200, 40, "10.00"])
  })

  it("becomes VARIABLE with its variants in one call, whose stock alone then counts", async () => {
    const { id } = await create({ name: "Was simple", inventory: { total: 7 } })
    const { body } = await patch(id, { type: "VARIABLE", variants: [{ attributes: { Size: "S" } }] })
    expect([body.type, body.inventory.total, shown(body.variants)]).toEqual(["VARIABLE", 0, [["S", "10.00", 0]]])
    const inStock = async (asked: boolean) =>
      (await shop.call("GET", `/vc/${shop.channelId}/products?inStock=${asked}&search=was simple`)).body.data.map(
        (one: { readonly id: string }) => one.id
      )
    expect([await inStock(true), await inStock(false)]).toEqual([[], [id]])
    const before = await lastEvent()
    await patch(id, { variants: [{ id: body.variants[0].id, inventory: { total: 4 } }] })
    expect(await eventsSince(before, "inventory.updated")).toMatchObject([{ inventory: { total: 4, available: 4 } }])
    expect([await inStock(true), await inStock(false)]).toEqual([[id], []])
  })

  it("refuses what makes no sense by the name of its field, and then writes nothing", async () => {
    const { id, variants } = await shirt()
    const simple = await create({ name: "Simple", inventory: { total: 1 } })
    const foreign = (await shirt()).variants[0].id
    const fails: ReadonlyArray<readonly [string, object, string]> = [
      [id, { variants: [{ id: "var_unknown", price: 1 }] }, "variants.0.id"],
      [id, { variants: [{ id: foreign, price: 1 }] }, "variants.0.id"],
      [
        id,
        {
          variants: [
            { id: variants[0].id, price: 1 },
            { id: variants[0].id, price: 2 }
          ]
        },
        "variants.1.id"
      ],
      [id, { variants: [{ _delete: true }] }, "variants.0.id"],
      [
        id,
        {
          name: "Half",
          variants: [
            { id: variants[0].id, price: 1 },
            { attributes: { Size: "XS" }, price: "1.001" }
          ]
        },
        "variants.1.price"
      ],
      [id, { variants: [{ id: variants[0].id, salePrice: "99.00" }] }, "variants.0.salePrice"],
      [id, { inventory: { total: 1 } }, "inventory"],
      [id, { slug: null }, "slug"],
      [simple.id, { variants: [{ attributes: { Size: "S" } }] }, "variants"],
      [simple.id, { inventory: { total: -1 } }, "inventory.total"],
      [simple.id, { inventory: { total: 1.5 } }, "inventory.total"]
    ]
    for (const [product, body, field] of fails)
      expect([field, await refusal(patch(product, body))]).toEqual([field, [400, "VALIDATION_FAILED", [field]]])
    expect(
      await refusal(
        shop.call("POST", "/v1/products", { body: { name: "V", type: "VARIABLE", inventory: { total: 1 } } })
      )
    ).toEqual([400, "VALIDATION_FAILED", ["inventory"]])
    const twice = await patch(id, { variants: [{ attributes: { Size: "M" } }] })
    expect([twice.status, twice.body.code]).toEqual([409, "CONFLICT"])
    const after = (await shop.call("GET", `/v1/products/${id}`)).body
    expect([after.name, shown(after.variants)]).toEqual(["Shirt", shown(variants)])
  })

  it("leaves no fewer units than shoppers hold", async () => {
    await shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_CART" } } })
    const { id } = await create({ name: "Held", inventory: { total: 5 } })
    const cart = (await shop.call("POST", `/vc/${shop.channelId}/cart`)).body.id
    await shop.call("POST", `/vc/${shop.channelId}/cart/${cart}/items`, { body: { productId: id, quantity: 3 } })
    const { status, body } = await patch(id, { name: "Not held", inventory: { total: 2 } })
    expect([status, body.code, body.details]).toEqual([409, "CONFLICT", { total: 2, reserved: 3 }])
    expect((await shop.call("GET", `/v1/products/${id}`)).body).toMatchObject({
      name: "Held",
      inventory: { total: 5, reserved: 3 }
    })
    await shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_PAYMENT" } } })
  })

  it("keeps a picture that it names by id, and has one main picture", async () => {
    const { id, images } = await create({
      name: "Pictured",
      images: [{ url: "https://img.example/a.jpg" }, { url: "https://img.example/b.jpg", isMain: true }]
    })
    expect(images.map((image: { readonly isMain: boolean }) => image.isMain)).toEqual([false, true])
    const { body } = await patch(id, {
      images: [
        { ...images[1], alt: "Back" },
        { key: "c.jpg", url: "https://img.example/c.jpg", isMain: true },
        { url: "https://img.example/d.jpg", isMain: true }
      ]
    })
    expect(body.images[0]).toMatchObject({ id: images[1].id, createdAt: images[1].createdAt, alt: "Back" })
    expect(body.images.filter((image: { readonly isMain: boolean }) => image.isMain)).toHaveLength(1)
    expect(new Set(body.images.map((image: { readonly id: string }) => image.id)).size).toBe(3)
  })

  it("keeps the address of a picture of which it gives the id alone, and refuses ids of no picture of the product", async () => {
    const { id, images } = await create({
      name: "Framed",
      images: [{ url: "https://img.example/a.jpg" }, { url: "https://img.example/b.jpg" }]
    })
    const other = await create({ name: "Copy", images })
    expect(other.images.map((image: { readonly url: string }) => image.url)).toEqual([
      "https://img.example/a.jpg",
      "https://img.example/b.jpg"
    ])
    const { body } = await patch(id, { images: [{ id: images[1].id, alt: "Back" }] })
    expect(body.images).toEqual([{ ...images[1], alt: "Back", position: 0, isMain: true }])
    const named = { url: "https://img.example/c.jpg" }
    for (const [given, field] of [
      [[{ id: "img_unknown", ...named }], "images.0.id"],
      [[{ id: other.images[0].id, ...named }], "images.0.id"],
      [[{ id: images[1].id }, { id: images[1].id }], "images.1.id"]
    ] as const) {
      const refused = await patch(id, { images: given })
      expect([refused.status, refused.body.details]).toEqual([
        400,
        { errors: { [field]: "is not an image of this product, or is named twice" } }
      ])
    }
    const nowhere = await shop.call("POST", "/v1/products", { body: { name: "None", images: [{ id: "img_unknown" }] } })
    expect([nowhere.status, nowhere.body.details]).toEqual([400, { errors: { "images.0": "needs a url or a key" } }])
    expect((await shop.call("GET", `/v1/products/${id}`)).body.images).toEqual(body.images)
  })
})
