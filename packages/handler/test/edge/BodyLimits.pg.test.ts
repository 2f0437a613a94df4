/** The bound of each kind of body to the byte: one less and just as many are read, one more is 413 and writes nothing. */
import { gzipSync } from "node:zlib"
import { connect } from "node:net"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { pngOfSize } from "@effect-commerce/core/testing/TestImages"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openHttpServer } from "../../src/adapters/httpServer.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { install, type Installed } from "../app/installed.ts"
import { type Fingerprints, openFingerprints } from "../matrix/filledStore.ts"
import { type Listening, listening } from "./nodeServer.ts"

const mebibyte = 1_048_576
let shop: TestCommerce
let at: Listening
/** The same shop behind a server that waits four seconds for a body. */
let impatient: Listening
let prints: Fingerprints
let app: Installed
let customer: string
let product: string
const files = memoryObjectStore()
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", trustedProxies: ["127.0.0.1"], media: { store: files } })
  at = await listening(openHttpServer(shop.commerce).server)
  impatient = await listening(openHttpServer(shop.commerce, { headers: 4_000, request: 4_000, check: 200 }).server)
  prints = await openFingerprints(shop)
  app = await install(shop)
  const shopper = { email: "bounds@example.com", password: "Corr3ct-Horse" }
  customer = (await shop.call("POST", `/vc/${shop.channelId}/customers/register`, { body: shopper })).body.token
  product = (await shop.call("POST", "/v1/products", { body: { name: "Mug", basePrice: "9.00", status: "active" } }))
    .body.id
})
afterAll(async () => {
  await prints.close()
  await at.close()
  await impatient.close()
  await shop.close()
})

