/** What an app token opens, and how much. */
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { Stores } from "@effect-commerce/core/store/Stores"
import type { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { type DeclaredRoute, routesOf } from "../../src/middleware/routesOf.ts"
import { type Called, openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { install, installByHand, type Installed } from "./installed.ts"

let shop: TestCommerce
let other: TestStore
let app: Installed
let sister: Installed
let foreign: Installed
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  other = await shop.openStore()
  app = await install(shop)
  sister = await install(shop)
  foreign = await install(shop, { at: other })
})
afterAll(() => shop.close())

const answer = ({ status, body }: Called) => [status, body?.code]
const below = routesOf(Api).filter(({ policy }) => policy.installation !== undefined)
const named = (routes: ReadonlyArray<DeclaredRoute>) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const)
const pathOf = ({ path }: DeclaredRoute, installationId: string) =>
  path
    .replace(/^\/api/, "")
    .replace(":installationId", installationId)
    .replace(/:\w+/g, "none_1")
const call = (route: DeclaredRoute, id: string, key: string | null, headers = {}) =>
  shop.call(route.method, pathOf(route, id), {
    key,
    headers,
    ...(route.method === "GET" || route.method === "DELETE" ? {} : { body: {} })
  })

describe("routes below an installation", () => {
  it("are ten, with the scopes that the interface names", () => {
    expect(
      below.map(({ method, path, policy }) => [method, path.split(":installationId")[1], policy.installation?.needs])
    ).toEqual([
      ["POST", "/token", undefined],
      ["PUT", "/secrets", "config:write"],
      ["GET", "/mappings", "mappings:read"],
      ["POST", "/mappings", "mappings:write"],
      ["PUT", "/mappings/upsert", "mappings:write"],
      ["GET", "/mappings/:mappingId", "mappings:read"],
      ["PATCH", "/mappings/:mappingId", "mappings:write"],
      ["DELETE", "/mappings/:mappingId", "mappings:write"],
      ["POST", "/inbound/:topic", "config:write"],
      ["GET", "/inbound/:topic", "config:write"]
    ])
  })

  it.each(named(below))("%s takes the installation's own token with the scope", async (_name, route) => {
    const needs = route.policy.installation?.needs
    for (const id of [sister.id, foreign.id, "inst_unknown"])
      expect(answer(await call(route, id, app.token))).toEqual([403, "INSUFFICIENT_PERMISSION"])
    const all = ["mappings:read", "mappings:write", "config:write"]
    const lacking = all.filter((scope) => scope !== needs)
    const without = await install(shop, { scopes: lacking })
    const refused = await call(route, without.id, without.token)
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      403,
      "INSUFFICIENT_SCOPE",
      { required: needs ?? "installations:write" }
    ])
    if (needs === undefined) return
    const narrow = await install(shop, { scopes: [needs] })
    expect([401, 403, 405, 500]).not.toContain((await call(route, narrow.id, narrow.token)).status)
    const { pathname } = new URL(pathOf(route, narrow.id), "http://x")
    const inHeader = await shop.call(route.method, pathname, {
      key: null,
      headers: { "x-api-key": narrow.token },
      ...(route.method === "GET" || route.method === "DELETE" ? {} : { body: {} })
    })
    expect([401, 403, 405, 500]).not.toContain(inHeader.status)
  })

  it.each(named(below))("%s takes no unknown token, no two credentials, and none", async (_name, route) => {
    const unauthorized = [401, "UNAUTHORIZED"]
    expect(answer(await call(route, app.id, null))).toEqual(unauthorized)
    for (const key of ["app_inst_", `app_inst_${"x".repeat(43)}`, app.token.slice(0, -1), `${app.token}x`])
      expect(answer(await call(route, app.id, key))).toEqual(unauthorized)
    for (const second of [shop.apiKey, sister.token])
      expect(answer(await call(route, app.id, app.token, { "x-api-key": second }))).toEqual(unauthorized)
    expect(answer(await call(route, app.id, shop.apiKey, { "x-api-key": app.token }))).toEqual(unauthorized)
  })

  it.each(named(below))(
    "%s takes an admin key, to which another store's installation is unknown",
    async (_n, route) => {
      const own = await install(shop)
      expect([401, 403, 405, 500]).not.toContain((await call(route, own.id, shop.apiKey)).status)
      const theirs = answer(await call(route, foreign.id, shop.apiKey))
      expect(theirs).toEqual(answer(await call(route, "inst_unknown", shop.apiKey)))
    }
  )

  it("take both headers with one and the same token", async () => {
    const { status } = await app.call("GET", "/mappings", { headers: { "x-api-key": app.token } })
    expect(status).toBe(200)
  })

  it("take no storeId but the app's own", async () => {
    expect((await app.call("GET", `/mappings?storeId=${shop.storeId}`)).status).toBe(200)
    expect(answer(await app.call("GET", `/mappings?storeId=${other.storeId}`))).toEqual([400, "STORE_ID_MISMATCH"])
  })

  it("need an account-wide key to name the store", async () => {
    const wide = await shop.mintKey({ scopes: ["installations:*"], storeId: null })
    expect(answer(await app.call("GET", "/mappings", { key: wide }))).toEqual([400, "STORE_ID_REQUIRED"])
    expect((await app.call("GET", `/mappings?storeId=${shop.storeId}`, { key: wide })).status).toBe(200)
  })
})

