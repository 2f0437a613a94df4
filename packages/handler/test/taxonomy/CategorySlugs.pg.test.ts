/** Slugs that translations give a category, and how storefronts find it by them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

const translated = (slugs: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(slugs).map(([locale, slug]) => [locale, { name: `In ${locale}`, slug }]))
const attempt = (slugs: Record<string, unknown>, fields: object = {}) =>
  shop.call("POST", "/v1/categories", { body: { name: "Lamps", translations: translated(slugs), ...fields } })
const create = async (slugs: Record<string, unknown>, fields: object = {}) => {
  const answer = await attempt(slugs, fields)
  expect([answer.status, answer.text]).toEqual([201, answer.text])
  return answer.body
}
const found = async (slug: string, query = "") => {
  const answer = await shop.call("GET", `/vc/${shop.channelId}/categories/slug/${encodeURIComponent(slug)}${query}`)
  return answer.status === 200 ? answer.body.id : answer.status
}

describe("slugs of a category by language", () => {
  it("are refused with 409 where another category has them in that language or as its own", async () => {
    const first = await create({ de: "leuchten" }, { slug: "lights" })
    const second = await create({})
    for (const slug of ["leuchten", "lights"]) {
      const refused = await attempt({ DE: slug })
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([409, "CONFLICT", { slug }])
      const body = { name: "Not kept", translations: translated({ de: slug }) }
      const unchanged = await shop.call("PATCH", `/v1/categories/${second.id}`, { body })
      expect([unchanged.status, unchanged.body.code]).toEqual([409, "CONFLICT"])
    }
    const kept = await shop.call("GET", `/v1/categories/${second.id}`)
    expect([kept.body.name, kept.body.translations]).toEqual(["Lamps", {}])
    const again = { translations: translated({ de: "leuchten", fr: "lights" }) }
    expect((await shop.call("PATCH", `/v1/categories/${first.id}`, { body: again })).status).toBe(200)
  })

  it("may be one word in two languages: shoppers find what is in theirs, and a category's own slug comes first", async () => {
    const german = await create({ de: "mode" })
    const french = await create({ fr: "mode" })
    expect([await found("mode", "?locale=de"), await found("mode", "?locale=fr-CA")]).toEqual([german.id, french.id])
    const own = await create({}, { slug: "mode" })
    expect(await found("mode", "?locale=fr")).toBe(own.id)
  })

  it("are passed over by slugs that are made from names", async () => {
    await create({ de: "stuhl" })
    expect((await create({}, { name: "Stuhl" })).slug).toBe("stuhl-2")
    expect((await create({}, { name: "Stuhl" })).slug).toBe("stuhl-3")
  })

  it.each([
    ["an underscore", "a_b"],
    ["nothing", ""],
    ["no text", 7],
    ["191 characters", "a".repeat(191)]
  ])("are refused with %s", async (_, slug) => {
    const refused = await attempt({ fr: "bon", de: slug })
    expect([refused.status, refused.body.code]).toEqual([400, "VALIDATION_FAILED"])
    expect(Object.keys(refused.body.details.errors)).toEqual(["translations.de.slug"])
    expect(await found("bon")).toBe(404)
  })

  it("of inactive and deleted categories are unknown; a deleted category frees its own", async () => {
    const { id } = await create({ de: "teppiche" })
    expect(await found("teppiche")).toBe(id)
    await shop.call("PATCH", `/v1/categories/${id}`, { body: { isActive: false } })
    expect([await found("teppiche"), (await attempt({ de: "teppiche" })).status]).toEqual([404, 409])
    await shop.call("DELETE", `/v1/categories/${id}`)
    const next = await create({ de: "teppiche" })
    expect(await found("teppiche")).toBe(next.id)
  })

  it("go to one of the categories that ask for them at once", async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => attempt({ de: "b", fr: "a" })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  })
})
