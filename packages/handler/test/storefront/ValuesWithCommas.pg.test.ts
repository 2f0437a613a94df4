/** Filters by values that have commas themselves. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

it("what a facet says of a value with commas, its filter finds", async () => {
  const wood = { name: "Wood", key: "wood", type: "TEXT", filterable: true }
  expect((await shop.call("POST", "/v1/metafield-definitions", { body: wood })).status).toBe(201)
  const finish = { name: "Finish", options: [{ name: "Matt, dark" }, { name: "Matt" }] }
  const { body: attribute } = await shop.call("POST", "/v1/attributes", { body: finish })
  const chair = async (name: string, value: string, option: number) =>
    shop.call("POST", "/v1/products", {
      body: {
        name,
        status: "active",
        type: "VARIABLE",
        metafields: { wood: value },
        attributes: [{ attributeId: attribute.id, optionIds: [attribute.options[option].id] }]
      }
    })
  await chair("Both", "oak, ash", 0)
  await chair("Oak", "oak", 1)
  await chair("Elm", "elm", 1)
  const list = async (query: string) => (await shop.call("GET", `/vc/${shop.channelId}/products?${query}`)).body
  const names = async (query: string) => (await list(query)).data.map(({ name }: { name: string }) => name)
  const { facets } = await list("facets=true")
  expect(facets.metafields[0].values).toContainEqual({ value: "oak, ash", count: 1 })
  expect(await names("mf.wood=oak,%20ash")).toEqual(["Both", "Oak"])
  expect(await names("mf.wood=elm,oak")).toEqual(["Oak", "Elm"])
  expect(await names("attr.Finish=Matt,%20dark")).toEqual(["Both", "Oak", "Elm"])
  expect(await names(`attr.Finish=${attribute.options[0].value}`)).toEqual(["Both"])
})
