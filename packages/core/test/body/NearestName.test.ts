/** Which name somebody may have meant. */
import { describe, expect, it } from "vitest"
import { nearestName, unknownName } from "../../src/body/NearestName.ts"

const product = ["name", "basePrice", "costPrice", "description", "taxClassId"]
const address = ["line1", "line2", "city", "region", "postalCode", "country"]

describe("the nearest name", () => {
  it.each([
    ["basePrize", "basePrice"],
    ["base_price", "basePrice"],
    ["BASE-PRICE", "basePrice"],
    ["discription", "description"],
    ["dsecription", "description"],
    ["nmae", "name"]
  ])("of %s is %s: few letters differ, or only how they are written", (given, meant) => {
    expect(nearestName(given, product)).toBe(meant)
  })

  it.each([
    ["zip", "postalCode"],
    ["street", "line1"],
    ["state", "region"],
    ["town", "city"],
    ["Address_2", "line2"]
  ])("of %s is %s, as other systems call it", (given, meant) => {
    expect(nearestName(given, address)).toBe(meant)
  })

  it("is the first of the meant ones that there is", () => {
    expect(nearestName("price", ["basePrice", "amount"])).toBe("basePrice")
    expect(nearestName("price", ["amount"])).toBe("amount")
    expect(nearestName("stock", ["total"])).toBe("total")
  })

  it("is one that ends as the given one does", () => {
    expect(nearestName("modifierGroupId", ["groupId", "variantId"])).toBe("groupId")
    expect(nearestName("classId", product)).toBe("taxClassId")
  })

  it("is none where nothing is near: a third of the letters may differ, at most three", () => {
    expect(nearestName("colour", product)).toBeUndefined()
    expect(nearestName("nm", ["name"])).toBeUndefined()
    expect(nearestName("abcdefghijkl", ["abcdefghixyz"])).toBe("abcdefghixyz")
    expect(nearestName("abcdefghijkl", ["abcdefghwxyz"])).toBeUndefined()
    expect(nearestName("name", [])).toBeUndefined()
  })

  it("is not looked for where the given one is longer than any field's name", () => {
    expect(nearestName(`name${"_".repeat(36)}`, product)).toBe("name")
    expect(nearestName(`name${"_".repeat(37)}`, product)).toBeUndefined()
  })

  it("stands in the sentence about a name that is no field", () => {
    expect(unknownName("basePrize", product, "a product")).toBe("no field of a product; did you mean basePrice?")
    expect(unknownName("colour", product)).toBe("no field of this request")
  })
})
