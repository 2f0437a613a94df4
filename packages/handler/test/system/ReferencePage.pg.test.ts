import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let commerce: TestCommerce
beforeAll(async () => {
  commerce = await openTestCommerce()
})
afterAll(() => commerce.close())

describe("the reference page", () => {
  it("is one page of HTML that carries its script and the document, and asks nobody else for anything", async () => {
    const page = await commerce.call("GET", "/docs")
    expect(page.status).toBe(200)
    expect(page.headers.get("content-type")).toBe("text/html")
    expect(page.headers.get("x-request-id")).toMatch(/^req_/)
    expect(page.text).toContain("<title>Commerce API</title>")
    expect(page.text).toContain("/api/vc/{salesChannelId}/products/slug/{slug}")
    expect(page.text).not.toMatch(/<script[^>]+src=/)
    expect(page.text.length).toBeGreaterThan(3_000_000)
  })

  it("answers other methods with 405", async () => {
    const posted = await commerce.call("POST", "/docs")
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"])
  })
})
