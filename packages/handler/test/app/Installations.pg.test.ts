/** Installing, renewing and removing apps by an admin key. */
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { install, installedAs, product } from "./installed.ts"

let shop: TestCommerce
let other: TestStore
let sql: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  other = await shop.openStore()
  sql = new pg.Client(shop.database.nodePostgres)
  await sql.connect()
})
afterAll(async () => {
  await sql.end()
  await shop.close()
})

const rows = async (table: string, id: string) =>
  Number((await sql.query(`SELECT count(*) AS n FROM ${table} WHERE installation_id = $1`, [id])).rows[0]?.n)

describe("an app that is installed", () => {
  it("shows its token once, has the tier other and the scopes of its manifest", async () => {
    const body = { name: " Fulfilment connector ", scopes: ["mappings:*", "config:write", "mappings:*"] }
    const made = await shop.call("POST", "/v1/installations", { body })
    const { id, token, createdAt } = made.body
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^inst_[0-9a-z]{26}$/),
        installationId: id,
        storeId: shop.storeId,
        name: "Fulfilment connector",
        appId: "fulfilment-connector",
        tier: "other",
        scopes: ["mappings:*", "config:write"],
        token: expect.stringMatching(/^app_inst_[\w-]{43}$/),
        tokenPrefix: token.slice(0, 13),
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: createdAt
      }
    ])
    const { token: _token, installationId: _id, ...shown } = made.body
    const read = await shop.call("GET", `/v1/installations/${id}`)
    expect([read.status, read.body]).toEqual([200, shown])
    const list = await shop.call("GET", "/v1/installations")
    expect(list.body).toEqual({ data: [shown], meta: { page: 1, limit: 20, total: 1, totalPages: 1 } })
    expect(list.text + read.text).not.toContain(token)
    const stored = await sql.query("SELECT token_hash FROM app_token WHERE installation_id = $1", [id])
    expect(stored.rows[0]?.token_hash).toMatch(/^[0-9a-f]{64}$/)
  })

  it("is installed once in a store, whatever the capital letters, and again after it is removed", async () => {
    const body = { name: "Shipping hub", scopes: ["mappings:read"] }
    const first = await shop.call("POST", "/v1/installations", { body })
    for (const name of ["Shipping hub", "SHIPPING HUB", "shipping-hub"]) {
      const again = await shop.call("POST", "/v1/installations", { body: { ...body, name } })
      expect([again.status, again.body.code, again.body.details]).toEqual([409, "ALREADY_INSTALLED", { name }])
    }
    expect((await shop.call("POST", "/v1/installations", { key: other.apiKey, body })).status).toBe(201)
    expect((await shop.call("DELETE", `/v1/installations/${first.body.id}`)).body).toEqual({ success: true })
    const anew = await shop.call("POST", "/v1/installations", { body })
    expect([anew.status, anew.body.id === first.body.id]).toEqual([201, false])
  })

  it.each([
    [{ scopes: ["mappings:read"] }, ["name"]],
    [{ name: " ", scopes: ["mappings:read"] }, ["name"]],
    [{ name: "x".repeat(201), scopes: ["mappings:read"] }, ["name"]],
    [{ name: "A" }, ["scopes"]],
    [{ name: "A", scopes: [] }, ["scopes"]],
    [{ name: "A", scopes: ["mappings:read", "orders:read"] }, ["scopes.1"]],
    [{ name: "A", scopes: ["*"] }, ["scopes.0"]],
    [{ name: "A", scopes: ["*:read", "config:read", "mappings:delete"] }, ["scopes.0", "scopes.1", "scopes.2"]],
    [{ name: "A", scopes: ["mappings:read"], scope: "x" }, ["scope"]]
  ])("refuses the manifest %j by its field", async (body, fields) => {
    const before = (await shop.call("GET", "/v1/installations")).body.meta.total
    const { status, body: answer } = await shop.call("POST", "/v1/installations", { body })
    expect([status, answer.code, Object.keys(answer.details.errors)]).toEqual([400, "VALIDATION_FAILED", fields])
    expect((await shop.call("GET", "/v1/installations")).body.meta.total).toBe(before)
  })

  it("cannot be given another tier by a key", async () => {
    const body = { name: "Ambitious", scopes: ["mappings:read"], tier: "first-party" }
    const made = await shop.call("POST", "/v1/installations", { body })
    expect([made.status, made.body.tier]).toEqual([201, "other"])
  })

  it("is refused once the store has a hundred", async () => {
    const full = await shop.openStore()
    await sql.query("SELECT set_config('app.store_id', $1, false)", [full.storeId])
    await sql.query(
      `INSERT INTO app_installation (store_id, id, name, slug, tier, scopes, token_prefix, secrets_updated_at, created_at, updated_at)
        SELECT $1, 'inst_' || i, 'A' || i, 'a' || i, 'other', '{mappings:read}', '', now(), now(), now() FROM generate_series(1, 100) AS i`,
      [full.storeId]
    )
    const body = { name: "One more", scopes: ["mappings:read"] }
    const made = await shop.call("POST", "/v1/installations", { key: full.apiKey, body })
    expect([made.status, made.body.details.errors]).toEqual([
      400,
      { installations: "there are 100 installed apps, which is the most" }
    ])
  })

  it("is the same under one Idempotency-Key, and the token is stored sealed", async () => {
    const options = { body: { name: "Twice", scopes: ["mappings:read"] }, headers: { "idempotency-key": "install" } }
    const first = await shop.call("POST", "/v1/installations", options)
    const second = await shop.call("POST", "/v1/installations", options)
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
    const kept = await sql.query("SELECT idempotency::text AS text FROM idempotency WHERE store_id = $1", [
      shop.storeId
    ])
    expect(kept.rows.length).toBeGreaterThan(0)
    expect(kept.rows.map(({ text }) => text).join()).not.toContain(first.body.token)
  })
})

