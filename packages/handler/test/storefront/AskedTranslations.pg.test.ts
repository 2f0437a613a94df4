/** `translations` in what storefronts read: those in the languages that were asked for, and all where none was. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { asDocumented } from "../system/documentedAnswers.ts"

let shop: TestCommerce
let slug = ""

const texts = (name: string) => ({
  de: { name: `${name} de`, note: { translations: { de: 'a "quoted" {brace', fr: 1 } } },
  "de-AT": { name: `${name} AT` },
  FR: { name: `${name} fr` }
})
const make = async (path: string, body: object) => {
  const made = await shop.call("POST", path, { body })
  expect([path, made.status, made.text]).toEqual([path, 201, made.text])
  return made.body
}

beforeAll(async () => {
  shop = asDocumented(await openTestCommerce({ role: "api" }))
  const category = await make("/v1/categories", { name: "Lamps", translations: texts("Lamps") })
  const brand = await make("/v1/brands", { name: "Acme", translations: texts("Acme") })
  const options = [{ name: "Red", translations: texts("Red") }]
  const attribute = await make("/v1/attributes", { name: "Colour", translations: texts("Colour"), options })
  await make("/v1/metafield-definitions", { name: "Raw", key: "raw", type: "JSON", appliesToAllProducts: true })
  const modifiers = [{ name: "Bulb", priceDelta: "1.00", translations: texts("Bulb") }]
  const group = await make("/v1/modifier-groups", {
    name: "Extras",
    selectionType: "SINGLE",
    translations: texts("Extras"),
    modifiers
  })
  const product = await make("/v1/products", {
    name: "Lamp",
    type: "VARIABLE",
    status: "active",
    basePrice: "9.00",
    translations: texts("Lamp"),
    categories: [category.id],
    brands: [brand.id],
    metafields: { raw: { translations: { de: 1, en: 2 } } },
    attributes: [{ attributeId: attribute.id, optionIds: attribute.options.map(({ id }: { id: string }) => id) }],
    variants: [{ attributes: { Colour: "Red" }, price: "9.00" }],
    modifierGroups: [{ groupId: group.id }]
  })
  slug = product.slug
})
afterAll(() => shop.close())

interface Translated {
  readonly translations: object
}
const languages = ({ translations }: Translated) => Object.keys(translations)

/** Everything that has translations, read in one way; each as the languages that it shows. */
const shown = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
  const at = `/vc/${shop.channelId}`
  const read = async (path: string) => (await shop.call("GET", `${at}${path}${query}`, { headers })).body
  const product = await read(`/products/slug/${slug}`)
  const listed = (await read("/products")).data[0]
  const [group] = product.modifierGroups
  const [attribute] = product.attributes
  const all: ReadonlyArray<Translated> = [
    product,
    listed,
    product.brands[0],
    attribute,
    attribute.options[0],
    product.productAttributeOptions[0],
    group,
    group.modifiers[0],
    (await read("/categories")).categories[0],
    (await read("/brands")).brands[0],
    await read("/brands/slug/acme")
  ]
  expect(product.metafields).toEqual({ raw: { translations: { de: 1, en: 2 } } })
  return { product, languages: [...new Set(all.map((one) => languages(one).toSorted().join()))] }
}

describe("translations that a storefront reads", () => {
  it.each([
    ["all, where no language is asked for", "", {}, ["FR,de,de-AT"]],
    ["all, where any language is asked for", "", { "accept-language": "*" }, ["FR,de,de-AT"]],
    ["those of a locale", "?locale=de", {}, ["de"]],
    ["those of a locale with its language", "?locale=de-AT", {}, ["de,de-AT"]],
    ["those of each accepted language, however it is written", "", { "accept-language": "fr, en;q=0.5" }, ["FR"]],
    ["none, where it has none in what was asked for", "?locale=es", {}, [""]],
    ["all again for whoever asks for none later", "", {}, ["FR,de,de-AT"]]
  ])("are %s", async (_, query, headers, expected) => {
    expect((await shown(query, headers)).languages).toEqual(expected)
  })

  it("are as they were written, with what else they say", async () => {
    const { product } = await shown("?locale=de")
    expect([product.name, product.translations]).toEqual(["Lamp de", { de: texts("Lamp").de }])
    expect(Object.keys(product.localeSlugs)).toEqual([])
  })

  it("are all of them for the merchant, whatever is asked for", async () => {
    const { body } = await shop.call("GET", "/v1/products?locale=de", { headers: { "accept-language": "de" } })
    expect(languages(body.data[0]).toSorted()).toEqual(["FR", "de", "de-AT"])
  })
})
