/** Options that are deleted while variants are made of them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

describe("an option", () => {
  it("is either deleted or taken up by a variant, and never both, whoever comes first", async () => {
    const outcomes: Array<ReadonlyArray<number>> = []
    for (let i = 0; i < 15; i++) {
      const { body: size } = await shop.call("POST", "/v1/attributes", {
        body: { name: `Size ${i}`, options: [{ name: "S" }] }
      })
      const [option] = size.options
      const product = {
        name: "Shirt",
        type: "VARIABLE",
        attributes: [{ attributeId: size.id, optionIds: [option.id] }]
      }
      const [gone, made] = await Promise.all([
        shop.call("DELETE", `/v1/attributes/${size.id}/options/${option.id}`),
        shop.call("POST", "/v1/products", { body: product })
      ])
      outcomes.push([gone.status, made.status])
      const { body: after } = await shop.call("GET", `/v1/attributes/${size.id}`)
      if (made.status === 201) {
        expect([gone.status, gone.body.details]).toEqual([409, { variantCount: 1 }])
        expect(made.body.variants.map(({ name }: { readonly name: string }) => name)).toEqual(["S"])
        expect(after.options).toHaveLength(1)
      } else {
        expect([gone.status, made.status, made.body.code]).toEqual([200, 400, "VALIDATION_FAILED"])
        expect(after.options).toEqual([])
      }
    }
    expect(outcomes).toHaveLength(15)
  })
})
