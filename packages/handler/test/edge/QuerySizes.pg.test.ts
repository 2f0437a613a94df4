import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

/** How much a URL may ask: it is part of a statement, or of a log line, wherever it is read. */
let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

const answerOf = async (path: string) => {
  const { status, body } = await shop.call("GET", path)
  return [status, body?.details?.errors === undefined ? undefined : Object.keys(body.details.errors)]
}

describe("the size of a URL", () => {
  const products = "/v1/products"
  it.each([
    [
      "16,384 characters",
      16_384,
      16_385,
      (n: number) =>
        `${products}?${`a=${"x".repeat(8_000)}&`.repeat(2)}b=${"x".repeat(n - "/api".length - products.length - 3 - 2 * 8_003)}`
    ],
    ["100 parameters", 100, 101, (n: number) => `${products}?${"a=1&".repeat(n).slice(0, -1)}`],
    ["a parameter of 8,192 characters", 8_192, 8_193, (n: number) => `${products}?a=${"x".repeat(n - 2)}`]
  ])("is at most %s", async (_words, fitting, over, path) => {
    expect(await answerOf(path(fitting))).toEqual([200, undefined])
    expect(await answerOf(path(over))).toEqual([400, ["url"]])
  })

  it("counts for every path, also for those that are none, and for every method", async () => {
    const long = `?a=${"x".repeat(8_200)}`
    expect((await shop.call("POST", `/v1/products${long}`, { body: { name: "No" } })).status).toBe(400)
    expect((await shop.call("GET", `/v1/${"x".repeat(17_000)}`)).status).toBe(400)
    expect((await shop.call("GET", "/v1/products")).body.meta.total).toBe(0)
  })
})

describe("lists with commas", () => {
  const many = (n: number, of: string) => Array(n).fill(of).join(",")
  it.each([
    ["products by category", "/vc/CHANNEL/products?category=", "cat_x", "category"],
    ["products by brand", "/vc/CHANNEL/products?brand=", "brand_x", "brand"],
    ["products by status", "/v1/products?status=", "active", "status"],
    ["products by type", "/v1/products?type=", "SIMPLE", "type"],
    ["orders by status", "/v1/orders?status=", "PAID", "status"],
    ["events by type", "/v1/events?types=", "order.created", "types"],
    ["stock of products", "/vc/CHANNEL/inventory?productIds=", "prod_x", "productIds"]
  ])("name at most 100: %s", async (_words, asked, value, field) => {
    const path = asked.replace("CHANNEL", shop.channelId)
    expect(await answerOf(`${path}${many(100, value)}`)).toEqual([200, undefined])
    expect(await answerOf(`${path}${many(101, value)}`)).toEqual([400, [field]])
  })

  it.each(["/v1/products", "/v1/categories", "/v1/orders", "/v1/shipping/zones"])(
    "a search of %s has at most 200 characters",
    async (path) => {
      expect(await answerOf(`${path}?search=${"x".repeat(200)}`)).toEqual([200, undefined])
      expect(await answerOf(`${path}?search=${"x".repeat(201)}`)).toEqual([400, ["search"]])
    }
  )
})
