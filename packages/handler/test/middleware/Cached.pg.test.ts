import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { Api } from "../../src/Api.ts"
import { routesOf } from "../../src/middleware/routesOf.ts"
import { shopperOf } from "../Shopper.ts"

/** What browsers and CDNs may keep of the catalogue, and how they learn that it has changed. */
let shop: TestCommerce
let lamp: string
let slug: string
const origin = "https://shop.example"
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  lamp = await shopperOf(shop).product({ stock: 5 })
  slug = (await shop.call("GET", `/v1/products/${lamp}`)).body.slug
  await shop.call("POST", "/v1/categories", { body: { name: "Lamps" } })
})
afterAll(() => shop.close())

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  shop.call(method, path, { headers: { origin, ...headers } })
const kept = ["etag", "cache-control", "vary", "access-control-allow-origin"] as const
const headersOf = (answer: Awaited<ReturnType<typeof get>>) => kept.map((name) => answer.headers.get(name))

const showing = "public, max-age=0, must-revalidate"
const briefly = "public, max-age=5"
const paths: ReadonlyArray<readonly [string, string]> = [
  ["/products", showing],
  ["/products/slug/SLUG", showing],
  ["/products/LAMP", showing],
  ["/products/LAMP/recommendations", showing],
  ["/categories", briefly]
]
const surfaces = ["/vc/CHANNEL", "/stores/STORE"]
const placed = (path: string) =>
  path.replace("CHANNEL", shop.channelId).replace("STORE", shop.storeId).replace("LAMP", lamp).replace("SLUG", slug)

describe.each(surfaces)("%s", (surface) => {
  it.each([...paths, ...(surface.startsWith("/vc") ? [["/categories/slug/lamps", briefly] as const] : [])])(
    "%s answers a tag, and 304 to whoever has what it stands for",
    async (path, control) => {
      const at = placed(`${surface}${path}`)
      const first = await get(at)
      const etag = first.headers.get("etag") ?? ""
      expect([first.status, ...headersOf(first)]).toEqual([
        200,
        expect.stringMatching(/^W\/"[\w-]{27}"$/),
        control,
        "Origin, Accept-Language, Accept-Encoding",
        origin
      ])
      const again = await get(at, { "if-none-match": `"other", ${etag}` })
      expect([again.status, again.text, ...headersOf(again)]).toEqual([304, "", ...headersOf(first)])
      expect([again.headers.get("content-type"), again.headers.get("access-control-expose-headers")]).toEqual([
        null,
        expect.stringContaining("ETag")
      ])
      const other = await get(at, { "if-none-match": '"other"' })
      expect([other.status, other.text, other.headers.get("etag")]).toEqual([200, first.text, etag])
    }
  )

  it("answers HEAD as GET, without the body", async () => {
    const at = placed(`${surface}/products/slug/SLUG`)
    const whole = await get(at)
    const head = await get(at, {}, "HEAD")
    expect([head.status, head.text, ...headersOf(head)]).toEqual([200, "", ...headersOf(whole)])
    const etag = whole.headers.get("etag") ?? ""
    expect((await get(at, { "if-none-match": etag }, "HEAD")).status).toBe(304)
  })
})

describe("an answer that changed", () => {
  const at = () => `/vc/${shop.channelId}/products/${lamp}`
  const changed = async (change: () => Promise<unknown>, path = at()) => {
    const before = (await get(path)).headers.get("etag") ?? ""
    await change()
    const after = await get(path, { "if-none-match": before })
    return [after.status, after.headers.get("etag") !== before]
  }
  it("has another tag: a product that was edited", async () => {
    const edit = () => shop.call("PATCH", `/v1/products/${lamp}`, { body: { name: "Desk lamp" } })
    expect(await changed(edit)).toEqual([200, true])
  })
  it("has another tag: stock that was set", async () => {
    const set = () => shop.call("PUT", `/v1/products/${lamp}/inventory`, { body: { total: 3 } })
    expect(await changed(set)).toEqual([200, true])
    expect(await changed(set, `/vc/${shop.channelId}/products`)).toEqual([304, false])
  })
  it("has another tag in another language that there is", async () => {
    await shop.call("PATCH", `/v1/products/${lamp}`, { body: { translations: { de: { name: "Lampe" } } } })
    const english = (await get(at())).headers.get("etag") ?? ""
    const german = await get(at(), { "accept-language": "de", "if-none-match": english })
    expect([german.status, german.body.name]).toEqual([200, "Lampe"])
    expect((await get(`${at()}?locale=de`, { "if-none-match": german.headers.get("etag") ?? "" })).status).toBe(304)
  })
})

describe("no cache keeps", () => {
  it.each([
    ["a product that is unknown", "/vc/CHANNEL/products/prod_x", 404],
    ["a query that is refused", "/vc/CHANNEL/products?page=0", 400],
    ["a route that there is not", "/vc/CHANNEL/nothing", 404],
    ["stock", "/vc/CHANNEL/inventory?productIds=LAMP", 200]
  ])("%s", async (_words, path, status) => {
    const answer = await get(placed(path), { "if-none-match": "*" })
    expect([answer.status, answer.headers.get("etag"), answer.headers.get("cache-control")]).toEqual([
      status,
      null,
      "no-store"
    ])
  })
})

it("a channel's answer without an Origin depends on there being none", async () => {
  const { headers } = await shop.call("GET", `/vc/${shop.channelId}/products`)
  expect([headers.get("vary"), headers.get("access-control-allow-origin")]).toEqual([
    "Origin, Accept-Language, Accept-Encoding",
    null
  ])
})

it("routes that caches may keep are reads without a secret or a customer", () => {
  const cached = routesOf(Api).filter(({ policy }) => policy.cached !== undefined)
  expect(cached.length).toBeGreaterThanOrEqual(11)
  expect(
    cached.filter(
      ({ method, policy }) =>
        method !== "GET" ||
        policy.surface === "admin" ||
        policy.customer !== undefined ||
        (policy.surface === "channel" && policy.channelScope !== "storefrontRead")
    )
  ).toEqual([])
})
