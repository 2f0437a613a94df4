import { png } from "@effect-commerce/core/testing/TestImages"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { formOf, sendTo } from "./sendForm.ts"

let shop: TestCommerce
let client: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce()
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

const upload = async (name = "lamp.png", alt = "A lamp") =>
  (await sendTo(shop)("/v1/media", formOf({ bytes: png(12, 8) }, { name, alt }))).body
const make = async (body: object) => {
  const made = await shop.call("POST", "/v1/products", {
    body: { name: "Lamp", basePrice: "1.00", status: "active", ...body }
  })
  expect([made.status, made.body.details]).toEqual([201, undefined])
  return made.body
}
const read = async (path: string) => (await shop.call("GET", path)).body
const remove = (id: string) => shop.call("DELETE", `/v1/media/${id}`)
const eventsOf = async (productId: string) =>
  (
    await client.query(
      "SELECT data FROM event WHERE type = 'product.updated' AND data ->> 'productId' = $1 ORDER BY id",
      [productId]
    )
  ).rows.map(({ data }) => (data as { readonly product: { readonly images: ReadonlyArray<unknown> } }).product.images)

describe("a picture of the library on a product", () => {
  it("brings its address, its thumbnail, its size and its text", async () => {
    const file = await upload()
    const { images } = await make({
      images: [{ key: file.key }, { url: "https://img.example/x.jpg", alt: "Elsewhere" }]
    })
    expect(images).toMatchObject([
      {
        key: file.key,
        url: file.url,
        thumbnailUrl: file.thumbnailUrl,
        width: 12,
        height: 8,
        size: file.size,
        mimeType: "image/png",
        alt: "A lamp",
        isMain: true,
        position: 0,
        source: null,
        importStatus: null,
        importError: null
      },
      {
        key: null,
        url: "https://img.example/x.jpg",
        thumbnailUrl: null,
        width: null,
        size: null,
        isMain: false,
        alt: "Elsewhere"
      }
    ])
  })

  it("is known by its address too, keeps its id over a PATCH, and is read by storefronts as merchants see it", async () => {
    const file = await upload()
    const product = await make({ images: [{ url: file.url, alt: "Own text" }] })
    expect(product.images).toMatchObject([{ key: file.key, width: 12, alt: "Own text" }])
    const patched = await shop.call("PATCH", `/v1/products/${product.id}`, {
      body: { images: product.images.map(({ id, url, key, alt }: Record<string, unknown>) => ({ id, url, key, alt })) }
    })
    expect(patched.body.images).toEqual(product.images)
    const shown = await shop.call("GET", `/vc/${shop.channelId}/products/slug/${product.slug}`)
    expect(shown.body.images).toEqual(product.images)
  })

  it("that is not there is refused, and so is one that was deleted", async () => {
    const gone = await upload()
    await remove(gone.id)
    const theirs = await shop.openStore()
    const foreign = (await sendTo(shop)("/v1/media", formOf({ bytes: png(2, 2) }), { key: theirs.apiKey })).body
    for (const key of ["no/such.png", gone.key, foreign.key]) {
      const refused = await shop.call("POST", "/v1/products", {
        body: { name: "X", basePrice: "1.00", images: [{ key }] }
      })
      expect([refused.status, refused.body.details.errors]).toEqual([
        400,
        { "images.0.key": "is not a file of this store's media library" }
      ])
    }
  })
})

