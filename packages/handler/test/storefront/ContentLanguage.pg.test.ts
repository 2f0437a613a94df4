/** Which language storefront answers say they are in. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

it("is the store's where it names it, and unsaid where texts may be in one that it does not name", async () => {
  const translations = { de: { name: "Leuchte" } }
  const body = { name: "Lamp", status: "active", slug: "lamp", translations }
  await shop.call("POST", "/v1/products", { body })
  await shop.call("POST", "/v1/categories", { body: { name: "Lamps", slug: "lamps", translations } })
  await shop.call("POST", "/v1/brands", { body: { name: "Acme", slug: "acme", translations } })
  const paths = ["products/slug/lamp", "products", "categories/slug/lamps", "categories", "brands/slug/acme", "brands"]
  const said = async (accept: string) =>
    Promise.all(
      paths.map(async (path) => {
        const at = `/vc/${shop.channelId}/${path}`
        const answer = await shop.call("GET", at, { headers: { "accept-language": accept } })
        expect(answer.status).toBe(200)
        return answer.headers.get("content-language")
      })
    )
  const all = (language: string | null) => paths.map(() => language)
  expect(await said("en-GB")).toEqual(all("en"))
  expect(await said("de")).toEqual(all(null))
  await shop.call("PATCH", "/v1/store", { body: { languages: ["en", "de"] } })
  expect(await said("de-AT")).toEqual(all("de"))
  expect(await said("en, de;q=0.5")).toEqual(all("en"))
})
