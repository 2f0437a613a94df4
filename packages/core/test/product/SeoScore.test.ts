import { describe, expect, it } from "vitest"
import { emptyProduct } from "../../src/product/Product.ts"
import { seoScoreOf } from "../../src/product/SeoScore.ts"

const image = (alt: string | null) => ({
  id: "img_1",
  url: "https://i.example/1.png",
  key: null,
  alt,
  position: 0,
  isMain: true,
  createdAt: "2026-01-01T00:00:00.000Z"
})
const bare = emptyProduct("Lamp", "lamp")
const whole = {
  ...bare,
  name: "Red desk lamp",
  description: `<p>${"x".repeat(150)}</p>`,
  metaDescription: "y".repeat(50),
  images: [image("A red lamp")],
  sku: "L-1"
}
const score = (changes: object) => seoScoreOf({ ...whole, ...changes }).score

describe("the SEO score of a product", () => {
  it("is 100 where every rule holds, and 0 where none does", () => {
    expect(seoScoreOf(whole)).toEqual({ score: 100, band: "good", hasUnresolvedError: false })
    expect(seoScoreOf(bare)).toEqual({ score: 0, band: "poor", hasUnresolvedError: true })
  })

  it.each([
    ["149 characters of description, tags left out", { description: `<p>${"x".repeat(149)}</p>` }, 85],
    ["nothing but tags for a description", { description: "<p> </p>" }, 65],
    ["49 characters for search engines", { metaDescription: "y".repeat(49) }, 90],
    ["160 characters for search engines", { metaDescription: "y".repeat(160) }, 100],
    ["161 characters for search engines", { metaDescription: "y".repeat(161) }, 90],
    ["none for search engines", { metaDescription: null }, 75],
    ["a name of 9 characters", { name: "x".repeat(9) }, 90],
    ["a name of 70 characters", { name: "x".repeat(70) }, 100],
    ["a name of 71 characters", { name: "x".repeat(71) }, 90],
    ["a picture without a text", { images: [image("A"), image(null)] }, 90],
    ["no picture", { images: [] }, 75],
    ["no number of any kind", { sku: null }, 95],
    ["a GTIN alone", { sku: null, gtin: "4006381333931" }, 100]
  ])("counts %s", (_what, changes, expected) => {
    expect(score(changes)).toBe(expected)
  })

  it("is good from 80, fair from 50 and poor below; an error is a missing description or picture", () => {
    const of = (changes: object) => {
      const { band, hasUnresolvedError } = seoScoreOf({ ...whole, ...changes })
      return [band, hasUnresolvedError]
    }
    expect(of({ name: "Lamp", sku: null })).toEqual(["good", false])
    expect(of({ metaDescription: null })).toEqual(["fair", false])
    expect(of({ description: null })).toEqual(["fair", true])
    expect(of({ images: [], metaDescription: null })).toEqual(["fair", true])
    expect(of({ images: [], metaDescription: null, sku: null })).toEqual(["poor", true])
  })
})
