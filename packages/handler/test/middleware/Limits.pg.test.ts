import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let twin: Commerce
beforeAll(async () => {
  shop = await openTestCommerce({ rateLimit: {}, trustedProxies: ["198.51.100.0/24"] })
  twin = await shop.openTwin()
  // Ten seconds into a minute and an hour: no window turns while a test runs.
  await shop.call("POST", "/test/clock", { body: { now: "2030-01-01T00:00:10.000Z" } })
  await twin.fetch(
    new Request("http://commerce.test/api/test/clock", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ now: "2030-01-01T00:00:10.000Z" })
    })
  )
})
afterAll(() => shop.close())

const from = (clientAddress: string, options: { readonly key?: string | null } = {}) =>
  shop.call("GET", "/v1/store", { clientAddress, ...options })

describe("the limit of one address", () => {
  it("lets 60 requests of a minute pass and refuses the 61st, whichever of two instances gets them", async () => {
    const send = (commerce: Commerce) =>
      commerce.fetch(new Request("http://commerce.test/api/v1/store", { headers: { "x-api-key": shop.apiKey } }), {
        clientAddress: "203.0.113.1"
      })
    const statuses = (
      await Promise.all(Array.from({ length: 80 }, (_, i) => send(i % 2 === 0 ? shop.commerce : twin)))
    ).map((answer) => answer.status)
    expect(statuses.filter((status) => status === 200).length).toBe(60)
    expect(statuses.filter((status) => status === 429).length).toBe(20)
  })

  it("tells the windows in its headers and how long to wait in a refusal", async () => {
    const first = await from("203.0.113.2")
    expect(first.headers.get("x-ratelimit-limit")).toBe("60")
    expect(first.headers.get("x-ratelimit-remaining")).toBe("59")
    expect(Number(first.headers.get("x-ratelimit-reset"))).toBeLessThanOrEqual(50)
    expect(first.headers.get("x-ratelimit-limit-long")).toBe("1000")
    expect(first.headers.get("x-ratelimit-remaining-long")).toBe("999")
    for (let i = 0; i < 59; i++) await from("203.0.113.2")
    const refused = await from("203.0.113.2")
    expect([refused.status, refused.body.code]).toEqual([429, "RATE_LIMITED"])
    expect(refused.body.details).toMatchObject({ limit: 60, ttlMs: 60_000, scope: "ip" })
    expect(refused.headers.get("retry-after")).toBe(String(refused.body.details.retryAfterSeconds))
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0")
  })

  it("counts unknown paths and wrong methods like any other request, and health not at all", async () => {
    for (let i = 0; i < 30; i++) {
      await shop.call("GET", "/nowhere", { clientAddress: "203.0.113.3" })
      await shop.call("DELETE", "/v1/orders", { clientAddress: "203.0.113.3" })
      await shop.call("GET", "/health/live", { clientAddress: "203.0.113.3" })
    }
    expect((await shop.call("GET", "/nowhere", { clientAddress: "203.0.113.3" })).status).toBe(429)
    const health = await shop.call("GET", "/health/live", { clientAddress: "203.0.113.3" })
    expect(health.status).toBe(200)
    expect(health.headers.get("x-ratelimit-limit")).toBeNull()
    expect((await shop.call("GET", "/health/ready")).body).toEqual({ status: "ready", rateLimits: "shared" })
  })

  it("counts documents, and what cannot be read, like any other request", async () => {
    const clientAddress = "203.0.113.31"
    for (let i = 0; i < 20; i++) {
      for (const path of ["/openapi.json", "/v1/orders/%ff", "/v1/orders?status=%ff"])
        await shop.call("GET", path, { clientAddress })
    }
    for (const path of [
      "/openapi.json",
      "/docs",
      "/openapi.json;v=1",
      "//openapi.json",
      "/openapi.jso%6e",
      "/v1/orders/%ff"
    ]) {
      const refused = await shop.call("GET", path, { clientAddress })
      expect([path, refused.status, refused.body.code]).toEqual([path, 429, "RATE_LIMITED"])
    }
  })

  it("is that of a forwarded address, also where the proxy names a port with it", async () => {
    const behind = (forwarded: string) =>
      shop.call("GET", "/health-of-nothing", {
        clientAddress: "198.51.100.1",
        headers: { "x-forwarded-for": forwarded }
      })
    for (let port = 0; port < 30; port++)
      await Promise.all([behind(`203.0.113.77:${40_000 + port}`), behind(`[2001:db8::77]:${40_000 + port}`)])
    for (let i = 0; i < 30; i++) await Promise.all([behind("203.0.113.77"), behind("2001:db8::77")])
    expect([
      (await behind("203.0.113.77:1")).status,
      (await behind("[2001:db8::77]")).status,
      (await behind("203.0.113.78")).status
    ]).toEqual([429, 429, 404])
  })

  it("is that of a whole /64, whichever of its addresses ask, directly or through a proxy, and of no other", async () => {
    const ask = (clientAddress: string, headers = {}) =>
      shop.call("GET", "/health-of-nothing", { clientAddress, headers })
    for (let i = 0; i < 30; i++) {
      await ask(`2001:db8:64::${i.toString(16)}`)
      await ask("198.51.100.1", { "x-forwarded-for": `2001:0db8:0064:0:ffff::${i.toString(16)}` })
    }
    expect([(await ask("2001:db8:64::ffff")).status, (await ask("2001:db8:64:1::1")).status]).toEqual([429, 404])
  })

  it("on a route is that of a whole /64 too: guessing passwords from 200 addresses is guessing from one", async () => {
    const login = (i: number) =>
      shop.call("POST", `/vc/${shop.channelId}/customers/login`, {
        clientAddress: `2001:db8:65::${i.toString(16)}`,
        body: { email: "ada@example.com", password: `Wrong-${i}!` }
      })
    const statuses: Array<number> = []
    for (let i = 0; i < 10; i++) statuses.push((await login(i)).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429, 429])
  })

  it("tells a page of the channel's domain that it is refused, and when to come back", async () => {
    const ask = (origin: string, clientAddress = "203.0.113.32") =>
      shop.call("GET", `/vc/${shop.channelId}/categories`, { clientAddress, headers: { origin } })
    for (let i = 0; i < 60; i++) await ask("https://shop.example")
    const refused = await ask("https://shop.example")
    expect([refused.status, refused.headers.get("access-control-allow-origin"), refused.headers.get("vary")]).toEqual([
      429,
      "https://shop.example",
      "Origin"
    ])
    expect(refused.headers.get("access-control-expose-headers")).toContain("Retry-After")
    await shop.call("PATCH", `/v1/sales-channels/${shop.channelId}`, { body: { domain: "shop.example" } })
    const admitted = async (origin: string) => (await ask(origin)).headers.get("access-control-allow-origin")
    // Whoever is refused has no channel looked up: its new domain is known once somebody was let in.
    expect(await admitted("https://shop.example")).toBeNull()
    await ask("https://shop.example", "203.0.113.33")
    expect([await admitted("https://evil.example"), await admitted("https://shop.example")]).toEqual([
      null,
      "https://shop.example"
    ])
    await shop.call("PATCH", `/v1/sales-channels/${shop.channelId}`, { body: { domain: null } })
  })

  it("begins anew with the next minute, and refuses the 1001st request of an hour", async () => {
    const address = "203.0.113.4"
    let passed = 0
    for (let minute = 0; minute < 17; minute++) {
      for (let i = 0; i < 60; i++) if ((await from(address)).status === 200) passed += 1
      await shop.call("POST", "/test/clock", { body: { advanceMs: 60_000 } })
    }
    expect(passed).toBe(1_000)
    const refused = await from(address)
    expect(refused.body.details).toMatchObject({ limit: 1_000, ttlMs: 3_600_000 })
  })
})

