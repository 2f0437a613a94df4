import { gunzipSync, brotliDecompressSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let commerce: TestCommerce
beforeAll(async () => {
  commerce = await openTestCommerce()
})
afterAll(() => commerce.close())

const fetched = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await commerce.commerce.fetch(new Request(`http://shop.test/api${path}`, { headers }))
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

describe("the reference page", () => {
  it("is one page of HTML without scripts, which asks nobody for anything and shows no vendor", async () => {
    const page = await commerce.call("GET", "/docs")
    expect(page.status).toBe(200)
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(page.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{24}$/)
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'unsafe-inline';/)
    expect(page.text).toContain("<title>Commerce API</title>")
    expect(page.text).toContain("/api/vc/{salesChannelId}/products/slug/{slug}")
    expect(page.text).not.toMatch(/<script|<img|<iframe|<link[^>]+href="(?!data:)|@import|url\(|@font-face/i)
    expect(page.text).not.toMatch(/scalar|swagger|redoc|powered by/i)
  })

  it("opens with the introduction, and shows the storefront before everything else", async () => {
    const { text } = await commerce.call("GET", "/docs")
    const at = (mark: string) => text.indexOf(mark)
    const parts = [
      "introduction",
      "errors",
      "storefront",
      "catalogue",
      "cart",
      "admin",
      "public",
      "dashboard",
      "schemas"
    ]
    const places = parts.map((part) => at(`id="${part}"`))
    expect(places.every((place) => place > 0)).toBe(true)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it("has every operation of the document, with a sample that can be sent", async () => {
    const { text } = await commerce.call("GET", "/docs")
    const { body } = await commerce.call("GET", "/openapi.json")
    const ids = Object.values<Record<string, { operationId: string }>>(body.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId)
    )
    expect(ids.length).toBeGreaterThan(180)
    expect(ids.filter((id) => !text.includes(`<article id="${id}">`))).toEqual([])
    expect(text.split(/<code>curl[^\n]*commerce\.example/).length - 1).toBe(ids.length)
    expect(text).not.toMatch(/<code>curl[^\n]*\{\w+\}/)
    const anchors = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const asked = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(asked.filter((id) => !anchors.has(id))).toEqual([])
  })

  it("shows how a file is sent: the parts of the form, and a line that sends it", async () => {
    const { text } = await commerce.call("GET", "/docs")
    for (const id of ["media.create", "uploads.customization", "uploads.reviewPhoto"]) {
      const [, article = ""] = text.split(`<article id="${id}">`)
      const [shown = ""] = article.split("</article>")
      expect(shown).toMatch(/Body as <code>multipart\/form-data<\/code>.*<td>.*file.*string/s)
      expect(shown).toContain("-F 'file=@lamp.jpg;type=image/jpeg'")
      expect(shown).not.toContain("Content-Type: application/json")
    }
  })

  it("answers other methods with 405", async () => {
    const posted = await commerce.call("POST", "/docs")
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"])
  })
})

describe.each(["/docs", "/openapi.json"])("%s", (path) => {
  it("is sent compressed to whoever takes that, and as it is to others", async () => {
    const plain = await fetched(path)
    const zipped = await fetched(path, { "accept-encoding": "gzip" })
    const br = await fetched(path, { "accept-encoding": "gzip, deflate, br" })
    const refusing = await fetched(path, { "accept-encoding": "gzip;q=0, br; q=0.0" })
    const encodings = [plain, zipped, br, refusing].map(({ answer }) => answer.headers.get("content-encoding"))
    expect(encodings).toEqual([null, "gzip", "br", null])
    expect(plain.answer.headers.get("vary")).toContain("Accept-Encoding")
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true)
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true)
    expect(refusing.bytes.equals(plain.bytes)).toBe(true)
    expect(br.bytes.length).toBeLessThan(plain.bytes.length / 5)
  })

  it("is not sent again to whoever has it", async () => {
    const first = await fetched(path)
    const etag = first.answer.headers.get("etag") ?? ""
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/)
    for (const known of [etag, etag.slice(2), `"other", ${etag}`]) {
      const { answer, bytes } = await fetched(path, { "if-none-match": known })
      expect([answer.status, bytes.length, answer.headers.get("etag")]).toEqual([304, 0, etag])
    }
    expect((await fetched(path, { "if-none-match": '"other"' })).answer.status).toBe(200)
  })
})

describe("making the document", () => {
  it("lets other requests through in between", async () => {
    const fresh = await openTestCommerce()
    try {
      let isMade = false
      const made = fresh.call("GET", "/openapi.json").then(() => {
        isMade = true
      })
      let between = 0
      while (!isMade) {
        await new Promise((resolve) => setImmediate(resolve))
        await fresh.call("GET", "/health/live")
        if (!isMade) between += 1
      }
      await made
      expect(between).toBeGreaterThan(10)
    } finally {
      await fresh.close()
    }
  })
})