describe("a token", () => {
  it("ends at once when it is renewed, and the new one has the same rights", async () => {
    const app = await install(shop)
    expect((await app.call("GET", "/mappings")).status).toBe(200)
    const { updatedAt } = (await shop.call("GET", `/v1/installations/${app.id}`)).body
    const renewed = await shop.call("POST", `/v1/installations/${app.id}/token`)
    expect([renewed.status, renewed.body.id, renewed.body.installationId, renewed.body.scopes]).toEqual([
      200,
      app.id,
      app.id,
      ["mappings:read", "mappings:write", "config:write"]
    ])
    expect(renewed.body.updatedAt > updatedAt).toBe(true)
    expect([(await app.call("GET", "/mappings")).status, renewed.body.token === app.token]).toEqual([401, false])
    const now = installedAs(shop, renewed.body)
    expect((await now.call("GET", "/mappings")).status).toBe(200)
    expect((await shop.call("GET", `/v1/installations/${app.id}`)).body.tokenPrefix).toBe(now.token.slice(0, 13))
  })

  it("is renewed and removed only as it was read, where If-Match says so", async () => {
    const app = await install(shop)
    const { updatedAt } = (await shop.call("GET", `/v1/installations/${app.id}`)).body
    const path = `/v1/installations/${app.id}`
    const stale = { headers: { "if-match": '"2020-01-01T00:00:00.000Z"' } }
    expect((await shop.call("POST", `${path}/token`, stale)).body.code).toBe("CONFLICT")
    expect((await shop.call("DELETE", path, stale)).body.code).toBe("CONFLICT")
    expect((await app.call("GET", "/mappings")).status).toBe(200)
    expect((await shop.call("DELETE", path, { headers: { "if-match": `"${updatedAt}"` } })).status).toBe(200)
  })

  it("is ended in another process within five seconds", async () => {
    const twin = await shop.openTwin()
    const app = await install(shop)
    const there = async () => {
      const url = `http://commerce.test/api/v1/installations/${app.id}/mappings`
      const headers = { authorization: `Bearer ${app.token}` }
      return (await twin.fetch(new Request(url, { headers }), { clientAddress: "127.0.0.1" })).status
    }
    expect(await there()).toBe(200)
    await shop.call("POST", `/v1/installations/${app.id}/token`)
    await twin.fetch(
      new Request("http://commerce.test/api/test/clock", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ advanceMs: 5_000 })
      }),
      { clientAddress: "127.0.0.1" }
    )
    expect(await there()).toBe(401)
  })
})

