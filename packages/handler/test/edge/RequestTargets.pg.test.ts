/** What a request asks for is read once: no way of writing a path makes another operation run than the one it names. */
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { routesOf } from "../../src/middleware/routesOf.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { type Listening, listening } from "./nodeServer.ts"

let shop: TestCommerce
let server: Listening
let product: string
beforeAll(async () => {
  shop = await openTestCommerce()
  server = await listening(shop.commerce.node)
  product = (await shop.call("POST", "/v1/products", { body: { name: "Mug", basePrice: "9.00", status: "active" } }))
    .body.id
})
afterAll(async () => {
  await server.close()
  await shop.close()
})

const keyed = () => ({ "x-api-key": shop.apiKey, "content-type": "application/json" })
const unknown = { statusCode: 404, code: "RESOURCE_NOT_FOUND", message: "No route has this path" }
const isThere = async () => (await shop.call("GET", `/v1/products/${product}`)).status

describe("a path that goes on after what a router would stop at", () => {
  it.each([
    ["a semicolon", (id: string) => `/api/v1/products/${id};x/variants/none`],
    ["a semicolon at its end", (id: string) => `/api/v1/products/${id};`],
    ["a fragment", (id: string) => `/api/v1/products/${id}#x/variants/none`],
    ["a fragment in its query", (id: string) => `/api/v1/products/${id}?a=b#x`],
    ["a fragment, in the absolute form", (id: string) => `http://shop.test/api/v1/products/${id}#x/variants/none`],
    ["a semicolon, in the absolute form", (id: string) => `http://shop.test/api/v1/products/${id};x`],
    ["empty segments", (id: string) => `/api/v1/products//${id}`],
    ["empty segments before it", (id: string) => `//api/v1/products/${id}`],
    ["another host before it", (id: string) => `//evil.test/api/v1/products/${id}`],
    ["a slash at its end", (id: string) => `/api/v1/products/${id}/`],
    ["capitals", (id: string) => `/API/V1/Products/${id}`],
    ["a segment of two dots", (id: string) => `/api/v1/orders/../products/${id}`],
    ["a segment of one dot", (id: string) => `/api/v1/./products/${id}`],
    ["two escaped dots", (id: string) => `/api/v1/orders/%2e%2E/products/${id}`],
    ["two dots, in the absolute form", (id: string) => `http://shop.test/api/v1/orders/../products/${id}`],
    ["backslashes", (id: string) => `/api/v1\\products\\${id}`],
    ["an escaped slash for one", (id: string) => `/api/v1/products%2F${id}`],
    ["an escaped question mark", (id: string) => `/api/v1/products/${id}%3Fx`],
    ["an escaped fragment", (id: string) => `/api/v1/products/${id}%23x`],
    ["an escaped semicolon", (id: string) => `/api/v1/products/${id}%3Bx`],
    ["another scheme than http", (id: string) => `ftp:/api/v1/products/${id}`],
    ["no slash at its beginning", (id: string) => `api/v1/products/${id}`]
  ])("runs nothing with %s", async (_what, targetOf) => {
    const { status, body } = await server.ask("DELETE", targetOf(product), keyed())
    expect([status, body?.code]).toEqual([
      status === 400 ? 400 : 404,
      status === 400 ? undefined : expect.stringMatching(/^(?:RESOURCE|PRODUCT)_NOT_FOUND$/)
    ])
    expect(await isThere()).toBe(200)
  })

  it("answers the three of the field reports with 404, by fetch too", async () => {
    const cart = (await shop.call("POST", `/vc/${shop.channelId}/cart`, { body: {} })).body.id
    for (const [method, path] of [
      ["DELETE", `/v1/products/${product};x/variants/none`],
      ["DELETE", `/v1/products/${product}#x/variants/none`],
      ["PATCH", `/v1/shipping/zones/zone;x/rates/rate`],
      ["POST", `/vc/${shop.channelId}/cart/;a=b/order-bump`],
      ["DELETE", `/vc/${shop.channelId}/cart/${cart};/items/x`]
    ] as const) {
      const answer = await shop.call(method, path, method === "DELETE" ? {} : { body: {} })
      expect([path, answer.status, answer.body]).toEqual([path, 404, expect.objectContaining(unknown)])
    }
    expect([await isThere(), (await shop.call("GET", `/vc/${shop.channelId}/cart/${cart}`)).status]).toEqual([200, 200])
  })

  it("still finds what is written in another way that means the same", async () => {
    const escaped = product.replace("p", "%70")
    for (const target of [
      `/api/v1/products/${escaped}`,
      `http://shop.test/api/v1/products/${product}?a=;b`,
      `/api/v1/%70roducts/${product}?`
    ]) {
      const { status, body } = await server.ask("GET", target, keyed())
      expect([target, status, body.id]).toEqual([target, 200, product])
    }
  })

  it("shows the path as it was asked for, and lets no host name into it", async () => {
    const shown = async (target: string, host = "shop.test") =>
      (await server.ask("GET", target, { ...keyed(), host })).body?.path
    expect(await shown("/api/nowhere?secret=1")).toBe("/api/nowhere")
    expect(await shown("http://shop.test/api/nowhere?secret=1")).toBe("/api/nowhere")
    expect(await shown("/api/nowhere;x")).toBe("/api/nowhere;x")
    expect(await shown("/api/nowhere", "a?b/c#d")).toBe("/api/nowhere")
  })
})

describe("every declared route", () => {
  const routes = routesOf(Api)
  const strange = fc.constantFrom(";", "#", ";x", "#x", "//", "/./", "/../", "\\", "/", "/%2e%2e", "?#")

  it("runs for its own path alone: whatever is put into the path, the same refusal says that there is no such route", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...routes), strange, fc.nat(), async ({ method, path }, odd, at) => {
        const filled = path.replace(/:\w+/g, "anything")
        const place = 1 + (at % filled.length)
        // A dot segment or a double slash stands where it makes one.
        const target = `${filled.slice(0, place)}${odd}${filled.slice(place)}`
        if (target === filled) return
        const { status, body } = await server.ask(method, target, { host: "shop.test" })
        const known = routes.some((route) =>
          new RegExp(`^${route.path.replace(/:\w+/g, "[A-Za-z0-9-]+")}$`).test(target)
        )
        if (!known) expect([target, status, body?.message]).toEqual([target, 404, unknown.message])
      }),
      { numRuns: 200 }
    )
  })

  it("hands its handler each part of the path as it was escaped, once", async () => {
    const part = fc.stringMatching(/^[a-z;/?#%. ]{1,12}$/).filter((text) => text !== "." && text !== "..")
    await fc.assert(
      fc.asyncProperty(part, async (slug) => {
        const { status, body } = await server.ask("GET", `/api/vc/${encodeURIComponent(slug)}/categories`, {
          origin: "https://a.test"
        })
        expect([status, body.message]).toEqual([404, "No such sales channel"])
      }),
      { numRuns: 50 }
    )
  })
})
