import { compileRegions } from "@effect-commerce/core/store/RegionChoice"
import { describe, expect, it } from "vitest"

const region = (id: string, countries: ReadonlyArray<string>, isDefault = false) => ({
  id,
  currency: "EUR",
  priceRounding: null,
  countries: [...countries],
  isDefault
})

describe("the region of a cart", () => {
  const { choose } = compileRegions([region("eu", ["DE", "AT"], true), region("jp", ["JP"]), region("none", [])])
  const chosen = (given: string | null, country: string | null) => choose(given, country)?.id ?? null

  it("is the one given, else that of the country, else the default", () => {
    expect(chosen("jp", "DE")).toBe("jp")
    expect(chosen(null, "JP")).toBe("jp")
    expect(chosen(null, "US")).toBe("eu")
    expect(chosen(null, null)).toBe("eu")
    expect(chosen("none", "JP")).toBe("none")
  })

  it("is not one that is inactive or deleted by now, though it was given", () => {
    expect([chosen("gone", "JP"), chosen("gone", "US")]).toEqual(["jp", "eu"])
  })

  it("is none where the store has no default", () => {
    const { choose } = compileRegions([region("jp", ["JP"])])
    expect([choose(null, "US"), choose(null, null), choose("gone", null)]).toEqual([null, null, null])
  })
})
