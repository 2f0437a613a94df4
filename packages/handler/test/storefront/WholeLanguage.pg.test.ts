import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

/**
 * A storefront's answer is in one language throughout, names the shared things by their slugs, and names no product
 * that shoppers cannot see; in a second process at once.
 */
let shop: TestCommerce
let twin: Commerce
const made: Record<string, string> = {}
const create = async (path: string, body: object) => {
  const answer = await shop.call("POST", path, { body })
  if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`)
  return answer.body
}
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  twin = await shop.openTwin()
  const german = (name: string) => ({ translations: { de: { name } } })
  const colour = await create("/v1/attributes", {
    name: "Colour",
    ...german("Farbe"),
    options: [
      { name: "Navy", value: "navy", ...german("Marineblau") },
      { name: "Red", value: "red", ...german("Rot") }
    ]
  })
  const category = await create("/v1/categories", { name: "Lamps", ...german("Leuchten") })
  const brand = await create("/v1/brands", { name: "Light", ...german("Licht") })
  const group = await create("/v1/modifier-groups", {
    name: "Wrapping",
    selectionType: "SINGLE",
    ...german("Verpackung"),
    modifiers: [{ name: "Box", priceDelta: "1.00", ...german("Schachtel") }]
  })
  const bulb = await create("/v1/products", {
    name: "Bulb",
    basePrice: 2,
    status: "active",
    images: [{ url: "https://cdn.example/bulb.jpg" }],
    ...german("Birne")
  })
  const lamp = await create("/v1/products", {
    name: "Lamp",
    type: "VARIABLE",
    basePrice: 10,
    status: "active",
    categories: [category.id],
    brands: [brand.id],
    attributes: [{ attributeId: colour.id, optionIds: colour.options.map((one: { id: string }) => one.id) }],
    variants: colour.options.map((one: { name: string }) => ({ price: 10, attributes: { Colour: one.name } })),
    modifierGroups: [{ groupId: group.id }],
    related: [bulb.id],
    crossSells: [bulb.id],
    upsells: [bulb.id],
    ...german("Leuchte")
  })
  const kit = await create("/v1/products", {
    name: "Set",
    type: "KIT",
    basePrice: 11,
    status: "active",
    kitComponents: [{ productId: bulb.id, quantity: 2 }]
  })
  Object.assign(made, { bulb: bulb.id, lamp: lamp.id, kit: kit.id, category: category.id, brand: brand.id })
})
afterAll(() => shop.close())

const read = async (path: string, from: Commerce = shop.commerce) => {
  const url = `http://shop.test/api/vc/${shop.channelId}${path}`
  const answer = await from.fetch(new Request(url, { headers: { origin: "https://shop.example" } }))
  return (await answer.json()) as ReturnType<typeof JSON.parse>
}
const everywhere = async (path: string) => {
  const [one, other] = [await read(path), await read(path, twin)]
  expect(other).toEqual(one)
  return one
}

describe("a product read in a language", () => {
  it("has its attributes, options, variants, brands, categories and modifiers in that language", async () => {
    const lamp = await everywhere(`/products/${made["lamp"]}?locale=de`)
    expect(lamp.attributes.map(({ name }: { name: string }) => name)).toEqual(["Farbe"])
    const names = (all: ReadonlyArray<{ name: string }>) => all.map(({ name }) => name)
    expect([names(lamp.attributes[0].options), names(lamp.productAttributeOptions)]).toEqual([
      ["Marineblau", "Rot"],
      ["Marineblau", "Rot"]
    ])
    expect(
      lamp.variants.map(({ name, attributes }: { name: string; attributes: object }) => [name, attributes])
    ).toEqual([
      ["Marineblau", { Farbe: "Marineblau" }],
      ["Rot", { Farbe: "Rot" }]
    ])
    expect([names(lamp.categories), names(lamp.brands), names(lamp.modifierGroups)]).toEqual([
      ["Leuchten"],
      ["Licht"],
      ["Verpackung"]
    ])
    expect(names(lamp.modifierGroups[0].modifiers)).toEqual(["Schachtel"])
    const plain = await everywhere(`/products/${made["lamp"]}`)
    expect([plain.attributes[0].name, plain.variants[1].name, plain.categories[0].name]).toEqual([
      "Colour",
      "Red",
      "Lamps"
    ])
    const [listed] = (await everywhere("/products?locale=de&sortBy=name&search=Leuchte")).data
    expect([listed.attributes, listed.variants]).toEqual([lamp.attributes, lamp.variants])
  })

  it("follows a new translation at once", async () => {
    expect((await everywhere(`/products/${made["lamp"]}?locale=de`)).brands[0].name).toBe("Licht")
    await shop.call("PATCH", `/v1/brands/${made["brand"]}`, { body: { translations: { de: { name: "Helligkeit" } } } })
    expect((await everywhere(`/products/${made["lamp"]}?locale=de`)).brands[0].name).toBe("Helligkeit")
  })

  it("is found by the names of attributes and options in any language, and its facet counts under its own filter", async () => {
    for (const filter of ["attr.Farbe=Marineblau", "attr.farbe=MARINEBLAU", "attr.Colour=Navy", "attr.Farbe=navy"])
      expect((await everywhere(`/products?${filter}`)).data.map(({ id }: { id: string }) => id)).toEqual([made["lamp"]])
    expect((await everywhere("/products?attr.Farbe=Gelb")).data).toEqual([])
    const { facets } = await read("/products?locale=de&facets=true&attr.Farbe=Marineblau")
    expect(facets.attributes[0]).toMatchObject({ name: "Farbe" })
    expect(
      facets.attributes[0].options.map(({ name, count }: { name: string; count: number }) => [name, count])
    ).toEqual([
      ["Marineblau", 1],
      ["Rot", 1]
    ])
  })
})

