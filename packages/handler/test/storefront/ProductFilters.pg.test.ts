import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

/** Filters of a storefront's list by names of the store's own, with their facets. */
interface Named {
  readonly id: string
  readonly name: string
}
interface Attribute extends Named {
  readonly options: ReadonlyArray<Named>
}
let shop: TestCommerce
let colour: Attribute
let size: Attribute
const optionId = ({ options }: Attribute, name: string) => options.find((one) => one.name === name)?.id ?? ""

beforeAll(async () => {
  shop = await openTestCommerce()
  const attribute = async (name: string, ...options: ReadonlyArray<string>) => {
    const body = { name, options: options.map((one) => ({ name: one, translations: { de: { name: `X${one}` } } })) }
    return (await shop.call("POST", "/v1/attributes", { body })).body as Attribute
  }
  colour = await attribute("Colour", "Red", "Blue", "Green")
  size = await attribute("Size", "S", "L")
  const shirt = async (name: string, colours: ReadonlyArray<string>, sizes: ReadonlyArray<string>) => {
    const attributes = [
      { attributeId: colour.id, optionIds: colours.map((one) => optionId(colour, one)) },
      { attributeId: size.id, optionIds: sizes.map((one) => optionId(size, one)) }
    ].filter(({ optionIds }) => optionIds.length > 0)
    const made = await shop.call("POST", "/v1/products", {
      body: { name, type: "VARIABLE", basePrice: "10.00", status: "active", attributes }
    })
    if (made.status !== 201) throw new Error(made.text)
  }
  await shirt("Alpha", ["Red"], ["S"])
  await shirt("Beta", ["Blue"], ["S", "L"])
  await shirt("Gamma", ["Red", "Blue"], ["L"])
})
afterAll(() => shop.close())

const list = async (query: string) => (await shop.call("GET", `/vc/${shop.channelId}/products?${query}`)).body
const names = async (query: string) => (await list(query)).data.map(({ name }: Named) => name)

