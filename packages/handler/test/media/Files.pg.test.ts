import { createHash } from "node:crypto"
import { get, type IncomingMessage } from "node:http"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { gif, jpeg, png, pngOfSize, webp } from "@effect-commerce/core/testing/TestImages"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { listening } from "../edge/nodeServer.ts"
import { formOf, sendTo } from "./sendForm.ts"

const storage = memoryObjectStore()
let shop: TestCommerce
let other: TestStore
beforeAll(async () => {
  shop = await openTestCommerce({ media: { store: storage } })
  other = await shop.openStore()
})
afterAll(() => shop.close())

const upload = async (bytes: Uint8Array, type = "image/png", name = "lamp.png") =>
  (await sendTo(shop)("/v1/media", formOf({ bytes, type }, { name }))).body
const read = async (url: string, headers: Record<string, string> = {}, method = "GET") => {
  const response = await shop.commerce.fetch(new Request(url, { method, headers }))
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe("a file that is read", () => {
  it("is answered whole, as what it is, to be kept for a year", async () => {
    for (const [bytes, type] of [
      [jpeg(5, 4), "image/jpeg"],
      [png(5, 4), "image/png"],
      [webp(5, 4), "image/webp"],
      [gif(5, 4), "image/gif"]
    ] as const) {
      const { url } = await upload(bytes, type)
      const answer = await read(url)
      expect(answer.status).toBe(200)
      expect(answer.bytes).toEqual(bytes)
      const shown = [
        "content-type",
        "content-length",
        "cache-control",
        "etag",
        "accept-ranges",
        "x-content-type-options",
        "access-control-allow-origin",
        "cross-origin-resource-policy",
        "content-security-policy"
      ].map((name) => answer.headers.get(name))
      expect(shown).toEqual([
        type,
        String(bytes.length),
        "public, max-age=31536000, immutable",
        `"${createHash("sha256").update(bytes).digest("hex")}"`,
        "bytes",
        "nosniff",
        "*",
        "cross-origin",
        "default-src 'none'; sandbox"
      ])
    }
  })

  it("is shown in the page under its own name, whatever that holds", async () => {
    const named = async (name: string) =>
      (await read((await upload(png(2, 2), "image/png", name)).url)).headers.get("content-disposition")
    expect(await named("lamp.png")).toBe(`inline; filename="lamp.png"; filename*=UTF-8''lamp.png`)
    expect(await named(`a"b;c(灯).png`)).toBe(
      `inline; filename="a_b_c___.png"; filename*=UTF-8''a%22b%3Bc%28%E7%81%AF%29.png`
    )
  })

  it("is its thumbnail under the thumbnail's address", async () => {
    const { thumbnailUrl } = await upload(png(900, 900))
    const answer = await read(thumbnailUrl)
    expect([answer.status, answer.headers.get("content-type"), answer.bytes.subarray(8, 12).toString()]).toEqual([
      200,
      "image/webp",
      "WEBP"
    ])
  })

  it("is not sent again to whoever has it", async () => {
    const { url } = await upload(png(5, 5))
    const etag = (await read(url)).headers.get("etag") ?? ""
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const answer = await read(url, { "if-none-match": known })
      expect([answer.status, answer.bytes.length, answer.headers.get("etag")]).toEqual([304, 0, etag])
    }
    expect((await read(url, { "if-none-match": `"other"` })).status).toBe(200)
  })

  it("is answered in ranges", async () => {
    const bytes = pngOfSize(1_000)
    const { url } = await upload(bytes)
    const range = async (wanted: string, headers: Record<string, string> = {}) => {
      const answer = await read(url, { range: wanted, ...headers })
      return [
        answer.status,
        answer.headers.get("content-range"),
        answer.headers.get("content-length"),
        answer.bytes.toString("hex")
      ]
    }
    const part = (first: number, last: number) => [
      206,
      `bytes ${first}-${last}/1000`,
      String(last - first + 1),
      bytes.subarray(first, last + 1).toString("hex")
    ]
    const whole = [200, null, "1000", bytes.toString("hex")]
    expect(await range("bytes=0-0")).toEqual(part(0, 0))
    expect(await range("bytes=10-19")).toEqual(part(10, 19))
    expect(await range("bytes=990-")).toEqual(part(990, 999))
    expect(await range("bytes=990-5000")).toEqual(part(990, 999))
    expect(await range(`bytes=990-${"9".repeat(30)}`)).toEqual(part(990, 999))
    expect(await range("bytes=-10")).toEqual(part(990, 999))
    expect(await range(`bytes=-${"9".repeat(30)}`)).toEqual(part(0, 999))
    expect(await range("bytes=-5000")).toEqual(part(0, 999))
    for (const odd of ["bytes=5-4", "lines=1-2", "bytes=0-1,3-4", "bytes=-", "nonsense"])
      expect(await range(odd)).toEqual(whole)
    for (const beyond of ["bytes=1000-", "bytes=1000-1001", "bytes=-0", `bytes=${"9".repeat(30)}-`])
      expect(await range(beyond)).toEqual([416, "bytes */1000", null, ""])
    const etag = (await read(url)).headers.get("etag") ?? ""
    expect(await range("bytes=1-2", { "if-range": etag })).toEqual(part(1, 2))
    expect(await range("bytes=1-2", { "if-range": `"older"` })).toEqual(whole)
    expect(await range("bytes=1-2", { "if-range": new Date().toUTCString() })).toEqual(whole)
  })

  it("answers HEAD with what it would send", async () => {
    const { url, size } = await upload(png(6, 6))
    const answer = await read(url, {}, "HEAD")
    expect([
      answer.status,
      answer.headers.get("content-length"),
      answer.headers.get("content-type"),
      answer.bytes.length
    ]).toEqual([200, String(size), "image/png", 0])
  })

  it("is unknown under another name, in another store, and once it is deleted", async () => {
    const { id, url, key } = await upload(png(7, 8))
    const name = key.split("/")[1]
    for (const path of [
      `${other.storeId}/${name}`,
      `${shop.storeId}/${name.replace(".png", ".gif")}`,
      `${shop.storeId}/x.png`,
      `${shop.storeId}/..%2F${name}`,
      `store_x/${name}`
    ]) {
      const answer = await read(`http://commerce.test/api/media/${path}`)
      expect([path, answer.status]).toEqual([path, 404])
    }
    expect((await read(url)).status).toBe(200)
    await shop.call("DELETE", `/v1/media/${id}`)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 5_000 } })
    expect((await read(url)).status).toBe(404)
  })

  it("is unknown where its bytes are gone", async () => {
    const { url, key } = await upload(png(7, 9))
    await shop.run(storage.remove(key))
    expect((await read(url)).status).toBe(404)
  })

  it("costs no statement again within seconds, and no limit", async () => {
    const limited = await openTestCommerce({ rateLimit: { perMinute: 5 } })
    try {
      const { url } = (await sendTo(limited)("/v1/media", formOf({ bytes: png(3, 3) }))).body
      for (let i = 0; i < 20; i++)
        expect((await limited.commerce.fetch(new Request(url), { clientAddress: "127.0.0.1" })).status).toBe(200)
    } finally {
      await limited.close()
    }
  })
})

describe("over a socket", () => {
  it("a form is taken and a file is streamed, with an address that leads back to the server", async () => {
    const server = await listening(shop.commerce.node)
    try {
      const bytes = pngOfSize(3 * 1_048_576)
      const sent = await fetch(`${server.url}/api/v1/media`, {
        method: "POST",
        headers: { authorization: `Bearer ${shop.apiKey}` },
        body: formOf({ bytes })
      })
      const { url } = (await sent.json()) as { readonly url: string }
      expect([sent.status, url.startsWith(`${server.url}/api/media/`)]).toEqual([201, true])
      const answer = await fetch(url)
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
      // A reader who leaves in the middle takes nothing from the others.
      await new Promise<void>((left) => {
        get(url, (response: IncomingMessage) => {
          response.once("data", () => {
            response.destroy()
            left()
          })
        })
      })
      expect((await fetch(url, { headers: { range: "bytes=-4" } })).status).toBe(206)
    } finally {
      await server.close()
    }
  })
})
