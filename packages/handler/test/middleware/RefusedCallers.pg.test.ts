/**
 * What a caller that is refused costs the database: one statement at most, and none while the same refusal is fresh.
 */
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

const noon = "2030-01-01T00:00:10.000Z"
const settings = { role: "api" as const, testClock: true }

/** A back end of its own, its statements counted from the moment it is warm. */
const open = async (options: Parameters<typeof openTestCommerce>[0]) => {
  const statements = makeStatementCounter()
  const shop = await openTestCommerce({ ...settings, ...options, statementLog: statements })
  await shop.call("POST", "/test/clock", { body: { now: noon } })
  await shop.call("GET", "/v1/store")
  await shop.call("GET", `/vc/${shop.channelId}/categories`)
  const costOf = async (call: () => Promise<{ readonly status: number }>) => {
    statements.reset()
    const { status } = await call()
    return [status, statements.statements().length]
  }
  return { shop, costOf }
}
type Opened = Awaited<ReturnType<typeof open>>

describe("a refused caller, where every limit is in force,", () => {
  let shop: TestCommerce
  let costOf: Opened["costOf"]
  beforeAll(async () => {
    ;({ shop, costOf } = await open({ rateLimit: { perMinute: 1_000, perHour: 10_000 } }))
  })
  afterAll(() => shop.close())
  const store = (clientAddress: string, key: string | null) => shop.call("GET", "/v1/store", { clientAddress, key })

  it("costs one statement for a key that is not valid, the first time and again", async () => {
    expect(await costOf(() => store("203.0.113.1", "svc_wrong"))).toEqual([401, 1])
    expect(await costOf(() => store("203.0.113.1", "svc_wrong"))).toEqual([401, 1])
    expect(await costOf(() => store("203.0.113.1", "svc_another"))).toEqual([401, 1])
    expect(await costOf(() => store("203.0.113.1", "app_inst_0123456789abcdef0123456789abcdef"))).toEqual([401, 1])
    expect(await costOf(() => store("203.0.113.1", null))).toEqual([401, 1])
    const two = { "x-api-key": "svc_other", authorization: `Bearer ${shop.apiKey}` }
    expect(await costOf(() => shop.call("GET", "/v1/store", { clientAddress: "203.0.113.1", headers: two }))).toEqual([
      401, 1
    ])
  })

  it("costs one statement for a key that has ended, one for a scope it has not, and for a token that is no good", async () => {
    const reader = await shop.mintKey({ scopes: ["tax:read"] })
    const at = { clientAddress: "203.0.113.2", key: reader }
    expect((await shop.call("GET", "/v1/tax/rates", at)).status).toBe(200)
    expect(await costOf(() => shop.call("GET", "/v1/orders", at))).toEqual([403, 1])
    const me = (token: string | null) => () =>
      shop.call("GET", `/vc/${shop.channelId}/customers/me`, { clientAddress: "203.0.113.2", key: token })
    expect(await costOf(me("not.a.token"))).toEqual([401, 1])
    expect(await costOf(me(null))).toEqual([401, 1])
  })

  it("costs one statement for a channel, an origin and a store that are not there, with the page's permission to read the answer", async () => {
    const origin = { origin: "https://shop.example" }
    const ask = (path: string) => () => shop.call("GET", path, { clientAddress: "203.0.113.3", headers: origin })
    expect(await costOf(ask("/vc/vc_none/categories"))).toEqual([404, 1])
    expect(await costOf(ask("/vc/vc_none/categories"))).toEqual([404, 1])
    expect(await costOf(ask(`/vc/vc_${"x".repeat(5_000)}/categories`))).toEqual([404, 1])
    expect(await costOf(ask("/stores/store_none/products"))).toEqual([404, 1])
    await shop.call("PATCH", `/v1/sales-channels/${shop.channelId}`, { body: { domain: "mine.example" } })
    await shop.call("GET", `/vc/${shop.channelId}/categories`, { headers: { origin: "https://mine.example" } })
    expect(await costOf(ask(`/vc/${shop.channelId}/categories`))).toEqual([401, 1])
    await shop.call("PATCH", `/v1/sales-channels/${shop.channelId}`, { body: { domain: null } })
  })

  it("costs nothing once a limit has refused it, whatever it presents, and passes in the next window", async () => {
    for (let i = 0; i < 50; i++) expect((await store("203.0.113.4", `svc_guess${i}`)).status).toBe(401)
    expect(await costOf(() => store("203.0.113.4", "svc_guess"))).toEqual([429, 1])
    expect(await costOf(() => store("203.0.113.4", "svc_guess"))).toEqual([429, 0])
    expect(await costOf(() => store("203.0.113.4", "svc_never_seen"))).toEqual([429, 0])
    expect(await costOf(() => store("203.0.113.4", shop.apiKey))).toEqual([429, 1])
    expect(await costOf(() => store("203.0.113.4", shop.apiKey))).toEqual([429, 0])
    await shop.call("POST", "/test/clock", { body: { advanceMs: 1_000 } })
    expect(await costOf(() => store("203.0.113.4", "svc_never_seen"))).toEqual([429, 1])
    await shop.call("POST", "/test/clock", { body: { advanceMs: 300_000 } })
    expect((await store("203.0.113.4", shop.apiKey)).status).toBe(200)
  })

  it("costs no statement more where a page asks for channels that are not there", async () => {
    const ask = (id: string) => () =>
      shop.call("GET", `/vc/vc_${id}/categories`, {
        clientAddress: "203.0.113.9",
        headers: { origin: "https://shop.example" }
      })
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => ask(`none${i % 20}`)()))
    expect(await costOf(ask("first"))).toEqual([429, 1])
    expect(await costOf(ask("second"))).toEqual([429, 0])
    expect(await costOf(ask("third"))).toEqual([429, 0])
  })

  it("is told the same whether the refusal is fresh or not", async () => {
    const free = await shop.mintKey({ scopes: ["store:read"], tier: "FREE" })
    for (let i = 0; i < 60; i++) expect((await store("203.0.113.5", free)).status).toBe(200)
    const first = await store("203.0.113.5", free)
    const second = await store("203.0.113.5", free)
    expect([first.status, second.status, second.body.details]).toEqual([429, 429, first.body.details])
    const windows = [
      "x-ratelimit-limit",
      "x-ratelimit-remaining",
      "x-ratelimit-reset",
      "x-ratelimit-remaining-long",
      "retry-after"
    ]
    expect(windows.map((name) => second.headers.get(name))).toEqual(windows.map((name) => first.headers.get(name)))
    expect(await costOf(() => store("203.0.113.5", free))).toEqual([429, 0])
    expect((await store("203.0.113.5", shop.apiKey)).status).toBe(200)
  })
})

