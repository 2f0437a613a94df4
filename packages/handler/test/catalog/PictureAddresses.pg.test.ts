/** Addresses of pictures, wherever a merchant may give one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

const address = "javascript:alert(1)"
const bodies = [
  ["products", { name: "Lamp", images: [{ url: address }] }, "images.0.url"],
  [
    "products",
    { name: "Lamp", type: "VARIABLE", variants: [{ attributes: { Size: "S" }, image: address }] },
    "variants.0.image"
  ],
  ["brands", { name: "Acme", logo: address }, "logo"],
  ["categories", { name: "Lamps", image: address }, "image"],
  [
    "attributes",
    { name: "Colour", displayType: "swatch", options: [{ name: "Red", value: "red", swatchImageUrl: address }] },
    "options.0.swatchImageUrl"
  ],
  [
    "modifier-groups",
    { name: "Wrap", selectionType: "SINGLE", modifiers: [{ name: "Paper", image: address }] },
    "modifiers.0.image"
  ]
] as const

describe("an address that a browser would run", () => {
  it.each(bodies)("is refused for a picture of %s, and nothing is made: %o", async (path, body, field) => {
    const refused = await shop.call("POST", `/v1/${path}`, { body })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      400,
      "VALIDATION_FAILED",
      { errors: { [field]: "must begin with https:// or http://" } }
    ])
    expect((await shop.call("GET", `/v1/${path}`)).body.data).toEqual([])
  })
})