describe("failed authentication", () => {
  it("is refused with 429 after 50 failures, a good key included, and not for requests without a credential", async () => {
    const relaxed = await openTestCommerce({ rateLimit: { perMinute: 10_000, perHour: 100_000 } })
    try {
      const bad = (key: string | null) => relaxed.call("GET", "/v1/store", { clientAddress: "203.0.113.9", key })
      for (let i = 0; i < 60; i++) expect((await bad(null)).status).toBe(401)
      for (let i = 0; i < 50; i++) expect((await bad(`svc_wrong${i}`)).status).toBe(401)
      expect((await bad("svc_wrong")).status).toBe(429)
      expect((await bad(relaxed.apiKey)).status).toBe(429)
      expect((await relaxed.call("GET", "/v1/store", { clientAddress: "203.0.113.10" })).status).toBe(200)
      await relaxed.call("POST", "/test/clock", { body: { advanceMs: 300_000 } })
      expect((await bad(relaxed.apiKey)).status).toBe(200)
    } finally {
      await relaxed.close()
    }
  })
})

describe("failed authentication from a /64", () => {
  it("is counted for the whole of it", async () => {
    const relaxed = await openTestCommerce({ rateLimit: { perMinute: 10_000, perHour: 100_000 } })
    try {
      const bad = (address: string, key: string) => relaxed.call("GET", "/v1/store", { clientAddress: address, key })
      for (let i = 0; i < 50; i++)
        expect((await bad(`2001:db8:66::${i.toString(16)}`, `svc_wrong${i}`)).status).toBe(401)
      expect((await bad("2001:db8:66::beef", relaxed.apiKey)).status).toBe(429)
      expect((await bad("2001:db8:67::beef", relaxed.apiKey)).status).toBe(200)
    } finally {
      await relaxed.close()
    }
  })
})

describe("the bucket of a key", () => {
  it("holds at its tier whatever the address, and the account's ceiling is five times the highest tier", async () => {
    const relaxed = await openTestCommerce({ rateLimit: { perMinute: "off" } })
    try {
      await relaxed.call("POST", "/test/clock", { body: { now: "2030-01-01T00:00:10.000Z" } })
      const free = await relaxed.mintKey({ scopes: ["store:read"], tier: "FREE" })
      const statuses: Array<number> = []
      for (let i = 0; i < 61; i++) statuses.push((await relaxed.call("GET", "/v1/store", { key: free })).status)
      expect(statuses.filter((status) => status === 200).length).toBe(60)
      const refused = await relaxed.call("GET", "/v1/store", { key: free })
      expect(refused.body.details).toMatchObject({ limit: 60, ttlMs: 60_000, scope: "key", tier: "FREE" })
    } finally {
      await relaxed.close()
    }
  })
})
