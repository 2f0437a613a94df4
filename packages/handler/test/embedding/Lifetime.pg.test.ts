/** An instance from its start to its end, as a host program sees it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createCommerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const asking = (path: string, init: RequestInit = {}) =>
  new Request(`http://commerce.test/api${path}`, { ...init, headers: { authorization: `Bearer ${shop.apiKey}`, "content-type": "application/json" } })
const creating = (name: string) => asking("/v1/products", { method: "POST", body: JSON.stringify({ name }) })

describe("an instance", () => {
  it("that is closed answers the requests under way first, and refuses what comes later in the envelope", async () => {
    const twin = await shop.openTwin()
    const underWay = Array.from({ length: 12 }, (_, i) => twin.fetch(creating(`Under way ${i}`)))
    const closed = twin.close()
    const late = await twin.fetch(creating("Too late"))
    expect((await Promise.all(underWay)).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 201))
    await closed
    for (const answer of [late, await twin.fetch(asking("/v1/store"))]) {
      expect([answer.status, answer.headers.get("retry-after"), answer.headers.get("connection")]).toEqual([503, "1", "close"])
      expect(await answer.json()).toMatchObject({ statusCode: 503, code: "SERVICE_TEMPORARILY_UNAVAILABLE", path: expect.stringMatching(/^\/api\/v1\//) })
      expect(answer.headers.get("x-request-id")).toMatch(/^req_/)
    }
    await twin.close()
    expect((await shop.call("GET", "/v1/products?search=under way")).body.meta.total).toBe(12)
    expect((await shop.call("GET", "/v1/products?search=too late")).body.meta.total).toBe(0)
  })

  it("reads a body once: one that was read already is refused, and a request given up on its way leaves the instance as it was", async () => {
    const used = creating("Used")
    await used.text()
    const answer = await shop.commerce.fetch(used)
    expect([answer.status, ((await answer.json()) as { readonly details: unknown }).details]).toEqual([400, { errors: { body: "could not be read" } }])
    for (const wait of [0, 1, 5]) {
      const leaving = new AbortController()
      const left = shop.commerce.fetch(asking("/v1/products?search=used", { signal: leaving.signal })).catch(() => undefined)
      setTimeout(() => leaving.abort(), wait)
      await left
    }
    expect((await shop.call("GET", "/v1/products?limit=1")).status).toBe(200)
  })

  it.each([
    ["a proxy that is no address", { trustedProxies: ["10.0.0.1", "garbage"] }, "trustedProxies: garbage is neither an address nor a CIDR range"],
    ["a range that is none", { trustedProxies: ["10.0.0.0/99"] }, "trustedProxies: 10.0.0.0/99 is neither"],
    ["a limit of nothing", { rateLimit: { perMinute: 0 } }, "rateLimit.perMinute must be a whole number from 1"],
    ["a limit that cannot be counted to", { rateLimit: { perHour: 3_000_000_000 } }, "rateLimit.perHour must be a whole number from 1 to 2147483647"],
    ["a limit that is no number", { rateLimit: { perHour: Number.NaN } }, "rateLimit.perHour must be a whole number from 1"]
  ])("does not start with %s", async (_what, options, message) => {
    const refused = createCommerce({ database: { connection: shop.database.connection }, secret: "a root secret of thirty-two bytes or more", ...options })
    await expect(refused).rejects.toThrow(`createCommerce: ${message}`)
  })
})
