/**
 * Whatever a merchant gives us to call, in every spelling, by names that move between two look-ups and by redirects: no
 * listener that must not be reached ever sees a connection. Webhooks, images that are fetched, and login providers.
 */
import { createServer as createHttpServer, type RequestListener } from "node:http"
import { type AddressInfo, createServer, type Server } from "node:net"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { forbiddenUrls } from "../../../core/test/outbound/forbiddenUrls.ts"
import { openNameServer } from "../../../core/test/outbound/nameServer.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

/** 127.0.0.2 plays the internet; 127.0.0.1, 127.0.0.3 and [::1] must never be reached. All listen on one port. */
let shop: TestCommerce
let port = 0
let dns: Awaited<ReturnType<typeof openNameServer>>
let serve: RequestListener
const forbidden: Array<string> = []
const closers: Array<() => Promise<void>> = []

const listenOn = (server: Server, host: string, at: number): Promise<void> =>
  new Promise((done, fail) => {
    server.once("error", fail)
    server.listen(at, host, () => {
      port = (server.address() as AddressInfo).port
      done()
    })
    closers.push(() => new Promise((closed) => server.close(() => closed())))
  })

const mapped = [0, 0, 0, 0, 0, 0xffff, 0x7f00, 3]
const zone = {
  "public.example": [[{ a: "127.0.0.2" }]],
  "private.example": [[{ a: "127.0.0.3" }]],
  "alias.example": [[{ cname: "inner.example", to: { a: "127.0.0.3" } }]],
  "mapped.example": [[{ aaaa: mapped }]],
  "loop.example": [[{ aaaa: [0, 0, 0, 0, 0, 0, 0, 1] }]],
  "both.example": [[{ a: "127.0.0.2" }, { a: "127.0.0.3" }]],
  "rebinding.example": [[{ a: "127.0.0.2" }], [{ a: "127.0.0.3" }]],
  // Good at its first look-up, whoever asks first.
  "late.example": [[{ a: "127.0.0.2" }], [{ a: "127.0.0.2" }], [{ a: "127.0.0.3" }]]
}
const names = Object.keys(zone).filter((name) => name !== "public.example")

beforeAll(async () => {
  const open = createHttpServer((request, response) => {
    request.resume()
    serve(request, response)
  })
  await listenOn(open, "127.0.0.2", 0)
  for (const host of ["127.0.0.1", "127.0.0.3", "::1"])
    await listenOn(
      createServer((socket) => {
        forbidden.push(host)
        socket.destroy()
      }),
      host,
      port
    )
  dns = await openNameServer(zone)
  shop = await openTestCommerce({
    media: { store: memoryObjectStore() },
    outbound: { allowCidrs: ["127.0.0.2/32"], resolver: dns.resolver }
  })
})
afterAll(async () => {
  await shop.close()
  await dns.close()
  await Promise.all(closers.map((close) => close()))
})
beforeEach(() => {
  forbidden.length = 0
  serve = (_request, response) => void response.writeHead(404).end()
})

const spellings = () => forbiddenUrls.map((url) => url.replaceAll(":1/", `:${port}/`))
/** The statuses that are not 400, with what was sent. */
const admitted = async (
  urls: ReadonlyArray<string>,
  send: (url: string, turn: number) => Promise<{ readonly status: number }>
): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const [turn, url] of urls.entries()) {
    const { status } = await send(url, turn)
    if (status !== 400) found.push(`${status} ${url}`)
  }
  return found
}

