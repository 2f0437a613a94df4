/** What translations may hold, on everything that has them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

let count = 0
/** The body of a resource, which is nobody else's. */
const bodies: Readonly<Record<string, () => object>> = {
  "/v1/products": () => ({ name: "Lamp" }),
  "/v1/brands": () => ({ name: `Acme ${++count}` }),
  "/v1/categories": () => ({ name: "Lamps" }),
  "/v1/attributes": () => ({ name: `Colour ${++count}` }),
  "/v1/metafield-definitions": () => ({ name: "Material", key: `material_${++count}`, type: "TEXT" }),
  "/v1/modifier-groups": () => ({ name: "Extras", selectionType: "SINGLE", modifiers: [] })
}
const refused: ReadonlyArray<readonly [what: string, translations: unknown, field: string, reason: string]> = [
  ["a text", { de: "Lampe" }, "translations.de", "must be an object of texts"],
  ["a list", { de: ["Lampe"] }, "translations.de", "must be an object of texts"],
  ["null", { de: null }, "translations.de", "must be an object of texts"],
  ["a name that is a number", { de: { name: 5 } }, "translations.de.name", "must be text"],
  ["a description that is an object", { fr: { description: {} } }, "translations.fr.description", "must be text"],
  ["a key that is no language", { "not a language": { name: "Lampe" } }, "translations", languages()],
  ["a key with an underscore", { de_AT: { name: "Lampe" } }, "translations", languages()],
  [
    "a language twice",
    { de: { name: "A" }, DE: { name: "B" } },
    "translations.DE",
    "is the same language as another key"
  ]
]
function languages() {
  return 'must have language tags such as "de" or "de-AT" as its keys'
}

describe.each(Object.keys(bodies))("translations of %s", (path) => {
  const create = (translations: unknown) => shop.call("POST", path, { body: { ...bodies[path]?.(), translations } })

  it("are kept as they are, with what else they say", async () => {
    const translations = {
      de: { name: "Lampe", description: null, hint: 5 },
      "zh-Hant-TW": { name: "燈", description: "" }
    }
    const made = await create(translations)
    expect([made.status, made.body.translations]).toEqual([201, translations])
    const patched = await shop.call("PATCH", `${path}/${made.body.id}`, { body: { translations: { fr: {} } } })
    expect([patched.status, patched.body.translations]).toEqual([200, { fr: {} }])
  })

  it.each(refused)("are refused with %s", async (_, translations, field, reason) => {
    const answer = await create(translations)
    expect([answer.status, answer.body.code, answer.body.details]).toEqual([
      400,
      "VALIDATION_FAILED",
      { errors: { [field]: reason } }
    ])
    const made = await create({ de: { name: "Lampe" } })
    const patched = await shop.call("PATCH", `${path}/${made.body.id}`, { body: { translations } })
    expect([patched.status, patched.body.details]).toEqual([400, { errors: { [field]: reason } }])
    const kept = await shop.call("GET", `${path}/${made.body.id}`)
    expect(kept.body.translations).toEqual({ de: { name: "Lampe" } })
  })
})