describe("attr.<attribute>", () => {
  it.each([
    ["by names", "attr.Colour=Red", ["Alpha", "Gamma"]],
    ["whatever their case", "attr.colour=red", ["Alpha", "Gamma"]],
    ["any of several options", "attr.Colour=Red,Blue", ["Alpha", "Beta", "Gamma"]],
    ["all of several attributes", "attr.Colour=Blue&attr.Size=S", ["Beta"]],
    ["with other filters", "attr.Colour=Blue&search=gamma", ["Gamma"]],
    ["an option that no product has", "attr.Colour=Green", []],
    ["an unknown option", "attr.Colour=Pink", []],
    ["an option of another attribute", "attr.Size=Red", []],
    ["an unknown attribute", "attr.Weight=Red", []],
    ["nothing, which filters nothing", "attr.Colour=", ["Alpha", "Beta", "Gamma"]],
    ["wildcards, which mean themselves", "attr.Colour=R%25", []]
  ])("%s", async (_words, query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  it("by ids", async () => {
    expect(await names(`attr.${colour.id}=${optionId(colour, "Red")}`)).toEqual(["Alpha", "Gamma"])
  })

  it("has facets that are counted under all filters but their own attribute's", async () => {
    const { facets } = await list("attr.Colour=Blue&attr.Size=S&facets=true&locale=de")
    expect(
      facets.attributes.map(({ name, options }: { readonly name: string; readonly options: ReadonlyArray<object> }) => [
        name,
        options.map((option) => [(option as Named).name, (option as { readonly count: number }).count])
      ])
    ).toEqual([
      [
        "Colour",
        [
          ["XRed", 1],
          ["XBlue", 1]
        ]
      ],
      [
        "Size",
        [
          ["XS", 1],
          ["XL", 2]
        ]
      ]
    ])
  })

  it("follows an option that is renamed, in filters, facets and searches", async () => {
    await shop.call("PATCH", `/v1/attributes/${colour.id}/options/${optionId(colour, "Red")}`, {
      body: { name: "Scarlet" }
    })
    expect(await names("attr.Colour=scarlet")).toEqual(["Alpha", "Gamma"])
    expect([await names("search=scarlet alpha"), await names("search=red")]).toEqual([["Alpha"], []])
  })
})

describe("mf.<key>", () => {
  let other: Awaited<ReturnType<TestCommerce["openStore"]>>
  const listed = async (query: string) =>
    (await shop.call("GET", `/vc/${other.channelId}/products?${query}`)).body.data.map(({ name }: Named) => name)
  beforeAll(async () => {
    other = await shop.openStore()
    const post = async (path: string, body: object) => {
      const made = await shop.call("POST", path, { key: other.apiKey, body })
      if (made.status !== 201) throw new Error(made.text)
      return made.body
    }
    const definition = { appliesToAllProducts: true, filterable: true }
    const enumValues = ["Oak", "Pine"].map((value) => ({ value, label: `${value} wood` }))
    const translations = { de: { name: "Holz" } }
    const wood = { ...definition, name: "Wood", key: "wood", type: "SELECT", enumValues, translations, position: 2 }
    await post("/v1/metafield-definitions", wood)
    await post("/v1/metafield-definitions", { ...definition, name: "Width", key: "width", type: "NUMBER", position: 1 })
    const hidden = { name: "Hidden", key: "hidden", type: "TEXT", appliesToAllProducts: true, filterable: false }
    await post("/v1/metafield-definitions", hidden)
    const active = { basePrice: "1.00", status: "active" }
    await post("/v1/products", { ...active, name: "Desk", metafields: { wood: "Oak", width: 80, hidden: "x" } })
    await post("/v1/products", { ...active, name: "Chair", metafields: { wood: "Oak", width: 40 } })
    await post("/v1/products", { ...active, name: "Shelf", metafields: { wood: "Pine", width: 80 } })
    await post("/v1/products", { name: "Draft", basePrice: "1.00", metafields: { wood: "Pine" } })
  })

  it.each([
    ["a value", "mf.wood=Oak", ["Desk", "Chair"]],
    ["whatever its case", "mf.wood=oak", ["Desk", "Chair"]],
    ["any of several", "mf.wood=Oak,Pine", ["Desk", "Chair", "Shelf"]],
    ["all of several fields", "mf.wood=Oak&mf.width=80", ["Desk"]],
    ["an unknown value", "mf.wood=Steel", []],
    ["an unknown key", "mf.metal=Oak", []],
    ["a field that is not filterable", "mf.hidden=x", []]
  ])("%s", async (_words, query, expected) => {
    expect(await listed(query)).toEqual(expected)
  })

  it("has filters, with the exact fields of the interface and counts of what shoppers see", async () => {
    const { status, body } = await shop.call("GET", `/vc/${other.channelId}/metafield-filters?locale=de`)
    expect([status, body]).toEqual([
      200,
      {
        filters: [
          {
            id: expect.stringMatching(/^mfdef_/),
            key: "width",
            name: "Width",
            type: "NUMBER",
            enumValues: [],
            values: [
              { value: "80", count: 2 },
              { value: "40", count: 1 }
            ]
          },
          {
            id: expect.stringMatching(/^mfdef_/),
            key: "wood",
            name: "Holz",
            type: "SELECT",
            enumValues: [
              { value: "Oak", label: "Oak wood" },
              { value: "Pine", label: "Pine wood" }
            ],
            values: [
              { value: "Oak", count: 2 },
              { value: "Pine", count: 1 }
            ]
          }
        ]
      }
    ])
  })

  it("has facets that are counted under all filters but their own", async () => {
    const { body } = await shop.call("GET", `/vc/${other.channelId}/products?mf.wood=Oak&mf.width=80&facets=true`)
    const counts = body.facets.metafields.map(
      ({ key, values }: { readonly key: string; readonly values: ReadonlyArray<object> }) => [key, values]
    )
    expect(counts).toEqual([
      [
        "width",
        [
          { value: "40", count: 1 },
          { value: "80", count: 1 }
        ]
      ],
      [
        "wood",
        [
          { value: "Oak", count: 1 },
          { value: "Pine", count: 1 }
        ]
      ]
    ])
  })
})

describe("more filters than are taken", () => {
  const answer = async (query: string) => {
    const { status, body } = await shop.call("GET", `/vc/${shop.channelId}/products?${query}`)
    return [status, body.details?.errors === undefined ? undefined : Object.keys(body.details.errors)]
  }
  const many = (count: number, of: (i: number) => string, between: string) =>
    Array.from({ length: count }, (_, i) => of(i)).join(between)
  it.each([
    ["100 values", `attr.Colour=${many(100, (i) => `c${i}`, ",")}`, 200, undefined],
    ["101 values", `attr.Colour=${many(101, (i) => `c${i}`, ",")}`, 400, ["attr.Colour"]],
    ["101 values of a metafield", `mf.material=${many(101, (i) => `c${i}`, ",")}`, 400, ["mf.material"]],
    ["20 filters", many(20, (i) => `attr.a${i}=x`, "&"), 200, undefined],
    ["21 filters", many(21, (i) => `attr.a${i}=x`, "&"), 400, ["attr.a20"]],
    ["one filter twice", "attr.Colour=Red&attr.Colour=Blue", 400, ["attr.Colour"]],
    ["a name of 201 characters", `attr.${"x".repeat(196)}=y`, 400, [`attr.${"x".repeat(194)}…`]],
    ["a facet word that is none", "facets=yes", 400, ["facets"]],
    ["a price that is none", "minPrice=cheap", 400, ["minPrice"]],
    ["a stock word that is none", "inStock=maybe", 400, ["inStock"]]
  ])("%s", async (_words, query, status, fields) => {
    expect(await answer(query)).toEqual([status, fields])
  })

  it("10,000 values, of which the address is too long", async () => {
    expect(await answer(`attr.Colour=${many(10_000, () => "x", ",")}`)).toEqual([400, ["url"]])
  })
})