describe("a file that is deleted", () => {
  it("leaves every product, variant, category and brand at once, and tells of each product", async () => {
    const [file, other] = [await upload("a.png"), await upload("b.png")]
    const both = await make({
      images: [{ key: file.key, isMain: true }, { key: other.key }, { url: "https://img.example/x.jpg" }]
    })
    const only = await make({ images: [{ key: file.key }] })
    const untouched = await make({ images: [{ key: other.key }] })
    const coloured = await make({
      variants: [
        { attributes: { Size: "M" }, price: "1.00", image: file.url },
        { attributes: { Size: "L" }, price: "1.00", image: other.url },
        { attributes: { Size: "S" }, price: "1.00", image: file.thumbnailUrl }
      ]
    })
    const category = (await shop.call("POST", "/v1/categories", { body: { name: "Lamps", imageKey: file.key } })).body
    expect([category.image, category.imageKey]).toEqual([file.url, file.key])
    const brand = (await shop.call("POST", "/v1/brands", { body: { name: "Acme", logo: file.url } })).body
    expect([brand.logo, brand.logoKey]).toEqual([file.url, file.key])

    expect((await remove(file.id)).body).toEqual({ success: true })
    expect((await read(`/v1/products/${both.id}`)).images).toMatchObject([
      { key: other.key, isMain: true },
      { url: "https://img.example/x.jpg", isMain: false }
    ])
    expect((await read(`/v1/products/${only.id}`)).images).toEqual([])
    expect(await read(`/v1/products/${untouched.id}`)).toEqual(untouched)
    const variants = (await read(`/v1/products/${coloured.id}`)).variants as ReadonlyArray<{ image: string | null }>
    expect(variants.map(({ image }) => image)).toEqual([null, other.url, null])
    expect(await read(`/v1/categories/${category.id}`)).toMatchObject({ image: null, imageKey: null })
    expect(await read(`/v1/brands/${brand.id}`)).toMatchObject({ logo: null, logoKey: null })
    const shown = await shop.call("GET", `/vc/${shop.channelId}/products/slug/${both.slug}`)
    expect(shown.body.images).toEqual((await read(`/v1/products/${both.id}`)).images)

    expect((await eventsOf(both.id)).map((images) => images.length)).toEqual([2])
    expect(await eventsOf(only.id)).toEqual([[]])
    expect(await eventsOf(untouched.id)).toEqual([])
    expect(await eventsOf(coloured.id)).toHaveLength(1)
    // What was read before is an older version.
    const late = await shop.call("PATCH", `/v1/products/${only.id}`, {
      body: { name: "New" },
      headers: { "if-match": `"${only.updatedAt}"` }
    })
    expect(late.status).toBe(409)
  })

  it("leaves options, modifiers and metafields, which get new versions and are shown without it at once", async () => {
    const [file, other] = [await upload("c.png"), await upload("d.png")]
    const { body: attribute } = await shop.call("POST", "/v1/attributes", {
      body: {
        name: "Wood",
        options: [
          { name: "Oak", swatchImageUrl: file.url },
          { name: "Pine", swatchImageUrl: other.url }
        ]
      }
    })
    const { body: group } = await shop.call("POST", "/v1/modifier-groups", {
      body: { name: "Wrapping", selectionType: "MULTIPLE", modifiers: [{ name: "Box", image: file.thumbnailUrl }] }
    })
    const define = async (body: object) => (await shop.call("POST", "/v1/metafield-definitions", { body })).body
    const choices = await define({
      name: "Finish",
      key: "finish",
      type: "SELECT",
      enumValues: [{ label: "Matt", value: "matt", swatchImageUrl: file.url }],
      defaultValue: "matt"
    })
    await define({ name: "Sketch", key: "sketch", type: "IMAGE" })
    const pictures = await define({
      name: "Views",
      key: "views",
      type: "GALLERY",
      isCustomerInput: true,
      defaultValue: [file.url, other.url]
    })
    await define({ name: "Rooms", key: "rooms", type: "GALLERY" })
    await define({ name: "Note", key: "note", type: "TEXT" })
    const product = await make({
      type: "VARIABLE",
      attributes: [{ attributeId: attribute.id, optionIds: attribute.options.map(({ id }: { id: string }) => id) }],
      modifierGroups: [{ groupId: group.id, position: 0 }],
      metafields: { sketch: file.key, rooms: [file.url, other.url], note: file.url, finish: "matt" }
    })
    /** Whether storefronts see the file or its thumbnail on the options, the modifiers and the choices. */
    const isShown = async () => {
      const { productAttributeOptions, modifierGroups, metafields } = await read(
        `/vc/${shop.channelId}/products/slug/${product.slug}`
      )
      const pictures = Object.entries(metafields as object).filter(([key]) => key !== "note")
      return [productAttributeOptions, modifierGroups, pictures].map((part) =>
        JSON.stringify(part).includes(file.key.replace(".png", ""))
      )
    }
    expect(await isShown()).toEqual([true, true, true])

    expect((await remove(file.id)).body).toEqual({ success: true })
    const left = await read(`/v1/attributes/${attribute.id}`)
    expect(left.options.map((option: { swatchImageUrl: string | null }) => option.swatchImageUrl)).toEqual([
      null,
      other.url
    ])
    expect(left.options.map((option: { updatedAt: string }) => option.updatedAt > attribute.updatedAt)).toEqual([
      true,
      false
    ])
    const leftGroup = await read(`/v1/modifier-groups/${group.id}`)
    expect(leftGroup.modifiers).toMatchObject([{ name: "Box", image: null }])
    expect([left.updatedAt > attribute.updatedAt, leftGroup.updatedAt > group.updatedAt]).toEqual([true, true])
    expect(await read(`/v1/metafield-definitions/${choices.id}`)).toMatchObject({
      enumValues: [{ label: "Matt", value: "matt", swatchImageUrl: null }],
      defaultValue: "matt"
    })
    expect((await read(`/v1/metafield-definitions/${pictures.id}`)).defaultValue).toEqual([other.url])
    // A text that happens to be the address stays: it shows no picture.
    expect((await read(`/v1/products/${product.id}/metafields`)).values).toEqual({
      finish: "matt",
      note: file.url,
      rooms: [other.url]
    })
    expect(await isShown()).toEqual([false, false, false])
    expect(await eventsOf(product.id)).toHaveLength(1)

    await remove(other.id)
    expect((await read(`/v1/products/${product.id}/metafields`)).values).toEqual({ finish: "matt", note: file.url })
    expect((await read(`/v1/metafield-definitions/${pictures.id}`)).defaultValue).toBeNull()
  })

  it("is taken up by nothing any more", async () => {
    const gone = await upload("e.png")
    await remove(gone.id)
    const { body: attribute } = await shop.call("POST", "/v1/attributes", { body: { name: "Shape" } })
    const { body: group } = await shop.call("POST", "/v1/modifier-groups", {
      body: { name: "Cards", selectionType: "SINGLE" }
    })
    const product = await make({})
    const view = { name: "Detail", key: "detail", type: "IMAGE" }
    expect((await shop.call("POST", "/v1/metafield-definitions", { body: view })).status).toBe(201)
    const modifiers = [{ name: "Birthday", image: gone.url }]
    const refusals: ReadonlyArray<readonly [string, string, object, string]> = [
      ["POST", `/v1/attributes/${attribute.id}/options`, { name: "A", swatchImageUrl: gone.url }, "swatchImageUrl"],
      [
        "PATCH",
        `/v1/attributes/${attribute.id}`,
        { options: [{ name: "A" }, { name: "B", swatchImageUrl: gone.url }] },
        "options.1.swatchImageUrl"
      ],
      ["PATCH", `/v1/modifier-groups/${group.id}`, { modifiers }, "modifiers.0.image"],
      ["POST", "/v1/modifier-groups", { name: "X", selectionType: "SINGLE", modifiers }, "modifiers.0.image"],
      [
        "POST",
        "/v1/metafield-definitions",
        { ...view, key: "other", isCustomerInput: true, defaultValue: gone.url },
        "defaultValue"
      ],
      ["PUT", `/v1/products/${product.id}/metafields`, { values: { detail: gone.key } }, "values.detail"],
      ["PATCH", `/v1/products/${product.id}`, { metafields: { detail: gone.url } }, "metafields.detail"]
    ]
    for (const [method, path, body, field] of refusals) {
      const refused = await shop.call(method, path, { body })
      expect([path, refused.status, refused.body.details?.errors]).toEqual([
        path,
        400,
        { [field]: "is not a file of this store's media library" }
      ])
    }
    const bulk = await shop.call("POST", "/v1/metafield-values/bulk", {
      body: { values: [{ productId: product.id, key: "detail", value: gone.url }] }
    })
    expect([bulk.status, JSON.stringify(bulk.body)]).toEqual([200, expect.stringContaining("is not a file of this")])
    expect((await read(`/v1/products/${product.id}/metafields`)).values).not.toHaveProperty("detail")
  })

  it("leaves hundreds of products in one transaction", async () => {
    const file = await upload()
    const rows = Array.from({ length: 450 }, (_, i) => ({
      name: `Many ${i}`,
      basePrice: "1.00",
      images: [{ key: file.key }]
    }))
    for (const row of rows.slice(0, 3)) await make(row)
    await client.query(
      `INSERT INTO product SELECT (jsonb_populate_record(p, jsonb_build_object('id', p.id || n, 'slug', p.slug || n))).*
       FROM product p, generate_series(1, 150) n WHERE p.store_id = $1 AND p.name LIKE 'Many %'`,
      [shop.storeId]
    )
    expect((await remove(file.id)).status).toBe(200)
    const { rows: left } = await client.query("SELECT count(*)::int AS n FROM product WHERE images::text LIKE $1", [
      `%${file.key}%`
    ])
    expect(left).toEqual([{ n: 0 }])
    const { rows: told } = await client.query(
      "SELECT count(DISTINCT data ->> 'productId')::int AS n FROM event WHERE type = 'product.updated' AND data -> 'product' ->> 'name' LIKE 'Many %'"
    )
    expect(told).toEqual([{ n: 453 }])
  })

  it("is never on a product that was written at the same moment", async () => {
    for (let round = 0; round < 15; round++) {
      const file = await upload()
      const product = await make({ images: [] })
      const [deleted, patched, made] = await Promise.all([
        remove(file.id),
        shop.call("PATCH", `/v1/products/${product.id}`, { body: { images: [{ key: file.key }] } }),
        shop.call("POST", "/v1/products", {
          body: { name: `Race ${round}`, basePrice: "1.00", images: [{ key: file.key }] }
        })
      ])
      expect([deleted.status, [200, 400].includes(patched.status), [201, 400].includes(made.status)]).toEqual([
        200,
        true,
        true
      ])
      const { rows } = await client.query("SELECT id FROM product WHERE images::text LIKE $1", [`%${file.key}%`])
      expect(rows).toEqual([])
    }
  })
})

describe("a kit of products with pictures", () => {
  it("shows a picture of a component no longer once its file is deleted", async () => {
    const file = await upload()
    const part = await make({ images: [{ key: file.key }], inventory: { total: 5 } })
    const kit = await make({
      name: "Kit",
      type: "KIT",
      kitPricingMode: "FIXED",
      kitComponents: [{ productId: part.id, quantity: 1 }]
    })
    const pictureOf = async () =>
      (await shop.call("GET", `/vc/${shop.channelId}/products/${kit.id}`)).body.kitComponents[0].image
    expect(await pictureOf()).toBe(file.url)
    await remove(file.id)
    expect(await pictureOf()).toBeNull()
  })
})
