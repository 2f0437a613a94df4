import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { jpeg, png, pngOfSize } from "@effect-commerce/core/testing/TestImages"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { formOf, sendTo } from "./sendForm.ts"

/** 127.0.0.2 plays the internet, 127.0.0.3 what must never be reached; both listen on one port. */
const storage = memoryObjectStore()
let shop: TestCommerce
let serve: RequestListener
const reached: Array<string> = []
let port = 0
/** Each name's addresses, one after the other as it is asked for; the last one stays. */
let names: Record<string, Array<ReadonlyArray<string>>> = {}

const listen = (host: string, at: number, listener: RequestListener) =>
  new Promise<() => Promise<void>>((done) => {
    const server = createServer(listener)
    server.listen(at, host, () => {
      port = (server.address() as AddressInfo).port
      done(
        () =>
          new Promise((closed) => {
            server.close(() => closed())
            server.closeAllConnections()
          })
      )
    })
  })
const closers: Array<() => Promise<void>> = []

beforeAll(async () => {
  closers.push(await listen("127.0.0.2", 0, (request, response) => serve(request, response)))
  closers.push(
    await listen("127.0.0.3", port, (request, response) => {
      reached.push(String(request.url))
      response.end()
    })
  )
  shop = await openTestCommerce({
    role: "api",
    media: { store: storage },
    outbound: {
      allowCidrs: ["127.0.0.2/32"],
      resolver: async (host) => {
        const answers = names[host] ?? []
        return (answers.length > 1 ? answers.shift() : answers[0]) ?? []
      }
    }
  })
})
afterAll(async () => {
  await shop.close()
  for (const close of closers) await close()
})
beforeEach(() => {
  names = { "images.test.example": [["127.0.0.2"]], "private.test.example": [["127.0.0.3"]] }
  serve = (_, response) => response.writeHead(200, { "content-type": "image/png" }).end(png(20, 10))
})

const address = (path = "/lamp%20a.png", host = "images.test.example") => `http://${host}:${port}${path}`
const ingest = (sourceUrl: string, texts = {}) => sendTo(shop)("/v1/media", formOf(undefined, { sourceUrl, ...texts }))
const refusal = async (sourceUrl: string) => {
  const before = storage.objects.size
  const { status, body } = await ingest(sourceUrl)
  expect([status, body.code, storage.objects.size]).toEqual([400, "VALIDATION_FAILED", before])
  return body.details.errors.sourceUrl ?? body.details.errors.file
}

describe("an image that is fetched", () => {
  it("is kept under the name that its address has, whether the body is a form or JSON", async () => {
    const made = await ingest(address(), { alt: "A lamp" })
    expect([made.status, made.body.name, made.body.alt, made.body.width]).toEqual([201, "lamp a.png", "A lamp", 20])
    expect(storage.objects.has(made.body.key)).toBe(true)
    const json = await shop.call("POST", "/v1/media", { body: { sourceUrl: address("/b.png"), name: "Own name" } })
    expect([json.status, json.body.name]).toEqual([201, "Own name"])
  })

  it("may lie behind five redirects, and not behind six", async () => {
    serve = ({ url = "" }, response) => {
      const left = Number(url.slice(1))
      if (left === 0) return response.writeHead(200, { "content-type": "image/png" }).end(png(3, 3))
      return response.writeHead(302, { location: `/${left - 1}` }).end()
    }
    expect((await ingest(address("/5"))).status).toBe(201)
    expect(await refusal(address("/6"))).toBe("redirects more than 5 times")
  })

  it("is refused where it cannot be had", async () => {
    serve = (_, response) => response.writeHead(404).end()
    expect(await refusal(address())).toBe("answers 404")
    serve = (_, response) => response.writeHead(302).end()
    expect(await refusal(address())).toBe("redirects to nowhere")
    serve = (request) => request.socket.destroy()
    expect(await refusal(address())).toContain("could not be fetched")
    expect(await refusal(address("/", "unknown.test.example"))).toContain("could not be fetched")
    serve = (_, response) => response.writeHead(200, { "content-type": "image/png" }).end(pngOfSize(10 * 1_048_576 + 1))
    expect(await refusal(address())).toContain("is larger than 10485760 bytes")
  })

  it("is judged like any other file", async () => {
    serve = (_, response) => response.writeHead(200, { "content-type": "image/png" }).end(jpeg(3, 3))
    expect(await refusal(address())).toBe("is declared as another type than it is (image/jpeg)")
    serve = (_, response) => response.writeHead(200, { "content-type": "image/svg+xml" }).end("<svg/>")
    expect(await refusal(address())).toBe("is not a JPEG, PNG, WebP or GIF image")
  })

  it("is never asked for at a private address: by name, by number, by redirect, by a name that changes its mind", async () => {
    serve = ({ url }, response) =>
      response
        .writeHead(302, {
          location: url === "/by-name" ? address("/s", "private.test.example") : `http://127.0.0.3:${port}/s`
        })
        .end()
    for (const url of [
      address("/", "private.test.example"),
      `http://127.0.0.3:${port}/`,
      `http://[::1]:${port}/`,
      "http://169.254.169.254/latest/meta-data/",
      "file:///etc/passwd",
      "ftp://images.test.example/a.png",
      address("/by-name"),
      address("/by-number")
    ])
      expect(await refusal(url)).not.toContain("127.0.0.3")
    names["rebinding.test.example"] = [["127.0.0.2"], ["127.0.0.3"]]
    serve = (_, response) => response.writeHead(302, { location: address("/again", "rebinding.test.example") }).end()
    await refusal(address("/", "rebinding.test.example"))
    expect(reached).toEqual([])
  })

  it("may be had twenty times in five minutes with one key, and files are not counted", async () => {
    const limited = await openTestCommerce({ role: "api", rateLimit: { perMinute: 1_000 } })
    try {
      const send = (key: string) =>
        sendTo(limited)("/v1/media", formOf(undefined, { sourceUrl: "http://127.0.0.1:1/a.png" }), { key })
      const statuses: Array<number> = []
      for (let i = 0; i < 20; i++) statuses.push((await send(limited.apiKey)).status)
      expect([...new Set(statuses)]).toEqual([400])
      const refused = await send(limited.apiKey)
      expect([refused.status, refused.body.code, refused.body.details.limit, refused.body.details.ttlMs]).toEqual([
        429,
        "RATE_LIMITED",
        20,
        300_000
      ])
      expect((await sendTo(limited)("/v1/media", formOf({ bytes: png(2, 2) }))).status).toBe(201)
      expect((await send(await limited.mintKey({ scopes: ["media:write"] }))).status).toBe(400)
    } finally {
      await limited.close()
    }
  })
})