describe("removing an app", () => {
  it("ends its token and secrets at once; the worker deletes the rest", async () => {
    const app = await install(shop)
    await app.call("PUT", "/secrets", { body: { secrets: { KEY: "v" } } })
    await app.call("POST", "/mappings", { body: product("p1") })
    await app.call("POST", "/inbound/orders", { raw: "{}" })
    expect((await shop.call("DELETE", `/v1/installations/${app.id}`)).body).toEqual({ success: true })
    expect((await app.call("GET", "/mappings")).body.code).toBe("UNAUTHORIZED")
    expect(await Promise.all(["app_token", "app_secret"].map((table) => rows(table, app.id)))).toEqual([0, 0])
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/mappings"],
      ["POST", "/token"],
      ["GET", "/inbound/orders"]
    ] as const) {
      const { status, body } = await app.call(method, path, { key: shop.apiKey })
      expect([method, path, status, body.code]).toEqual([method, path, 404, "RESOURCE_NOT_FOUND"])
    }
    const listed = (await shop.call("GET", "/v1/installations?limit=100")).body.data as ReadonlyArray<{ id: string }>
    expect(listed.some(({ id }) => id === app.id)).toBe(false)
  })

  it("is refused while a region lists it", async () => {
    const app = await install(shop)
    const region = await shop.call("POST", "/v1/regions", {
      body: { name: "Europe", currency: "EUR", countries: ["DE"], providerInstallationIds: [app.id] }
    })
    expect(region.status).toBe(201)
    const refused = await shop.call("DELETE", `/v1/installations/${app.id}`)
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      409,
      "CONFLICT",
      { reason: "installation_in_use", regionCount: 1 }
    ])
    expect((await app.call("GET", "/mappings")).status).toBe(200)
    await shop.call("PATCH", `/v1/regions/${region.body.id}`, { body: { providerInstallationIds: [] } })
    expect((await shop.call("DELETE", `/v1/installations/${app.id}`)).status).toBe(200)
  })
})

describe("what serves a region", () => {
  it("are payment providers with their type and apps with their name", async () => {
    const store = await shop.openStore()
    const call = (method: string, path: string, body?: object) =>
      shop.call(method, path, { key: store.apiKey, ...(body === undefined ? {} : { body }) })
    const app = await install(shop, { at: store, name: "Pay & Go" })
    const bank = (await call("POST", "/v1/payment-providers", { type: "manual", name: "Bank" })).body
    const region = (await call("POST", "/v1/regions", { name: "Home", currency: "USD", countries: ["US"] })).body
    const path = `/v1/regions/${region.id}/compatible-providers`
    const [asBank, asApp] = [
      { id: bank.id, appId: "manual", app: null },
      { id: app.id, appId: "pay-go", app: { id: "pay-go", name: "Pay & Go", slug: "pay-go" } }
    ]
    expect((await call("GET", path)).body).toEqual([asBank, asApp])
    await call("PATCH", `/v1/regions/${region.id}`, { providerInstallationIds: [app.id] })
    expect((await call("GET", path)).body).toEqual([asApp])
    const foreign = await call("PATCH", `/v1/regions/${region.id}`, {
      providerInstallationIds: [(await install(shop)).id]
    })
    expect([foreign.status, Object.keys(foreign.body.details.errors)]).toEqual([400, ["providerInstallationIds.0"]])
  })
})

describe("connectedPlatforms of a store", () => {
  it("are the platforms that its apps have mappings for, each once, in order", async () => {
    const store = await shop.openStore()
    const platforms = async () =>
      (await shop.call("GET", "/v1/store", { key: store.apiKey })).body.connectedPlatforms as ReadonlyArray<string>
    expect(await platforms()).toEqual([])
    const [one, two] = [await install(shop, { at: store }), await install(shop, { at: store })]
    expect(await platforms()).toEqual([])
    for (const platformCode of ["SHOPIFY", "EBAY", "SHOPIFY"]) {
      const body = product(`p${platformCode}`, { platformCode })
      await one.call("PUT", "/mappings/upsert", { body })
      await two.call("PUT", "/mappings/upsert", { body })
    }
    await two.call("POST", "/mappings", { body: product("p9", { platformCode: "AMAZON" }) })
    expect(await platforms()).toEqual(["AMAZON", "EBAY", "SHOPIFY"])
    const changed = await shop.call("PATCH", "/v1/store", { key: store.apiKey, body: { name: "Renamed" } })
    expect(changed.body.connectedPlatforms).toEqual(["AMAZON", "EBAY", "SHOPIFY"])
    await shop.call("DELETE", `/v1/installations/${two.id}`, { key: store.apiKey })
    expect(await platforms()).toEqual(["EBAY", "SHOPIFY"])
    expect((await shop.call("GET", "/v1/store")).body.connectedPlatforms).not.toContain("EBAY")
  })
})