describe("an app token", () => {
  it("opens nothing else", async () => {
    const elsewhere = routesOf(Api).filter(
      ({ policy }) => policy.surface === "admin" && policy.installation === undefined
    )
    const opened: Array<string> = []
    for (const route of elsewhere) {
      const { status, body } = await call(route, app.id, app.token)
      if (status !== 401 || body.code !== "UNAUTHORIZED") opened.push(`${route.method} ${route.path}`)
    }
    expect([opened, elsewhere.length > 150]).toEqual([[], true])
  })

  it("with mappings:* reads and writes mappings", async () => {
    const both = await install(shop, { scopes: ["mappings:*"] })
    expect((await both.call("GET", "/mappings")).status).toBe(200)
    expect((await both.call("POST", "/mappings", { body: {} })).body.code).toBe("VALIDATION_FAILED")
    expect(answer(await both.call("PUT", "/secrets", { body: { secrets: {} } }))).toEqual([403, "INSUFFICIENT_SCOPE"])
  })

  it("is shut out of a suspended store, like everybody", async () => {
    const { storeId, apiKey } = other
    const suspend = (isSuspended: boolean) =>
      shop.run(
        Stores.use((stores) =>
          isSuspended ? stores.suspend(storeId) : stores.resume(storeId)
        ) as Effect.Effect<unknown>
      )
    await suspend(true)
    for (const key of [foreign.token, apiKey])
      expect(answer(await foreign.call("GET", "/mappings", { key }))).toEqual([403, "STORE_SUSPENDED"])
    expect(answer(await foreign.call("POST", "/inbound/orders", { raw: "{}" }))).toEqual([403, "STORE_SUSPENDED"])
    await suspend(false)
    expect((await foreign.call("GET", "/mappings")).status).toBe(200)
  })

  it("gets answers that no cache may store", async () => {
    const { headers } = await app.call("GET", "/mappings")
    expect(headers.get("cache-control")).toBe("no-store")
  })
})

describe("what an app token costs the database", () => {
  it("is the one statement of all limits on a warm process, and one where it is not valid", async () => {
    const statements = makeStatementCounter()
    const counted = await openTestCommerce({
      role: "api",
      rateLimit: { perMinute: 1_000, perHour: 10_000 },
      statementLog: statements
    })
    try {
      const one = await installByHand(counted, "first-party")
      await counted.call("POST", "/test/clock", { key: null, body: { advanceMs: 0 } })
      await one.call("GET", "/mappings")
      const costOf = async (key: string, path = "/mappings") => {
        statements.reset()
        const { status } = await one.call("GET", path, { key })
        return [status, statements.statements().length]
      }
      // Limits, the installation, the page and its count.
      expect(await costOf(one.token)).toEqual([200, 4])
      expect(await costOf(`app_inst_${"x".repeat(43)}`)).toEqual([401, 1])
      const reader = await install(counted, { scopes: ["config:write"] })
      await reader.call("GET", "/mappings")
      statements.reset()
      expect([(await reader.call("GET", "/mappings")).status, statements.statements().length]).toEqual([403, 1])
    } finally {
      await counted.close()
    }
  })
})

