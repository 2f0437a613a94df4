/** The region that a list of products is asked for. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

const list = (regionId: string) => shop.call("GET", `/v1/products?regionId=${regionId}`)
const regionIn = async (name: string, currency: string, countries: ReadonlyArray<string>) => {
  const made = await shop.call("POST", "/v1/regions", { body: { name, currency, countries } })
  expect([made.status, made.text]).toEqual([201, made.text])
  return made.body.id
}

it("shows the store's prices for its regions, whatever their currency, and refuses an unknown region", async () => {
  await shop.call("POST", "/v1/products", { body: { name: "Lamp", status: "active", basePrice: "10.00" } })
  const all = await shop.call("GET", "/v1/products")
  const own = all.body.data[0].displayCurrency
  expect(all.body.data[0].displayPrice).toBe("10.00")
  for (const id of [await regionIn("Near", own, ["IS"]), await regionIn("Far", "JPY", ["JP"])])
    expect((await list(id)).body).toEqual(all.body)
  const refused = await list("reg_none")
  expect([refused.status, refused.body.details.errors]).toEqual([400, { regionId: "is not a region of this store" }])
})