/** JSON of so many bytes: what stands behind it is white space, which counts. */
const padded = (json: string) => (size: number) => Buffer.from(json.padEnd(size))
/** A form whose file has so many bytes. */
const form = (size: number): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`
    ),
    pngOfSize(size),
    Buffer.from("\r\n--b--\r\n")
  ])
const json = "application/json"
const multipart = "multipart/form-data; boundary=b"

interface Bound {
  readonly what: string
  readonly most: number
  readonly method: string
  readonly path: () => string
  readonly type: string
  readonly body: (size: number) => Buffer
  readonly headers: () => Readonly<Record<string, string>>
  /** What answers a body that fits. */
  readonly status: number
}
const keyed = () => ({ "x-api-key": shop.apiKey })
const bounds: ReadonlyArray<Bound> = [
  {
    what: "JSON",
    most: mebibyte,
    method: "POST",
    path: () => "/v1/tax/rates",
    type: json,
    body: padded('{"name":"Bound","country":"US","rate":1}'),
    headers: keyed,
    status: 201
  },
  {
    what: "JSON of a shopper",
    most: mebibyte,
    method: "POST",
    path: () => `/vc/${shop.channelId}/cart`,
    type: json,
    body: padded("{}"),
    headers: () => ({}),
    status: 201
  },
  {
    what: "products in one call",
    most: 10 * mebibyte,
    method: "POST",
    path: () => "/v1/products/bulk",
    type: json,
    body: padded('{"products":[{"name":"Lamp"}]}'),
    headers: keyed,
    status: 202
  },
  {
    what: "values of metafields in one call",
    most: 10 * mebibyte,
    method: "POST",
    path: () => "/v1/metafield-values/bulk",
    type: json,
    body: padded('{"values":[{"productId":"prod_none","key":"none","value":"x"}]}'),
    headers: keyed,
    status: 200
  },
  {
    what: "a file of the library",
    most: 10 * mebibyte,
    method: "POST",
    path: () => "/v1/media",
    type: multipart,
    body: form,
    headers: keyed,
    status: 201
  },
  {
    what: "a picture of a shopper",
    most: 5 * mebibyte,
    method: "POST",
    path: () => `/vc/${shop.channelId}/customization-upload`,
    type: multipart,
    body: form,
    headers: () => ({}),
    status: 200
  },
  {
    what: "a photo of a review",
    most: 5 * mebibyte,
    method: "POST",
    path: () => `/vc/${shop.channelId}/products/${product}/review-photo`,
    type: multipart,
    body: form,
    headers: () => ({ authorization: `Bearer ${customer}` }),
    status: 200
  },
  {
    what: "an event for an app",
    most: mebibyte,
    method: "POST",
    path: () => `/v1/installations/${app.id}/inbound/orders`,
    type: "application/octet-stream",
    body: (size) => Buffer.alloc(size, "x"),
    headers: () => ({ "x-api-key": app.token }),
    status: 202
  }
]

let calls = 0
/** The answer to a request that is written byte for byte; its connection is closed afterwards. */
const write = (
  head: ReadonlyArray<string>,
  body: Buffer,
  { endsEarly = false, port = at.port }: { readonly endsEarly?: boolean; readonly port?: number } = {}
): Promise<number> =>
  new Promise((done) => {
    let text = ""
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
    socket.on("data", (chunk) => (text += chunk.toString("latin1")))
    socket.on("error", () => undefined)
    socket.on("end", () => socket.destroy())
    socket.on("close", () => done(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)))
    const lines = ["host: a", "connection: close", `x-forwarded-for: 10.3.${calls >> 8}.${calls++ & 255}`]
    socket.write(`${[head[0], ...lines, ...head.slice(1)].join("\r\n")}\r\n\r\n`)
    socket.write(body)
    if (endsEarly) socket.end()
  })
const headOf = ({ method, path, type, headers }: Bound, framing: string): ReadonlyArray<string> => [
  `${method} /api${path()} HTTP/1.1`,
  `content-type: ${type}`,
  framing,
  ...Object.entries(headers()).map(([name, value]) => `${name}: ${value}`)
]
const send = (bound: Bound, size: number): Promise<number> => {
  const body = bound.body(size)
  return write(headOf(bound, `content-length: ${body.length}`), body)
}
const inChunks = (bound: Bound, size: number): Promise<number> => {
  const body = bound.body(size)
  const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")])
  return write(headOf(bound, "transfer-encoding: chunked"), chunk)
}
const kept = async () => [await prints.of(shop.storeId), files.objects.size] as const

describe("a body", () => {
  it.each(bounds.map((bound) => [bound.what, bound] as const))(
    "of one byte less and of just as many as its bound is read, one more is refused: %s",
    async (_what, bound) => {
      expect([await send(bound, bound.most - 1), await send(bound, bound.most)]).toEqual([bound.status, bound.status])
      const before = await kept()
      expect([await send(bound, bound.most + 1), await inChunks(bound, bound.most + 1)]).toEqual([413, 413])
      expect(await kept()).toEqual(before)
    }
  )

  it.each(bounds.map((bound) => [bound.what, bound] as const))(
    "that is announced as longer than it is writes nothing, and one that is announced as too long is not waited for: %s",
    async (_what, bound) => {
      const before = await kept()
      const body = bound.body(1_000)
      const cut = await write(headOf(bound, `content-length: ${body.length + 10}`), body, { endsEarly: true })
      expect([0, 400]).toContain(cut)
      const long = headOf(bound, `content-length: ${50 * mebibyte}`)
      expect(await write(long, body, { port: impatient.port })).toBe(413)
      expect(await kept()).toEqual(before)
    }
  )

  // An event for an app is kept as it came, compressed or not.
  const read = bounds.filter(({ type }) => type !== "application/octet-stream")
  it.each(read.map((bound) => [bound.what, bound] as const))(
    "that is compressed is 415 and never unpacked, though it would be small enough to read: %s",
    async (_what, bound) => {
      const before = await kept()
      const bomb = gzipSync(Buffer.alloc(100 * mebibyte))
      expect(bomb.length).toBeLessThan(200_000)
      for (const encoding of ["gzip", "br", "deflate", "zstd", "gzip, gzip"]) {
        const head = headOf(bound, `content-length: ${bomb.length}\r\ncontent-encoding: ${encoding}`)
        expect([encoding, await write(head, bomb)]).toEqual([encoding, 415])
      }
      expect(await kept()).toEqual(before)
    }
  )
})

describe("a secret of an app", () => {
  it("has at most 4 KiB, and an app at most 50", async () => {
    const put = (secrets: object) => app.call("PUT", "/secrets", { body: { secrets } })
    expect((await put({ KEY: "x".repeat(4_096) })).status).toBe(200)
    const before = await kept()
    for (const secrets of [{ KEY: "x".repeat(4_097) }, { KEY: "x".repeat(65_537) }])
      expect((await put(secrets)).status).toBe(400)
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`KEY_${i}`, "x"]))
    expect((await put(many)).status).toBe(400)
    expect(await kept()).toEqual(before)
  })
})