describe("the limits of an app", () => {
  let limited: TestCommerce
  beforeAll(async () => {
    limited = await openTestCommerce({ role: "api", rateLimit: { perMinute: 1_000_000, perHour: 10_000_000 } })
  })
  afterAll(() => limited.close())

  /** A request in the first second of a minute; then as if `most` had been counted in it, but for one. */
  const nearlyFull = async (bucket: string, most: number, send: () => Promise<Called>) => {
    minutes += 1
    const now = new Date(Date.UTC(2030, 0, 1, 0, minutes)).toISOString()
    await limited.call("POST", "/test/clock", { key: null, body: { now } })
    expect((await send()).status).toBeLessThan(300)
    const owner = new pg.Client(limited.database.nodePostgres)
    await owner.connect()
    const counted = await owner.query("UPDATE rate_window SET count = $2 WHERE bucket = $1", [bucket, most - 1])
    await owner.end()
    expect(counted.rowCount).toBe(1)
  }
  let minutes = 0

  it("are 100 requests a minute, 500 for connectors and 1000 for first-party apps; events are counted apart", async () => {
    for (const [tier, most] of [
      ["other", 100],
      ["connector", 500],
      ["first-party", 1_000]
    ] as const) {
      const one = await installByHand(limited, tier)
      const read = () => one.call("GET", "/mappings")
      await nearlyFull(`app:${one.id}`, most, read)
      expect((await read()).status).toBe(200)
      const { status, body, headers } = await read()
      expect([status, body.code, body.details]).toEqual([
        429,
        "RATE_LIMITED",
        { limit: most, ttlMs: 60_000, scope: "installation", tier, retryAfterSeconds: expect.any(Number) }
      ])
      expect(headers.get("retry-after")).toBe(String(body.details.retryAfterSeconds))
      expect((await one.call("POST", "/inbound/orders", { raw: "{}" })).status).toBe(202)
      expect((await one.call("GET", "/inbound/orders")).status).toBe(429)
    }
    const another = await install(limited)
    expect((await another.call("GET", "/mappings")).status).toBe(200)
  })

  it("are 30,000 events a minute for what it receives", async () => {
    const one = await install(limited)
    const send = () => one.call("POST", "/inbound/orders", { raw: "{}" })
    await nearlyFull(`inbound:${one.id}`, 30_000, send)
    expect((await send()).status).toBe(202)
    const { status, body } = await send()
    expect([status, body.details]).toEqual([
      429,
      { limit: 30_000, ttlMs: 60_000, scope: "installation", retryAfterSeconds: expect.any(Number) }
    ])
  })

  it("are beside those of an address", async () => {
    const narrow = await openTestCommerce({ role: "api", rateLimit: { perMinute: 3, perHour: 1_000 } })
    try {
      const one = await install(narrow)
      const statuses: Array<number> = []
      for (let i = 0; i < 3; i++) statuses.push((await one.call("POST", "/inbound/orders", { raw: "{}" })).status)
      expect(statuses).toEqual([202, 202, 429])
    } finally {
      await narrow.close()
    }
  })

  it("count a token that is not valid as a failed authentication", async () => {
    const guess = (i: number) =>
      limited.call("GET", "/v1/installations/inst_1/mappings", {
        key: `app_inst_${String(i).padStart(43, "x")}`,
        clientAddress: "203.0.113.9"
      })
    const statuses = (await Promise.all(Array.from({ length: 50 }, (_, i) => guess(i)))).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([401]))
    const one = await install(limited)
    const good = await one.call("GET", "/mappings", { clientAddress: "203.0.113.9" })
    expect([good.status, good.body.details.scope]).toEqual([429, "auth"])
  })
})
