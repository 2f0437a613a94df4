import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf } from "../customer/SignedIn.ts"

/**
 * What a storefront must not see is named in none of its catalogue's answers, neither by what it says nor by its id: a
 * draft, a product of another channel, a deleted one; a category that is inactive, or lies below one.
 */
let shop: TestCommerce
let vc: string
const create = async (path: string, body: object) => {
  const answer = await shop.call("POST", path, { body })
  if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`)
  return answer.body
}
const patch = async (path: string, body: object) => {
  const answer = await shop.call("PATCH", path, { body })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`)
}
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  vc = `/vc/${shop.channelId}`
})
afterAll(() => shop.close())

const read = (path: string) => shop.call("GET", path, { key: null, headers: { origin: "https://shop.example" } })

/** A product that may be hidden, and all that names it. */
const named = async (secret: string) => {
  const bulb = await create("/v1/products", { name: `${secret} bulb`, basePrice: 2, status: "active" })
  const group = await create("/v1/modifier-groups", {
    name: `Extras ${secret.length}`,
    selectionType: "MULTIPLE",
    modifiers: [
      { name: "With a spare", priceDelta: "1.00", referencedProductId: bulb.id },
      { name: "With a note", priceDelta: "0.00", description: `"referencedProductId":"${"x".repeat(3)}"` }
    ]
  })
  const lamp = await create("/v1/products", {
    name: `Lamp ${secret.length}`,
    basePrice: 10,
    status: "active",
    inventory: { total: 5 },
    modifierGroups: [{ groupId: group.id }],
    related: [bulb.id],
    crossSells: [bulb.id],
    upsells: [bulb.id]
  })
  const kit = await create("/v1/products", {
    name: `Set ${secret.length}`,
    type: "KIT",
    basePrice: 11,
    status: "active",
    kitComponents: [{ productId: bulb.id, quantity: 2 }]
  })
  const headers = { authorization: `Bearer ${(await customersOf(shop).known()).token}` }
  const said = { rating: 5, body: `${secret} is bright` }
  const review = await shop.call("POST", `${vc}/products/${bulb.id}/reviews`, { body: said, headers })
  await patch(`/v1/reviews/${review.body.id}`, { status: "APPROVED" })
  const cart = (await shop.call("POST", `${vc}/cart`)).body.id
  await shop.call("POST", `${vc}/cart/${cart}/items`, { body: { productId: lamp.id, quantity: 1 } })
  return { bulb, lamp, kit, cart, group }
}
type Named = Awaited<ReturnType<typeof named>>

/** Answers that name the product while it can be seen. */
const naming = ({ bulb, lamp, kit, cart }: Named): ReadonlyArray<readonly [string, string]> =>
  [vc, `/stores/${shop.storeId}`].flatMap((at) => [
    ["a product by id", `${at}/products/${lamp.id}`] as const,
    ["a product by slug", `${at}/products/slug/${lamp.slug}`] as const,
    ["a kit", `${at}/products/${kit.id}`] as const,
    ["a list", `${at}/products?limit=100`] as const,
    ["recommendations", `${at}/products/${lamp.id}/recommendations`] as const,
    ["itself", `${at}/products/${bulb.id}`] as const,
    ["itself by slug", `${at}/products/slug/${bulb.slug}`] as const,
    ...(at === vc
      ? ([
          ["its reviews", `${vc}/products/${bulb.id}/reviews`],
          ["its stock", `${vc}/inventory?productIds=${bulb.id}`],
          ["what a cart recommends", `${vc}/cart/${cart}?include=recommendations`]
        ] as const)
      : [])
  ])

describe.each([
  ["a draft", "Velvet", { status: "draft" }, { status: "active" }],
  ["of another channel", "Copper1", { salesChannelIds: [] }, { salesChannelIds: null }]
])("a product that is %s", (_why, secret, hiding, showing) => {
  it("is named nowhere, at once, and everywhere again", async () => {
    const all = await named(secret)
    const { bulb, lamp } = all
    const saying = async () => {
      const said: Array<string> = []
      for (const [what, path] of naming(all)) {
        // What is asked for may be said back where it is refused.
        const { status, text } = await read(path)
        if (status === 200 && (text.includes(secret) || text.includes(bulb.id))) said.push(what)
      }
      return said
    }
    const everywhere = naming(all).map(([what]) => what)
    expect(await saying()).toEqual(everywhere)
    await patch(`/v1/products/${bulb.id}`, hiding)
    expect(await saying()).toEqual([])
    const [group] = (await read(`${vc}/products/${lamp.id}`)).body.modifierGroups
    expect(group.modifiers.map((one: object) => ({ ...one, id: "" }))).toMatchObject([
      { name: "With a spare", referencedProductId: null },
      { name: "With a note", description: '"referencedProductId":"xxx"', referencedProductId: null }
    ])
    expect((await read(`${vc}/products/${bulb.id}/reviews`)).status).toBe(404)
    const admin = (await shop.call("GET", `/v1/products/${lamp.id}`)).body
    expect(admin.modifierGroups[0].modifiers[0].referencedProductId).toBe(bulb.id)
    await patch(`/v1/products/${bulb.id}`, showing)
    expect(await saying()).toEqual(everywhere)
    await shop.call("DELETE", `/v1/products/${bulb.id}`)
    expect(await saying()).toEqual([])
  })
})