describe("a webhook", () => {
  const subscribe = (url: string) =>
    shop.call("POST", "/v1/webhook-subscriptions", { body: { url, events: ["product.created"] } })

  it("is not subscribed to a forbidden place in any spelling", async () => {
    expect(forbiddenUrls.length).toBeGreaterThanOrEqual(150)
    expect(await admitted(spellings(), subscribe)).toEqual([])
    expect(forbidden).toEqual([])
  })

  it("is not subscribed to where a name leads to a forbidden place", async () => {
    const leading = names.filter((name) => !["rebinding.example", "late.example"].includes(name))
    expect(
      await admitted(
        leading.map((name) => `https://${name}:${port}/hook`),
        subscribe
      )
    ).toEqual([])
    expect(forbidden).toEqual([])
  })

  it("is not delivered where a name has moved to a forbidden place since: dropped at once, not tried again", async () => {
    const { status, body } = await subscribe(`https://rebinding.example:${port}/hook`)
    // This one moves after its first delivery: what reached the public listener ends there, it speaks no TLS.
    expect([status, (await subscribe(`https://late.example:${port}/hook`)).status]).toEqual([201, 201])
    for (const name of ["One", "Two", "Three"]) await shop.call("POST", "/v1/products", { body: { name } })
    const states = async () => {
      const { data } = (await shop.call("GET", `/v1/webhook-subscriptions/${body.id}/deliveries`)).body
      return data.map((one: { readonly status: string; readonly attemptCount: number }) => [
        one.status,
        one.attemptCount
      ])
    }
    await expect.poll(states).toEqual(Array.from({ length: 3 }, () => ["blocked", 1]))
    await shop.call("POST", "/test/clock", { body: { advanceMs: 86_400_000 } })
    await shop.call("POST", "/v1/products", { body: { name: "Four" } })
    await expect.poll(states).toEqual(Array.from({ length: 4 }, () => ["blocked", 1]))
    expect(forbidden).toEqual([])
  })
})

describe("an image", () => {
  const ingest = (sourceUrl: string) => shop.call("POST", "/v1/media", { body: { sourceUrl } })
  // A public server may be called over http, and these two are public.
  const isPublic = (url: string) => /^(?:https?|HTTP):\/\/(?:example\.com|93\.184\.216\.34)\/$/.test(url)

  it("is not fetched from a forbidden place in any spelling, with https and with http", async () => {
    const urls = spellings().filter((url) => !isPublic(url))
    expect(await admitted(urls, ingest)).toEqual([])
    const plain = urls.filter((url) => url.startsWith("https://")).map((url) => url.replace("https:", "http:"))
    expect(await admitted(plain, ingest)).toEqual([])
    expect(forbidden).toEqual([])
  })

  it("is not fetched where a name leads to a forbidden place, now or at the second look-up", async () => {
    const urls = names.flatMap((name) => Array.from({ length: 4 }, () => `http://${name}:${port}/a.png`))
    expect(await admitted(urls, ingest)).toEqual([])
    expect(forbidden).toEqual([])
  })

  it("is not fetched behind redirects to a forbidden place, whatever their status and number", async () => {
    const targets = [
      ...spellings().filter((url) => !isPublic(url)),
      ...names.map((name) => `http://${name}:${port}/a.png`)
    ]
    const chained: Array<string> = []
    for (const [turn, target] of targets.entries()) {
      const status = [301, 302, 303, 307, 308][turn % 5] ?? 302
      const hops = turn % 4
      serve = ({ url = "" }, response) => {
        const left = Number(url.slice(1))
        const location = left === 0 ? target : `http://public.example:${port}/${left - 1}`
        try {
          response.writeHead(status, { location }).end()
        } catch {
          // No header can carry it.
          response.writeHead(status, { location: encodeURI(target) }).end()
        }
      }
      chained.push(...(await admitted([`http://public.example:${port}/${hops}`], ingest)))
    }
    expect(chained).toEqual([])
    expect(forbidden).toEqual([])
  })
})

describe("a login provider", () => {
  const provider = (issuer: string, turn: number) =>
    shop.call("POST", "/v1/oauth-providers", {
      body: { provider: `CUSTOM:p${turn}`, clientId: "c", clientSecret: "s", providerConfig: { issuer } }
    })

  it("is not looked up at a forbidden place in any spelling", async () => {
    expect(await admitted(spellings(), provider)).toEqual([])
    expect(forbidden).toEqual([])
  })

  it("is not looked up where a name leads to a forbidden place, now or at the second look-up", async () => {
    for (const [turn, name] of names.entries()) {
      const made = await provider(`https://${name}:${port}`, 1_000 + turn)
      const at = `/vc/${shop.channelId}/customers/oauth/${encodeURIComponent(`CUSTOM:p${1_000 + turn}`)}/authorize`
      const query = "?redirectUrl=http%3A%2F%2Flocalhost%2Fback"
      for (let i = 0; i < 3; i++) {
        const { status } = await shop.call("GET", `${at}${query}`)
        expect([name, status]).toEqual([name, 503])
      }
      expect([200, 400]).toContain(made.status)
    }
    expect(forbidden).toEqual([])
  })
})
