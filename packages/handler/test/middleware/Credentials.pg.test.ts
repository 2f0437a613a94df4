import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let other: TestStore
beforeAll(async () => {
  shop = await openTestCommerce()
  other = await shop.openStore()
})
afterAll(() => shop.close())

const answer = async (promise: ReturnType<TestCommerce["call"]>) => {
  const { status, body } = await promise
  return [status, body?.code]
}

describe("an admin key", () => {
  it("is taken from either header and refused when two differ", async () => {
    expect((await shop.call("GET", "/v1/store", { key: null, headers: { "x-api-key": shop.apiKey } })).status).toBe(200)
    expect((await shop.call("GET", "/v1/store")).status).toBe(200)
    expect(await answer(shop.call("GET", "/v1/store", { headers: { "x-api-key": other.apiKey } }))).toEqual([
      401,
      "UNAUTHORIZED"
    ])
  })

  it("is refused when unknown, malformed, of another kind, or absent", async () => {
    for (const key of ["svc_unknown", "app_inst_0123456789abcdef0123456789abcdef", "", "Bearer", null]) {
      expect(await answer(shop.call("GET", "/v1/store", { key }))).toEqual([401, "UNAUTHORIZED"])
    }
  })

  it("needs the scope of the route: a miss is 403, *:read matches nothing, resource:* both", async () => {
    const reader = await shop.mintKey({ scopes: ["tax:read"] })
    const both = await shop.mintKey({ scopes: ["tax:*"] })
    const body = { name: "scoped", country: "US", rate: 1 }
    expect((await shop.call("GET", "/v1/tax/rates", { key: reader })).status).toBe(200)
    const refused = await shop.call("POST", "/v1/tax/rates", { key: reader, body })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      403,
      "INSUFFICIENT_SCOPE",
      { required: "tax:write" }
    ])
    expect((await shop.call("POST", "/v1/tax/rates", { key: both, body })).status).toBe(201)
    expect(await answer(shop.call("GET", "/v1/orders", { key: both }))).toEqual([403, "INSUFFICIENT_SCOPE"])
  })

  it("bound to a store may name it and no other", async () => {
    expect((await shop.call("GET", `/v1/store?storeId=${shop.storeId}`)).status).toBe(200)
    expect(await answer(shop.call("GET", `/v1/store?storeId=${other.storeId}`))).toEqual([400, "STORE_ID_MISMATCH"])
    expect(
      await answer(
        shop.call("POST", "/v1/tax/rates", { body: { storeId: other.storeId, name: "x", country: "US", rate: 1 } })
      )
    ).toEqual([400, "STORE_ID_MISMATCH"])
  })

  it("for a whole account must name a store of that account", async () => {
    const wide = await shop.mintKey({ scopes: ["store:read"], storeId: null })
    const sister = await shop.openStore({ accountId: shop.accountId })
    expect(await answer(shop.call("GET", "/v1/store", { key: wide }))).toEqual([400, "STORE_ID_REQUIRED"])
    expect((await shop.call("GET", `/v1/store?storeId=${sister.storeId}`, { key: wide })).body.id).toBe(sister.storeId)
    const taxes = await shop.mintKey({ scopes: ["tax:write"], storeId: null })
    const two = { storeId: sister.storeId, name: "Two", country: "US", rate: 1 }
    expect(await answer(shop.call("POST", `/v1/tax/rates?storeId=${shop.storeId}`, { key: taxes, body: two }))).toEqual(
      [400, "STORE_ID_MISMATCH"]
    )
    expect(await answer(shop.call("GET", `/v1/store?storeId=${other.storeId}`, { key: wide }))).toEqual([
      404,
      "RESOURCE_NOT_FOUND"
    ])
    expect(await answer(shop.call("GET", "/v1/store?storeId=store_unknown", { key: wide }))).toEqual([
      404,
      "RESOURCE_NOT_FOUND"
    ])
  })

  it("mints only what it holds, never the wildcard, shows the key once, and rotates without a gap", async () => {
    const minter = await shop.mintKey({ scopes: ["api-keys:*", "tax:read"] })
    expect(
      await answer(shop.call("POST", "/v1/api-keys", { key: minter, body: { name: "n", scopes: ["*"] } }))
    ).toEqual([400, "VALIDATION_FAILED"])
    expect(
      await answer(shop.call("POST", "/v1/api-keys", { key: minter, body: { name: "n", scopes: ["*:read"] } }))
    ).toEqual([400, "VALIDATION_FAILED"])
    expect(
      await answer(shop.call("POST", "/v1/api-keys", { key: minter, body: { name: "n", scopes: ["tax:write"] } }))
    ).toEqual([403, "INSUFFICIENT_SCOPE"])
    const made = await shop.call("POST", "/v1/api-keys", { key: minter, body: { name: "n", scopes: ["tax:read"] } })
    expect(made.status).toBe(201)
    expect(made.body.key).toMatch(/^svc_[\w-]{43}$/)
    expect(made.body.keyPrefix).toBe(made.body.key.slice(0, 12))
    expect((await shop.call("GET", "/v1/api-keys")).text).not.toContain(made.body.key)
    const kept = await shop.call("POST", `/v1/api-keys/${made.body.id}/rotate`, { body: {} })
    expect((await shop.call("GET", "/v1/tax/rates", { key: made.body.key })).status).toBe(200)
    expect((await shop.call("GET", "/v1/tax/rates", { key: kept.body.key })).status).toBe(200)
    const ended = await shop.call("POST", `/v1/api-keys/${kept.body.id}/rotate`, { body: { overlapHours: 0 } })
    expect(await answer(shop.call("GET", "/v1/tax/rates", { key: kept.body.key }))).toEqual([401, "UNAUTHORIZED"])
    expect(await answer(shop.call("POST", `/v1/api-keys/${kept.body.id}/rotate`, { body: {} }))).toEqual([
      404,
      "RESOURCE_NOT_FOUND"
    ])
    await shop.call("DELETE", `/v1/api-keys/${ended.body.id}`)
    expect(await answer(shop.call("GET", "/v1/tax/rates", { key: ended.body.key }))).toEqual([401, "UNAUTHORIZED"])
    expect(await answer(shop.call("DELETE", `/v1/api-keys/${ended.body.id}`))).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  it("rotates only what it holds: the answer would hand it rights that nobody gave it", async () => {
    const minter = await shop.mintKey({ scopes: ["api-keys:*", "tax:read"] })
    const { id, key } = (await shop.call("POST", "/v1/api-keys", { body: { name: "strong", scopes: ["tax:*"] } })).body
    const refused = await shop.call("POST", `/v1/api-keys/${id}/rotate`, { key: minter, body: { overlapHours: 0 } })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      403,
      "INSUFFICIENT_SCOPE",
      { required: "tax:*" }
    ])
    expect((await shop.call("GET", "/v1/tax/rates", { key })).status).toBe(200)
    const { data } = (await shop.call("GET", "/v1/api-keys?limit=100")).body
    expect(data.filter((one: { readonly name: string }) => one.name === "strong")).toHaveLength(1)
    const holder = await shop.mintKey({ scopes: ["api-keys:write", "tax:read", "tax:write"] })
    expect((await shop.call("POST", `/v1/api-keys/${id}/rotate`, { key: holder })).status).toBe(200)
  })

  it("that is missing or wrong is 401 with the way to say who one is", async () => {
    for (const key of [null, "svc_wrong"]) {
      const { status, headers } = await shop.call("GET", "/v1/store", { key })
      expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"])
    }
  })

  it("answers what no cache on the way may keep; what every shopper sees may be kept", async () => {
    const at = `/vc/${shop.channelId}`
    const kept = async (call: ReturnType<TestCommerce["call"]>) => (await call).headers.get("cache-control")
    expect([
      await kept(shop.call("GET", "/v1/store")),
      await kept(shop.call("GET", "/v1/store", { key: null }))
    ]).toEqual(["no-store", "no-store"])
    expect([
      await kept(shop.call("POST", `${at}/cart`)),
      await kept(shop.call("POST", `${at}/customers/login`, { body: {} }))
    ]).toEqual(["no-store", "no-store"])
    expect([
      await kept(shop.call("GET", `${at}/products`)),
      await kept(shop.call("GET", `${at}/products`, { key: "a.b.c" }))
    ]).toEqual(["public, max-age=0, must-revalidate", "no-store"])
  })

  it("ends at its time", async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    for (const expiresAt of ["2030-02-30T00:00:00Z", "soon", new Date(0).toISOString()]) {
      const body = { name: "never", scopes: ["tax:read"], expiresAt }
      expect(await answer(shop.call("POST", "/v1/api-keys", { body }))).toEqual([400, "VALIDATION_FAILED"])
    }
    const made = await shop.call("POST", "/v1/api-keys", {
      body: { name: "short", scopes: ["tax:read"], expiresAt: soon }
    })
    expect((await shop.call("GET", "/v1/tax/rates", { key: made.body.key })).status).toBe(200)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 3_600_001 } })
    expect(await answer(shop.call("GET", "/v1/tax/rates", { key: made.body.key }))).toEqual([401, "UNAUTHORIZED"])
  })
})

