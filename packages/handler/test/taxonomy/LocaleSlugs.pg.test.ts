/** Slugs that translations give a product, and how storefronts find it by them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

let count = 0
/** Slugs of one test are nobody else's. */
let of: (word: string) => string
beforeEach(() => {
  count += 1
  const number = count
  of = (word) => `${word}-${number}`
})

const translated = (slugs: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(slugs).map(([locale, slug]) => [locale, { name: `In ${locale}`, slug }]))
const attempt = (slugs: Record<string, unknown>, fields: object = {}) =>
  shop.call("POST", "/v1/products", {
    body: { name: of("Lamp"), status: "active", basePrice: "10.00", translations: translated(slugs), ...fields }
  })
const create = async (slugs: Record<string, unknown>, fields: object = {}) => {
  const answer = await attempt(slugs, fields)
  expect([answer.status, answer.text]).toEqual([201, answer.text])
  return answer.body
}
const patch = (id: string, body: object) => shop.call("PATCH", `/v1/products/${id}`, { body })
const found = async (slug: string, at = `/vc/${shop.channelId}`, query = "") => {
  const path = `${at}/products/slug/${encodeURIComponent(slug)}${query}`
  const answer = await shop.call("GET", path, { headers: { origin: "https://a.example" } })
  return answer.status === 200 ? answer.body.id : answer.status
}

describe("slugs of a product by language", () => {
  it("are shown to merchants and shoppers, and each finds the product on both storefronts", async () => {
    const slugs = { de: of("Schreibtischlampe"), fr: of("lampe"), el: of("λάμπα") }
    const { id, slug, localeSlugs } = await create({ ...slugs, it: null })
    expect(localeSlugs).toEqual(slugs)
    for (const one of [slug, ...Object.values(slugs)]) {
      expect(await found(one)).toBe(id)
      expect(await found(one, `/stores/${shop.storeId}`)).toBe(id)
    }
    const shown = await shop.call("GET", `/vc/${shop.channelId}/products/${id}`)
    expect(shown.body.localeSlugs).toEqual(slugs)
    expect(await found(of("unknown"))).toBe(404)
  })

  it("change with the translations, and what is no longer used is free", async () => {
    const { id } = await create({ de: of("alt"), fr: of("reste") })
    const kept = await patch(id, { name: "Renamed" })
    expect(kept.body.localeSlugs).toEqual({ de: of("alt"), fr: of("reste") })
    const changed = await patch(id, { translations: translated({ de: of("neu"), fr: of("reste") }) })
    expect([changed.status, changed.body.localeSlugs]).toEqual([200, { de: of("neu"), fr: of("reste") }])
    expect([await found(of("alt")), await found(of("neu")), await found(of("reste"))]).toEqual([404, id, id])
    const other = await create({ de: of("alt") })
    expect(await found(of("alt"))).toBe(other.id)
    expect((await patch(id, { translations: {} })).body.localeSlugs).toEqual({})
    expect(await found(of("neu"))).toBe(404)
  })

  it("are refused with 409 where another product has them in that language or as its own", async () => {
    const first = await create({ de: of("lampe") })
    const second = await create({})
    for (const slug of [of("lampe"), first.slug]) {
      const refused = await attempt({ DE: slug })
      expect([refused.status, refused.body.code]).toEqual([409, "CONFLICT"])
      const unchanged = await patch(second.id, { name: "Not kept", translations: translated({ de: slug }) })
      expect([unchanged.status, unchanged.body.code]).toEqual([409, "CONFLICT"])
    }
    const { body } = await shop.call("GET", `/v1/products/${second.id}`)
    expect([body.name, body.localeSlugs]).toEqual([of("Lamp"), {}])
    const own = await create({}, { slug: of("same") })
    const same = await patch(own.id, { translations: translated({ de: of("same"), fr: of("same") }) })
    expect([same.status, await found(of("same"))]).toEqual([200, own.id])
  })

  it("may be one word in two languages: shoppers find what is in theirs, and a product's own slug comes first", async () => {
    const german = await create({ de: of("mode") })
    const french = await create({ fr: of("mode") })
    expect(await found(of("mode"))).toBe(german.id)
    expect(await found(of("mode"), undefined, "?locale=fr-CA")).toBe(french.id)
    const own = await create({}, { slug: of("mode") })
    expect(await found(of("mode"), undefined, "?locale=fr")).toBe(own.id)
  })

  it("are passed over by slugs that are made from names", async () => {
    await create({ de: of("stuhl") })
    expect((await create({}, { name: of("Stuhl") })).slug).toBe(`${of("stuhl")}-2`)
  })

  it.each([
    ["an underscore", "a_b"],
    ["a space", "a b"],
    ["nothing", ""],
    ["no text", 7],
    ["191 characters", "a".repeat(191)]
  ])("are refused with %s", async (_, slug) => {
    const refused = await attempt({ fr: of("bon"), de: slug })
    expect([refused.status, refused.body.code]).toEqual([400, "VALIDATION_FAILED"])
    expect(refused.text).toContain("translations.de.slug")
    expect(await found(of("bon"))).toBe(404)
  })

  it("have at most 190 characters", async () => {
    const longest = of("a".repeat(190)).slice(-190)
    expect((await create({ de: longest })).localeSlugs).toEqual({ de: longest })
  })

  it("of drafts, of deleted products and on other channels are unknown; a deleted product frees its own", async () => {
    const channel = await shop.call("POST", "/v1/sales-channels", { body: { name: of("Trade") } })
    const { id } = await create({ de: of("lampe") }, { salesChannelIds: [channel.body.id] })
    const seen = async () => [await found(of("lampe")), await found(of("lampe"), `/vc/${channel.body.id}`)]
    expect(await seen()).toEqual([404, id])
    await patch(id, { status: "draft" })
    expect(await seen()).toEqual([404, 404])
    await patch(id, { status: "active" })
    expect((await shop.call("DELETE", `/v1/products/${id}`)).status).toBeLessThan(300)
    expect(await seen()).toEqual([404, 404])
    const next = await create({ de: of("lampe") })
    expect(await seen()).toEqual([next.id, next.id])
  })

  it("go to one of the products that ask for them at once", async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => attempt({ de: of("b"), fr: of("a") })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  })
})
