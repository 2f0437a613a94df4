/** Lists whose rows are large: pages that are no larger than a response may be, and lack no row. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { mostAnswer } from "../../src/middleware/AnswerBytes.ts"
import { shopperOf } from "../Shopper.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce

beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
}, 60_000)
afterAll(() => shop.close())

/** A page of a list, by its path. */
const page = async (path: string, call = shop.call) => {
  const { status, body, text } = await call("GET", path)
  expect(status).toBe(200)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(mostAnswer)
  const { data, meta } = body as { data: ReadonlyArray<{ id: string }>; meta: Record<string, number> }
  return { ids: data.map(({ id }) => id), meta }
}

describe("a list whose rows are large", () => {
  const large = Array.from({ length: 84 }, (_, i) => i)
  const ids: Array<string> = []
  const bulk = async (names: ReadonlyArray<number>, description: string) => {
    for (const i of names) {
      const { status, body } = await shop.call("POST", "/v1/products", {
        body: { name: `Lamp ${i}`, basePrice: "1.00", status: "active", menuOrder: i, description }
      })
      expect([status, body]).toEqual([201, expect.anything()])
      ids.push(body.id)
    }
  }
  const shown = () => `/vc/${shop.channelId}/products?limit=100`

  it("has as many rows on a page as are asked for, while they fit", async () => {
    await bulk(
      Array.from({ length: 16 }, (_, i) => 1_000 + i),
      ""
    )
    expect(await page("/v1/products?limit=100")).toMatchObject({ meta: { page: 1, limit: 100, total: 16 } })
  })

  it("has fewer on each page where they do not fit, says so, and lacks none", async () => {
    await bulk(large, "d".repeat(100_000))
    const first = await page(shown())
    expect(first.meta).toEqual({ page: 1, limit: 64, total: 100, totalPages: 2 })
    const second = await page(`${shown()}&page=2`)
    expect(second.meta).toEqual({ page: 2, limit: 64, total: 100, totalPages: 2 })
    expect([...first.ids, ...second.ids].toSorted()).toEqual(ids.toSorted())
  }, 60_000)

  it("has no more on pages that would fit, on any surface and in any process", async () => {
    expect((await page(`/v1/products?limit=100`)).meta).toEqual({ page: 1, limit: 64, total: 100, totalPages: 2 })
    const twin = await shop.openTwin()
    const answered = await twin.fetch(new Request(`http://shop.test/api${shown()}&page=2`))
    expect((await answered.json()) as unknown).toMatchObject({ meta: { limit: 64, totalPages: 2 } })
  })

  it("has as many as are asked for where these are no more than fit", async () => {
    expect((await page(`/v1/products?limit=50`)).meta.limit).toBe(50)
    expect((await page(`/v1/products`)).meta.limit).toBe(20)
    expect((await shop.call("GET", "/v1/products?limit=0")).status).toBe(400)
    expect((await page(`/v1/brands?limit=100`)).meta.limit).toBe(100)
  })

  it("is tried whole again after 30 days: what was large may be gone", async () => {
    for (const id of ids.slice(16)) expect((await shop.call("DELETE", `/v1/products/${id}`)).status).toBe(200)
    expect((await page(`/v1/products?limit=100`)).meta.limit).toBe(64)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 30 * 86_400_000 } })
    expect((await page(`/v1/products?limit=100`)).meta).toEqual({ page: 1, limit: 100, total: 16, totalPages: 1 })
  }, 60_000)
})

describe("a list of orders", () => {
  it("shows no metadata of a line above 1 KiB, which the order itself shows", async () => {
    const small = { note: "n".repeat(900) }
    const large = { note: "n".repeat(1_100) }
    const shopper = shopperOf(shop)
    const productId = await shopper.product({ name: "Lamp", price: 1_000n })
    const cartId = await shopper.cart()
    for (const metadata of [small, large])
      await shop.call("POST", `${shopper.at}/cart/${cartId}/items`, { body: { productId, quantity: 1, metadata } })
    const { body: done } = await shop.call("POST", `/v1/checkout/${await shopper.checkout(cartId)}/complete`, {
      body: {},
      headers: { "idempotency-key": "large metadata" }
    })
    const metadata = ({ items }: { items: ReadonlyArray<{ metadata: unknown }> }) => items.map((line) => line.metadata)
    const listed = (await shop.call("GET", "/v1/orders")).body.data[0]
    expect(metadata(listed)).toEqual([small, {}])
    const { body: order } = await shop.call("GET", `/v1/orders/${done.orderId}`)
    expect(metadata(order)).toEqual([small, large])
    expect({ ...listed, items: [] }).toEqual({ ...order, items: [] })
  })
})

describe("conflicts of metafields", () => {
  it("that come to more than a response are asked for in pages: an array cannot say that it is cut", async () => {
    const value = "€".repeat(20_000)
    const definition = { name: "Story", key: "story", type: "TEXTAREA" }
    expect((await shop.call("POST", "/v1/metafield-definitions", { body: definition })).status).toBe(201)
    for (let i = 0; i < 72; i += 1) {
      const { body: product } = await shop.call("POST", "/v1/products", {
        body: { name: `Rug ${i}`, basePrice: "1.00" }
      })
      const put = async (story: string, source?: string) =>
        expect(
          (await shop.call("PUT", `/v1/products/${product.id}/metafields`, { body: { values: { story }, source } }))
            .status
        ).toBe(200)
      await put(value)
      await put(`${value.slice(1)}!`, "shopify")
    }
    const whole = await shop.call("GET", "/v1/metafield-conflicts")
    expect([whole.status, whole.body.code, Object.keys(whole.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      ["limit"]
    ])
    const asked = await Promise.all(
      [1, 2].map((number) => shop.call("GET", `/v1/metafield-conflicts?limit=60&page=${number}`))
    )
    expect(asked.map(({ body }) => body.length)).toEqual([60, 12])
  }, 60_000)
})