describe("a sales channel", () => {
  const cart = (channelId: string, origin?: string) =>
    shop.call("POST", `/vc/${channelId}/cart`, origin === undefined ? {} : { headers: { origin } })

  it("in test mode without a domain takes any origin and none, and an unknown one is 404", async () => {
    expect((await cart(shop.channelId)).status).toBe(201)
    const named = await cart(shop.channelId, "https://anywhere.example")
    expect(named.status).toBe(201)
    expect(named.headers.get("access-control-allow-origin")).toBe("https://anywhere.example")
    expect(await answer(cart("vc_unknown"))).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  it("with a domain takes that host and its subdomains only", async () => {
    const made = await shop.call("POST", "/v1/sales-channels", {
      body: { name: "live", domain: "Shop.Example", mode: "live" }
    })
    const { id } = made.body
    expect(made.body.domain).toBe("shop.example")
    expect((await cart(id, "https://shop.example")).status).toBe(201)
    expect((await cart(id, "https://www.shop.example:8443")).status).toBe(201)
    for (const origin of [
      undefined,
      "https://evilshop.example",
      "https://shop.example.evil.test",
      "null",
      "ftp://shop.example"
    ]) {
      expect(await answer(cart(id, origin))).toEqual([401, "UNAUTHORIZED"])
    }
  })

  it("answers a preflight from its own domain and gives another origin nothing", async () => {
    const { body } = await shop.call("POST", "/v1/sales-channels", {
      body: { name: "cors", domain: "cors.example", mode: "live" }
    })
    const preflight = (origin: string) =>
      shop.call("OPTIONS", `/vc/${body.id}/cart`, { headers: { origin, "access-control-request-method": "POST" } })
    const good = await preflight("https://cors.example")
    expect([good.status, good.headers.get("access-control-allow-origin")]).toEqual([204, "https://cors.example"])
    expect(good.headers.get("access-control-allow-headers")).toContain("Idempotency-Key")
    expect((await preflight("https://evil.example")).headers.get("access-control-allow-origin")).toBeNull()
  })

  it("lets pages of its domain read that there is no such route, or no such method", async () => {
    const { body } = await shop.call("POST", "/v1/sales-channels", {
      body: { name: "read", domain: "read.example", mode: "live" }
    })
    const seen = async (method: string, path: string, origin: string) => {
      const { status, headers } = await shop.call(method, `/vc/${body.id}/${path}`, { headers: { origin } })
      return [status, headers.get("access-control-allow-origin")]
    }
    expect(await seen("GET", "nowhere", "https://read.example")).toEqual([404, "https://read.example"])
    expect(await seen("PUT", "categories", "https://read.example")).toEqual([405, "https://read.example"])
    expect(await seen("GET", "nowhere", "https://evil.example")).toEqual([404, null])
  })

  it("refuses what it has switched off with 403", async () => {
    const { body } = await shop.call("POST", "/v1/sales-channels", { body: { name: "off", scopes: { cart: false } } })
    expect(await answer(cart(body.id))).toEqual([403, "INSUFFICIENT_PERMISSION"])
  })
})