describe("a caller, where no limit is in force,", () => {
  let shop: TestCommerce
  let costOf: Opened["costOf"]
  beforeAll(async () => {
    ;({ shop, costOf } = await open({ rateLimit: { perMinute: "off" } }))
  })
  afterAll(() => shop.close())

  it("costs nothing for limits, and nothing where the same refusal was answered within the last second", async () => {
    const channel = `/vc/${shop.channelId}`
    const { body: cart } = await shop.call("POST", `${channel}/cart`)
    expect(await costOf(() => shop.call("GET", `${channel}/cart/${cart.id}`))).toEqual([200, 1])
    expect(await costOf(() => shop.call("GET", "/vc/vc_gone/categories"))).toEqual([404, 1])
    expect(await costOf(() => shop.call("GET", "/vc/vc_gone/categories"))).toEqual([404, 0])
    expect(await costOf(() => shop.call("GET", "/v1/store", { key: "svc_wrong" }))).toEqual([401, 1])
    expect(await costOf(() => shop.call("GET", "/v1/store", { key: "svc_wrong" }))).toEqual([401, 0])
    await shop.call("POST", "/test/clock", { body: { advanceMs: 1_000 } })
    expect(await costOf(() => shop.call("GET", "/v1/store", { key: "svc_wrong" }))).toEqual([401, 1])
  })
})

describe("a shopper, where the windows of addresses are off and failed authentication is still limited,", () => {
  let shop: TestCommerce
  let twin: Commerce
  let costOf: Opened["costOf"]
  beforeAll(async () => {
    const statements = makeStatementCounter()
    shop = await openTestCommerce({
      role: "api",
      testClock: false,
      rateLimit: { perMinute: "off" },
      statementLog: statements
    })
    twin = await shop.openTwin()
    costOf = async (call) => {
      await call()
      statements.reset()
      const { status } = await call()
      return [status, statements.statements().length]
    }
  })
  afterAll(() => shop.close())

  it("costs nothing for limits; an admin's request one statement for its key's", async () => {
    const channel = `/vc/${shop.channelId}`
    const { body: cart } = await shop.call("POST", `${channel}/cart`)
    expect(await costOf(() => shop.call("GET", `${channel}/cart/${cart.id}`))).toEqual([200, 1])
    expect(await costOf(() => shop.call("GET", `${channel}/cart/${cart.id}`, { key: "not.a.token" }))).toEqual([200, 1])
    const origin = { origin: "https://a.example" }
    expect(await costOf(() => shop.call("GET", `/stores/${shop.storeId}/products`, { headers: origin }))).toEqual([
      200, 1
    ])
    expect(await costOf(() => shop.call("GET", "/nowhere"))).toEqual([404, 0])
    expect(await costOf(() => shop.call("GET", "/v1/products"))).toEqual([200, 3])
    expect(await costOf(() => shop.call("GET", `${channel}/customers/me`, { key: "not.a.token" }))).toEqual([401, 1])
  })

  it("has 50 failures in five minutes, exactly, over two processes, whatever was wrong", async () => {
    const address = { clientAddress: "198.51.100.50" }
    const at = (commerce: Commerce, path: string, key: string) =>
      commerce
        .fetch(new Request(`http://commerce.test/api${path}`, { headers: { authorization: `Bearer ${key}` } }), address)
        .then((answer) => answer.status)
    const paths = ["/v1/store", `/vc/${shop.channelId}/customers/me`]
    const statuses = await Promise.all(
      Array.from({ length: 80 }, (_, i) =>
        at(i % 3 === 0 ? twin : shop.commerce, paths[i % 2] ?? "", i % 5 === 0 ? "svc_same" : `svc_wrong${i}`)
      )
    )
    expect([
      statuses.filter((status) => status === 401).length,
      statuses.filter((status) => status === 429).length
    ]).toEqual([50, 30])
    for (const commerce of [shop.commerce, twin])
      for (const path of paths) expect(await at(commerce, path, shop.apiKey)).toBe(429)
  })
})
