import { get as httpGet, type IncomingMessage } from "node:http"
import { randomBytes } from "node:crypto"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openHttpServer } from "../../src/adapters/httpServer.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

/** Long JSON is sent compressed to whoever takes it; short JSON, and what shows a secret, is not. */
let shop: TestCommerce
let plainShop: TestCommerce
let lamp: string
const describing = "A lamp for your desk, which gives light to read by. ".repeat(60)
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  plainShop = await openTestCommerce({ role: "api", compress: false })
  for (const one of [shop, plainShop]) {
    const made = await one.call("POST", "/v1/products", {
      body: { name: "Lamp", basePrice: 10, status: "active", description: describing }
    })
    if (one === shop) lamp = made.body.id
  }
})
afterAll(() => Promise.all([shop.close(), plainShop.close()]))

interface Asked {
  readonly of?: TestCommerce
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  readonly body?: unknown
}
const ask = async (path: string, { of = shop, headers = {}, method = "GET", body }: Asked = {}) => {
  const key = path.startsWith("/v1") ? { "x-api-key": of.apiKey } : {}
  const typed = body === undefined ? {} : { "content-type": "application/json" }
  const init = { method, headers: { origin: "https://shop.example", ...key, ...typed, ...headers } }
  const text = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await of.commerce.fetch(new Request(`http://shop.test/api${path}`, { ...init, ...text }))
  return { answer, encoding: answer.headers.get("content-encoding"), bytes: Buffer.from(await answer.arrayBuffer()) }
}
const decoded = { br: brotliDecompressSync, gzip: gunzipSync }

const reads = () => [
  `/vc/${shop.channelId}/products`,
  `/vc/${shop.channelId}/products/${lamp}`,
  `/stores/${shop.storeId}/products/slug/lamp`,
  `/v1/products`,
  `/v1/products/${lamp}`
]

describe.each(["br", "gzip"] as const)("long JSON as %s", (encoding) => {
  it("is the same bytes once it is decoded, the first time and every time, and says so to caches", async () => {
    for (const path of reads()) {
      const plain = await ask(path)
      expect([path, plain.answer.status, plain.encoding, plain.bytes.length > 1_024]).toEqual([path, 200, null, true])
      for (const _time of [1, 2]) {
        const sent = await ask(path, { headers: { "accept-encoding": encoding } })
        expect([path, sent.encoding, decoded[encoding](sent.bytes).equals(plain.bytes)]).toEqual([path, encoding, true])
        expect([sent.answer.status, sent.answer.headers.get("content-type")]).toEqual([200, "application/json"])
        expect(sent.answer.headers.get("content-length")).toBe(String(sent.bytes.length))
        expect(sent.bytes.length).toBeLessThan(plain.bytes.length)
        for (const { answer } of [plain, sent]) expect(answer.headers.get("vary")).toMatch(/(^|, )Accept-Encoding$/)
        expect(sent.answer.headers.get("etag")).toBe(plain.answer.headers.get("etag"))
      }
    }
  })

  it("is 304 to whoever has it, in whichever encoding they got it", async () => {
    const path = `/vc/${shop.channelId}/products/${lamp}`
    const plain = await ask(path)
    const etag = plain.answer.headers.get("etag") ?? ""
    const again = await ask(path, { headers: { "accept-encoding": encoding, "if-none-match": etag } })
    expect([again.answer.status, again.bytes.length, again.encoding]).toEqual([304, 0, null])
    expect(again.answer.headers.get("vary")).toBe(plain.answer.headers.get("vary"))
  })

  it("has the length of GET where HEAD asks, and no body", async () => {
    const path = `/vc/${shop.channelId}/products/${lamp}`
    const whole = await ask(path, { headers: { "accept-encoding": encoding } })
    const head = await ask(path, { headers: { "accept-encoding": encoding }, method: "HEAD" })
    expect([head.bytes.length, head.encoding]).toEqual([0, encoding])
    expect(head.answer.headers.get("content-length")).toBe(String(whole.bytes.length))
  })

  it("goes through Node's listener", async () => {
    const { server, end } = openHttpServer(shop.commerce)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as { readonly port: number }
    const path = `/api/vc/${shop.channelId}/products/${lamp}`
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      httpGet({ port, path, agent: false, headers: { "accept-encoding": encoding } }, resolve).on("error", reject)
    )
    const bytes = Buffer.concat(await response.toArray())
    expect([response.headers["content-encoding"], response.headers["content-length"]]).toEqual([
      encoding,
      String(bytes.length)
    ])
    expect(decoded[encoding](bytes).equals((await ask(`/vc/${shop.channelId}/products/${lamp}`)).bytes)).toBe(true)
    await end()
  })

  it("is sent whole where it is longer than what is compressed at once, and shows what has changed", async () => {
    const long = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        shop.call("POST", "/v1/products", {
          body: { name: `Long ${encoding} ${i}`, basePrice: 1, description: randomBytes(25_000).toString("base64") }
        })
      )
    )
    expect(new Set(long.map(({ status }) => status))).toEqual(new Set([201]))
    const [one, two] = await Promise.all(
      [1, 2].map(() => ask("/v1/products?limit=100", { headers: { "accept-encoding": encoding } }))
    )
    const plain = await ask("/v1/products?limit=100")
    expect(plain.bytes.length).toBeGreaterThan(262_144)
    for (const sent of [one, two]) {
      const bytes = sent?.encoding === null ? sent.bytes : decoded[encoding](sent?.bytes ?? Buffer.alloc(0))
      expect(bytes.equals(plain.bytes)).toBe(true)
    }
    expect([one?.encoding, two?.encoding]).toContain(encoding)
  })
})

describe("JSON is sent as it is", () => {
  const any = { "accept-encoding": "gzip, br" }
  it("where it is short", async () => {
    const { encoding, answer } = await ask(`/vc/${shop.channelId}/categories`, { headers: any })
    expect([answer.status, encoding]).toEqual([200, null])
  })
  it("where the instance was told so", async () => {
    const { encoding, answer } = await ask("/v1/products", { of: plainShop, headers: any })
    expect([answer.status, encoding]).toEqual([200, null])
  })
  it("where it shows a secret for the first time, however long it is", async () => {
    const body = { url: `https://hooks.example/${"a".repeat(1_200)}`, events: ["*"] }
    const made = await ask("/v1/webhook-subscriptions", { method: "POST", headers: any, body })
    expect([made.answer.status, made.encoding, made.bytes.length > 1_024]).toEqual([201, null, true])
  })
})

it("a long refusal is compressed too, and keeps its status", async () => {
  const images = Array.from({ length: 40 }, () => ({ url: 5, position: "first" }))
  const asked = { method: "POST", body: { name: "Lamp", basePrice: 1, images } }
  const plain = await ask("/v1/products", asked)
  const sent = await ask("/v1/products", { ...asked, headers: { "accept-encoding": "br" } })
  expect([sent.answer.status, plain.answer.status, sent.encoding]).toEqual([400, 400, "br"])
  expect(JSON.parse(String(brotliDecompressSync(sent.bytes))).error).toEqual(JSON.parse(String(plain.bytes)).error)
})