it("a hidden product takes no review and no photo of one, as one that does not exist", async () => {
  const hidden = await create("/v1/products", { name: "Draft", basePrice: 2, status: "draft" })
  const ada = await customersOf(shop).known()
  const headers = { authorization: `Bearer ${ada.token}` }
  const picture = new FormData()
  picture.append("file", new Blob([new Uint8Array(10)], { type: "image/png" }), "a.png")
  for (const id of [hidden.id, "prod_none"]) {
    const body = { rating: 5, body: "Bright" }
    const written = await shop.call("POST", `${vc}/products/${id}/reviews`, { body, headers })
    const photo = await shop.call("POST", `${vc}/products/${id}/review-photo`, { raw: picture, headers })
    expect([written.status, written.body.code, photo.status, photo.body.code]).toEqual([
      404,
      "PRODUCT_NOT_FOUND",
      404,
      "PRODUCT_NOT_FOUND"
    ])
  }
})

describe("a category", () => {
  const filed = async (secret: string) => {
    const top = await create("/v1/categories", { name: `${secret} top` })
    const middle = await create("/v1/categories", { name: `${secret} middle`, parentId: top.id })
    const low = await create("/v1/categories", { name: `${secret} low`, parentId: middle.id })
    const lamp = await create("/v1/products", {
      name: `Filed ${secret.length}`,
      basePrice: 10,
      status: "active",
      categories: [low.id]
    })
    return { top, middle, low, lamp }
  }
  it.each([
    ["is inactive", "Quartz", "low", { isActive: false }, { isActive: true }],
    ["lies below an inactive one", "Basalt1", "top", { isActive: false }, { isActive: true }],
    ["lies below one of another channel", "Granite12", "middle", { salesChannelIds: [] }, { salesChannelIds: null }]
  ] as const)("that %s is named by no product, list, facet or page", async (_why, secret, which, hiding, showing) => {
    const all = await filed(secret)
    const { low, lamp } = all
    const naming = [vc, `/stores/${shop.storeId}`].flatMap((at) => [
      `${at}/products/${lamp.id}`,
      `${at}/products?limit=100`,
      `${at}/products?limit=1&facets=true`,
      `${at}/categories`
    ])
    const page = `${vc}/categories/slug/${low.slug}`
    const saying = async () => {
      const said: Array<string> = []
      for (const path of [...naming, page]) {
        const { status, text } = await read(path)
        if (status === 200 && (text.includes(`${secret} low`) || text.includes(low.id))) said.push(path)
      }
      return said
    }
    expect(await saying()).toEqual([...naming, page])
    await patch(`/v1/categories/${all[which].id}`, hiding)
    expect(await saying()).toEqual([])
    expect((await shop.call("GET", `/v1/products/${lamp.id}`)).text).toContain(low.id)
    await patch(`/v1/categories/${all[which].id}`, showing)
    expect(await saying()).toEqual([...naming, page])
  })
})

it("a deleted brand is named by none; an inactive one stays on its products, and is on no list of brands", async () => {
  const brand = await create("/v1/brands", { name: "Obsidian" })
  const lamp = await create("/v1/products", { name: "Branded", basePrice: 1, status: "active", brands: [brand.id] })
  const naming = [`${vc}/products/${lamp.id}`, `${vc}/products?search=Branded`]
  const filters = [
    `${vc}/brands`,
    `${vc}/products?search=Branded&facets=true&fields=none`,
    `${vc}/brands/slug/obsidian`
  ]
  const saying = async (paths: ReadonlyArray<string>) => {
    const said: Array<boolean> = []
    for (const path of paths) {
      const { status, body } = await read(path)
      said.push(status === 200 && JSON.stringify(body.facets ?? body).includes("Obsidian"))
    }
    return said
  }
  expect([await saying(naming), await saying(filters)]).toEqual([
    [true, true],
    [true, true, true]
  ])
  await patch(`/v1/brands/${brand.id}`, { isActive: false })
  expect([await saying(naming), await saying(filters)]).toEqual([
    [true, true],
    [false, false, false]
  ])
  await shop.call("DELETE", `/v1/brands/${brand.id}`)
  expect(await saying([...naming, ...filters])).toEqual([false, false, false, false, false])
})