it("categories and brands of a product, and the list of brands, have their slugs; parts of a kit their name and picture", async () => {
  const lamp = await everywhere(`/products/${made["lamp"]}`)
  const admin = (await shop.call("GET", `/v1/products/${made["lamp"]}`)).body
  for (const product of [lamp, admin])
    expect([product.categories[0].slug, product.brands[0].slug]).toEqual(["lamps", "light"])
  expect((await everywhere("/brands")).brands).toMatchObject([{ id: made["brand"], slug: "light" }])
  const part = {
    productId: made["bulb"],
    variantId: null,
    quantity: 2,
    slug: "bulb",
    image: "https://cdn.example/bulb.jpg"
  }
  expect((await everywhere(`/products/${made["kit"]}`)).kitComponents).toEqual([{ ...part, name: "Bulb" }])
  expect((await everywhere(`/products/${made["kit"]}?locale=de`)).kitComponents).toEqual([{ ...part, name: "Birne" }])
  expect((await shop.call("GET", `/v1/products/${made["kit"]}`)).body.kitComponents).toEqual([
    { ...part, name: "Bulb" }
  ])
  await shop.call("PATCH", `/v1/products/${made["bulb"]}`, { body: { name: "Light bulb" } })
  expect((await everywhere(`/products/${made["kit"]}`)).kitComponents).toEqual([{ ...part, name: "Light bulb" }])
})

describe("a product that shoppers cannot see", () => {
  const links = async () => {
    const { related, crossSells, upsells } = await everywhere(`/products/${made["lamp"]}`)
    const [{ related: listed }] = (await everywhere("/products?search=Lamp")).data
    const { kitComponents } = await everywhere(`/products/${made["kit"]}`)
    return [
      related,
      crossSells,
      upsells,
      listed,
      kitComponents.map(({ productId }: { productId: string }) => productId)
    ]
  }
  it.each([
    ["is a draft", { status: "draft" }, { status: "active" }],
    ["is on another channel", { salesChannelIds: [] }, { salesChannelIds: null }]
  ])(
    "because it %s is named by none that can be seen, at once, and again when it is back",
    async (_why, hiding, showing) => {
      const bulb = [made["bulb"]]
      expect(await links()).toEqual([bulb, bulb, bulb, bulb, bulb])
      const set = (body: object) => shop.call("PATCH", `/v1/products/${made["bulb"]}`, { body })
      expect((await set(hiding)).status).toBe(200)
      expect(await links()).toEqual([[], [], [], [], []])
      expect((await shop.call("GET", `/v1/products/${made["lamp"]}`)).body.related).toEqual(bulb)
      expect((await set(showing)).status).toBe(200)
      expect(await links()).toEqual([bulb, bulb, bulb, bulb, bulb])
    }
  )
  it("because it was deleted is named by none", async () => {
    await shop.call("DELETE", `/v1/products/${made["bulb"]}`)
    expect(await links()).toEqual([[], [], [], [], []])
  })
})
