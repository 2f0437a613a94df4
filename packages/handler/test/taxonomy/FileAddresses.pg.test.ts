/** What may be said of where a picture or a file lies. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

let count = 0
const named = () => ({ name: `N${++count}` })
const file = { name: "manual.pdf" }
/** Each field that holds an address: its path, a body with it, and the field's name in a refusal. */
const fields: ReadonlyArray<readonly [path: string, field: string, body: (address: string) => object]> = [
  ["/v1/products", "images.0.url", (url) => ({ ...named(), images: [{ url }] })],
  ["/v1/products", "variants.0.image", (image) => ({ ...named(), variants: [{ attributes: { A: "b" }, image }] })],
  ["/v1/products", "downloadData.files.0.url", (url) => ({ ...named(), downloadData: { files: [{ ...file, url }] } })],
  ["/v1/brands", "logo", (logo) => ({ ...named(), logo })],
  ["/v1/categories", "image", (image) => ({ ...named(), image })],
  [
    "/v1/attributes",
    "options.0.swatchImageUrl",
    (swatchImageUrl) => ({ ...named(), options: [{ name: "A", swatchImageUrl }] })
  ],
  [
    "/v1/modifier-groups",
    "modifiers.0.image",
    (image) => ({ ...named(), selectionType: "SINGLE", modifiers: [{ name: "A", image }] })
  ]
]

describe.each(fields)("%s %s", (path, field, body) => {
  it("is an address of the web, a path or a key", async () => {
    for (const address of ["https://cdn.example.com/a.jpg", "/media/a.jpg", "store/a.jpg"]) {
      const made = await shop.call("POST", path, { body: body(address) })
      expect([made.status, made.text.includes(JSON.stringify(address))]).toEqual([201, true])
    }
  })

  it.each(["not an address", "javascript:alert(1)", "data:text/html,x", "//cdn.example.com/a.jpg", ""])(
    "is refused as %j",
    async (address) => {
      const refused = await shop.call("POST", path, { body: body(address) })
      expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
        400,
        "VALIDATION_FAILED",
        // An image without an address and without a key is refused as a whole.
        [field === "images.0.url" && address === "" ? expect.stringMatching(/^images\.0/) : field]
      ])
    }
  )
})
