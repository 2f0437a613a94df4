/** What browsers ask before they ask: counted like any request, and cheap. */
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

const statements = makeStatementCounter()
let limited: TestCommerce
let open: TestCommerce
beforeAll(async () => {
  limited = await openTestCommerce({
    rateLimit: { perMinute: 5, perHour: 1_000 },
    role: "api",
    statementLog: statements
  })
  open = await openTestCommerce({ rateLimit: { perMinute: "off" }, role: "api", statementLog: statements })
})
afterAll(async () => {
  await limited.close()
  await open.close()
})
beforeEach(async () => {
  // Twenty seconds into a minute of its own: no window turns while a test runs.
  const now = `2031-01-0${1 + (turn++ % 9)}T00:00:20.000Z`
  await limited.call("POST", "/test/clock", { body: { now }, clientAddress: "198.51.100.9" })
  await open.call("POST", "/test/clock", { body: { now } })
  statements.reset()
})
let turn = 0

const origin = "https://shop.example"
const preflight = (shop: TestCommerce, path: string, clientAddress = "203.0.113.1", from = origin) =>
  shop.call("OPTIONS", path, { headers: { origin: from, "access-control-request-method": "POST" }, clientAddress })

describe("a preflight", () => {
  it("counts in the windows of its address, tells them, and is refused in a form that its page can read", async () => {
    const path = `/vc/${limited.channelId}/cart`
    for (let left = 4; left >= 0; left--) {
      const passed = await preflight(limited, path)
      expect([
        passed.status,
        passed.headers.get("access-control-allow-origin"),
        passed.headers.get("x-ratelimit-remaining")
      ]).toEqual([204, origin, String(left)])
    }
    const refused = await preflight(limited, path)
    expect([refused.status, refused.body.code, refused.headers.get("access-control-allow-origin")]).toEqual([
      429,
      "RATE_LIMITED",
      origin
    ])
    expect(refused.headers.get("access-control-expose-headers")).toContain("Retry-After")
    expect(
      (await limited.call("GET", `/vc/${limited.channelId}/categories`, { clientAddress: "203.0.113.1" })).status
    ).toBe(429)
    expect((await preflight(limited, path, "203.0.113.2")).status).toBe(204)
  })

  it("costs the one statement of the limits once its channel is known, and none where nothing is limited", async () => {
    const costOf = async (shop: TestCommerce, path: string, from?: string) => {
      await preflight(shop, path, "203.0.113.3")
      statements.reset()
      const { status } = await preflight(shop, path, "203.0.113.3", from)
      return [status, statements.statements().length]
    }
    expect(await costOf(limited, `/vc/${limited.channelId}/cart`)).toEqual([204, 1])
    expect(await costOf(limited, "/vc/vc_of_nobody/cart")).toEqual([204, 1])
    expect(await costOf(open, `/vc/${open.channelId}/cart`)).toEqual([204, 0])
    expect(await costOf(open, "/vc/vc_of_nobody/cart")).toEqual([204, 0])
    expect(await costOf(open, "/stores/store_of_nobody/products")).toEqual([204, 0])
  })

  it("for a channel that is not there asks the database once a second, and not at all for what can be no id", async () => {
    for (let i = 0; i < 5; i++) await preflight(open, "/vc/vc_that_may_come/cart")
    expect(statements.statements().length).toBe(1)
    await open.call("POST", "/test/clock", { body: { advanceMs: 1_000 } })
    await preflight(open, "/vc/vc_that_may_come/cart")
    expect(statements.statements().length).toBe(2)
    const answers = await Promise.all(
      [100, 101, 5_000].map(async (length) => (await preflight(open, `/vc/${"x".repeat(length)}/cart`)).status)
    )
    expect([answers, statements.statements().length]).toEqual([[204, 204, 204], 3])
  })

  it("of a page of another domain, of no channel and of a path that is none is told nothing", async () => {
    await open.call("PATCH", `/v1/sales-channels/${open.channelId}`, { body: { domain: "shop.example" } })
    const allowed = async (path: string, from = origin) => {
      const { status, headers } = await preflight(open, path, "203.0.113.4", from)
      return [status, headers.get("access-control-allow-origin"), headers.get("access-control-allow-methods")]
    }
    const methods = "GET, POST, PUT, PATCH, DELETE"
    expect(await allowed(`/vc/${open.channelId}/cart`)).toEqual([204, origin, methods])
    expect(await allowed(`/vc/${open.channelId}/cart`, "https://evil.example")).toEqual([204, null, null])
    expect(await allowed("/vc/vc_of_nobody/cart")).toEqual([204, null, null])
    expect(await allowed("/v1/products")).toEqual([204, null, null])
    expect(await allowed(`/vc/${open.channelId};x/cart`)).toEqual([404, null, null])
    expect(await allowed(`/vc/%00/cart`)).toEqual([400, null, null])
  })

  it("and whoever follows it: an Origin of more than 200 characters is no page, and is not said again", async () => {
    const from = (length: number) => `https://${"a".repeat(length - "https://".length)}`
    const other = await open.openStore()
    const told = async (method: string, path: string, length: number) => {
      const headers = { origin: from(length), "access-control-request-method": "POST" }
      const answer = await open.call(method, path, { headers, key: null })
      return [
        answer.status,
        answer.headers.get("access-control-allow-origin") === from(length),
        [...answer.headers.values()].every((value) => value.length <= 300)
      ]
    }
    const cart = `/vc/${other.channelId}/cart`
    expect([await told("OPTIONS", cart, 200), await told("POST", cart, 200), await told("GET", cart, 200)]).toEqual([
      [204, true, true],
      [201, true, true],
      [405, true, true]
    ])
    expect([await told("OPTIONS", cart, 201), await told("POST", cart, 201), await told("GET", cart, 201)]).toEqual([
      [405, false, true],
      [201, false, true],
      [405, false, true]
    ])
    expect(await told("OPTIONS", `/stores/${other.storeId}/products`, 5_000)).toEqual([405, false, true])
  })
})
