/** Mappings: created, upserted, changed, listed and unlinked by an app. */
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { install, installByHand, type Installed, product } from "./installed.ts"

let shop: TestCommerce
let app: Installed
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  app = await installByHand(shop, "first-party")
})
afterAll(() => shop.close())

const total = async (of = app) => (await of.call("GET", "/mappings")).body.meta.total as number

describe("a mapping that is created", () => {
  it("has every field, with what it was sent and the defaults", async () => {
    const made = await app.call("POST", "/mappings", { body: product("prod_1") })
    const { id, createdAt } = made.body
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^map_[0-9a-z]{26}$/),
        storeId: shop.storeId,
        installationId: app.id,
        resourceType: "product",
        internalId: "prod_1",
        externalId: "ext-prod_1",
        externalUrl: null,
        platformCode: "SHOPIFY",
        syncStatus: "synced",
        lastSyncedAt: null,
        lastSyncError: null,
        metadata: {},
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: createdAt
      }
    ])
    expect((await app.call("GET", `/mappings/${id}`)).body).toEqual(made.body)
  })

  it("may be of what the store does not have, with metadata as it is sent", async () => {
    const metadata = { b: [1, { x: null }], a: "ä\u{1f600}", "": true }
    const body = product("prod_that_never_was", {
      resourceType: "tag",
      externalUrl: "https://platform.example/p/1",
      syncStatus: "pending",
      metadata
    })
    const made = await app.call("POST", "/mappings", { body })
    expect([made.status, made.body]).toEqual([201, { ...made.body, ...body }])
  })

  it("has a key of its own: another of the same kind, id and platform is 409 and names the first", async () => {
    const first = await app.call("POST", "/mappings", { body: product("prod_2") })
    const before = await total()
    const again = await app.call("POST", "/mappings", { body: product("prod_2", { externalId: "elsewhere" }) })
    expect([again.status, again.body.code, again.body.details]).toEqual([
      409,
      "CONFLICT",
      { mappingId: first.body.id, resourceType: "product", internalId: "prod_2", platformCode: "SHOPIFY" }
    ])
    expect(await total()).toBe(before)
    for (const more of [{ resourceType: "variant" }, { platformCode: "EBAY" }, { internalId: "prod_2b" }])
      expect((await app.call("POST", "/mappings", { body: product("prod_2", more) })).status).toBe(201)
    const another = await install(shop)
    expect((await another.call("POST", "/mappings", { body: product("prod_2") })).status).toBe(201)
  })

  it.each(["product", "variant", "order", "customer", "category", "brand", "tag", "coupon"])(
    "may be of a %s",
    async (resourceType) => {
      const { status } = await app.call("POST", "/mappings", { body: product("kind_1", { resourceType }) })
      expect(status).toBe(201)
    }
  )

  it.each([
    [{}, ["resourceType", "internalId", "externalId", "platformCode"]],
    [product(""), ["internalId"]],
    [product("  "), ["internalId"]],
    [product("x", { externalId: " " }), ["externalId"]],
    [product("x", { platformCode: "" }), ["platformCode"]],
    [product("x", { resourceType: "cart" }), ["resourceType"]],
    [product("x", { syncStatus: "done" }), ["syncStatus"]],
    [product("x", { externalUrl: "javascript:alert(1)" }), ["externalUrl"]],
    [product("x", { externalUrl: "/relative" }), ["externalUrl"]],
    [product("x".repeat(201)), ["internalId"]],
    [product("x", { externalId: "x".repeat(501) }), ["externalId"]],
    [product("x", { platformCode: "x".repeat(101) }), ["platformCode"]],
    [product("x", { externalUrl: `https://x.example/${"x".repeat(2_048)}` }), ["externalUrl"]],
    [product("x", { metadata: "text" }), ["metadata"]],
    [product("x", { metadata: { text: "x".repeat(65_536) } }), ["metadata"]],
    [product("x", { externalID: "1" }), ["externalID"]],
    [
      { resourceType: "cart", internalId: 5, externalUrl: "x", metadata: [] },
      ["resourceType", "internalId", "externalUrl", "metadata", "externalId", "platformCode"]
    ]
  ])("is refused by its fields: %#", async (body, fields) => {
    const before = await total()
    for (const [method, path] of [
      ["POST", "/mappings"],
      ["PUT", "/mappings/upsert"]
    ] as const) {
      const { status, body: answer } = await app.call(method, path, { body })
      expect([status, answer.code]).toEqual([400, "VALIDATION_FAILED"])
      expect(Object.keys(answer.details.errors).toSorted()).toEqual(fields.toSorted())
    }
    expect(await total()).toBe(before)
  })

  it("is refused once the installation has a million", async () => {
    const owner = new pg.Client(shop.database.nodePostgres)
    await owner.connect()
    const full = await install(shop)
    const set = (mappings: number) =>
      owner.query(
        "WITH s AS (SELECT set_config('app.store_id', $2, true)) UPDATE app_installation SET mappings = $3 FROM s WHERE id = $1",
        [full.id, shop.storeId, mappings]
      )
    await set(1_000_000)
    for (const [method, path] of [
      ["POST", "/mappings"],
      ["PUT", "/mappings/upsert"]
    ] as const) {
      const { status, body } = await full.call(method, path, { body: product("p") })
      expect([status, body.details.errors]).toEqual([
        400,
        { mappings: "there are 1000000 mappings, which is the most" }
      ])
    }
    await set(999_999)
    expect((await full.call("POST", "/mappings", { body: product("p") })).status).toBe(201)
    await owner.end()
  })
})

describe("the room of mappings", () => {
  it("is 256 MiB of texts and metadata: what grows beyond them is refused, what shrinks is not", async () => {
    const owner = new pg.Client(shop.database.nodePostgres)
    await owner.connect()
    await owner.query("SELECT set_config('app.store_id', $1, false)", [shop.storeId])
    const full = await install(shop)
    const bytes = async () =>
      Number(
        (await owner.query("SELECT mapping_bytes FROM app_installation WHERE id = $1", [full.id])).rows[0]
          ?.mapping_bytes
      )
    const used = (most: number) =>
      owner.query("UPDATE app_installation SET mapping_bytes = $2 WHERE id = $1", [full.id, most])
    const most = 268_435_456
    // p1, SHOPIFY, ext-p1 and {"a":"ä"}.
    const body = product("p1", { metadata: { a: "ä" } })
    const made = (await full.call("POST", "/mappings", { body })).body
    expect(await bytes()).toBe(2 + 7 + 6 + 10)
    await used(most - 24)
    for (const [method, path, sent] of [
      ["POST", "/mappings", product("p2", { metadata: { a: "ä" } })],
      ["PUT", "/mappings/upsert", product("p2", { metadata: { a: "ä" } })],
      ["PUT", "/mappings/upsert", product("p1", { metadata: { a: "x".repeat(27) } })],
      ["PATCH", `/mappings/${made.id}`, { lastSyncError: "x".repeat(25) }]
    ] as const) {
      const { status, body: answer } = await full.call(method, path, { body: sent })
      expect([status, answer.details.errors]).toEqual([
        400,
        { mappings: "would come to more than 268435456 bytes: shorten metadata, or delete some" }
      ])
    }
    expect([await bytes(), await total(full)]).toEqual([most - 24, 1])
    const grown = await full.call("PATCH", `/mappings/${made.id}`, { body: { lastSyncError: "x".repeat(24) } })
    expect([grown.status, await bytes()]).toEqual([200, most])
    await used(most + 100)
    const shrunk = await full.call("PATCH", `/mappings/${made.id}`, { body: { metadata: null } })
    expect([shrunk.status, await bytes()]).toEqual([200, most + 92])
    await full.call("DELETE", `/mappings/${made.id}`)
    expect(await bytes()).toBe(most + 92 - 2 - 7 - 6 - 24 - 2)
    await used(0)
    await owner.end()
  })
})

describe("an upsert", () => {
  it("creates by the key, then updates, and the same again changes nothing", async () => {
    const body = product("up_1", { metadata: { a: 1 }, externalUrl: "https://platform.example/1" })
    const made = await app.call("PUT", "/mappings/upsert", { body })
    expect([made.status, made.body.syncStatus, made.body.metadata]).toEqual([200, "synced", { a: 1 }])
    const same = await app.call("PUT", "/mappings/upsert", { body })
    expect([same.status, same.body]).toEqual([200, made.body])
    const changed = await app.call("PUT", "/mappings/upsert", { body: product("up_1", { externalId: "new" }) })
    const { updatedAt, ...rest } = changed.body
    const { updatedAt: first, ...before } = made.body
    expect([rest, updatedAt > first]).toEqual([{ ...before, externalId: "new" }, true])
    const cleared = await app.call("PUT", "/mappings/upsert", {
      body: product("up_1", { externalUrl: null, metadata: null, syncStatus: "stale" })
    })
    expect(cleared.body).toMatchObject({ externalUrl: null, metadata: {}, syncStatus: "stale", externalId: "ext-up_1" })
  })

  it("leaves what the app has said of the synchronisation", async () => {
    const { body } = await app.call("PUT", "/mappings/upsert", { body: product("up_2") })
    await app.call("PATCH", `/mappings/${body.id}`, {
      body: { lastSyncedAt: "2026-01-02T03:04:05.000Z", lastSyncError: "late", syncStatus: "error" }
    })
    const again = await app.call("PUT", "/mappings/upsert", { body: product("up_2", { externalId: "n" }) })
    expect(again.body).toMatchObject({
      externalId: "n",
      syncStatus: "error",
      lastSyncedAt: "2026-01-02T03:04:05.000Z",
      lastSyncError: "late"
    })
  })

  it("is judged by If-Match where the mapping exists", async () => {
    await app.call("PUT", "/mappings/upsert", { body: product("up_3") })
    const stale = await app.call("PUT", "/mappings/upsert", {
      body: product("up_3", { externalId: "lost" }),
      headers: { "if-match": '"2020-01-01T00:00:00.000Z"' }
    })
    expect([stale.status, stale.body.code]).toEqual([409, "CONFLICT"])
    const kept = await app.call("GET", "/mappings?internalId=up_3")
    expect(kept.body.data[0].externalId).toBe("ext-up_3")
  })
})

describe("a change", () => {
  it("writes what is there, clears by null, and ignores the key", async () => {
    const made = (await app.call("POST", "/mappings", { body: product("ch_1", { metadata: { a: 1 } }) })).body
    const path = `/mappings/${made.id}`
    const body = {
      externalId: "e2",
      externalUrl: "http://platform.example/2",
      syncStatus: "error",
      lastSyncedAt: "2026-02-03",
      lastSyncError: "gone",
      metadata: { b: 2 }
    }
    const key = { resourceType: "order", internalId: "other", platformCode: "EBAY" }
    const changed = await app.call("PATCH", path, { body: { ...body, ...key } })
    const at = "2026-02-03T00:00:00.000Z"
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...made, ...body, lastSyncedAt: at, updatedAt: changed.body.updatedAt }
    ])
    expect(changed.body.updatedAt > made.updatedAt).toBe(true)
    const cleared = await app.call("PATCH", path, {
      body: { externalUrl: null, lastSyncedAt: null, lastSyncError: null, metadata: null }
    })
    expect(cleared.body).toMatchObject({
      externalId: "e2",
      externalUrl: null,
      lastSyncedAt: null,
      lastSyncError: null,
      metadata: {},
      syncStatus: "error"
    })
    for (const syncStatus of ["synced", "pending", "stale", "error", "synced"])
      expect((await app.call("PATCH", path, { body: { syncStatus } })).body.syncStatus).toBe(syncStatus)
    const whole = await app.call("PATCH", path, { body: (await app.call("GET", path)).body })
    expect(whole.status).toBe(200)
  })

  it("to the key of another mapping is no change of the key", async () => {
    await app.call("POST", "/mappings", { body: product("ch_2") })
    const made = (await app.call("POST", "/mappings", { body: product("ch_3") })).body
    const changed = await app.call("PATCH", `/mappings/${made.id}`, { body: product("ch_2") })
    expect([changed.status, changed.body.internalId, changed.body.externalId]).toEqual([200, "ch_3", "ext-ch_2"])
  })

  it.each([
    [{ externalId: null }, ["externalId"]],
    [{ externalId: "" }, ["externalId"]],
    [{ syncStatus: null }, ["syncStatus"]],
    [{ lastSyncedAt: "yesterday", lastSyncError: "x".repeat(2_001) }, ["lastSyncedAt", "lastSyncError"]],
    [{ lastSyncedAt: "2026-02-30" }, ["lastSyncedAt"]]
  ])("is refused by its fields: %j", async (body, fields) => {
    const made = (await app.call("PUT", "/mappings/upsert", { body: product("ch_4") })).body
    const { status, body: answer } = await app.call("PATCH", `/mappings/${made.id}`, { body })
    expect([status, Object.keys(answer.details.errors)]).toEqual([400, fields])
    expect((await app.call("GET", `/mappings/${made.id}`)).body).toEqual(made)
  })

  it("meets If-Match, and of another installation's mapping is 404", async () => {
    const made = (await app.call("POST", "/mappings", { body: product("ch_5") })).body
    const path = `/mappings/${made.id}`
    const stale = { headers: { "if-match": '"2020-01-01T00:00:00.000Z"' } }
    expect((await app.call("PATCH", path, { body: { externalId: "x" }, ...stale })).status).toBe(409)
    expect((await app.call("DELETE", path, stale)).status).toBe(409)
    const another = await install(shop)
    for (const [method, body] of [["GET"], ["PATCH", { externalId: "x" }], ["DELETE"]] as const) {
      const { status, body: answer } = await another.call(method, path, body === undefined ? {} : { body })
      expect([status, answer.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    }
    expect((await app.call("GET", path)).body).toEqual(made)
    const fresh = { headers: { "if-match": `"${made.updatedAt}"` } }
    expect((await app.call("DELETE", path, fresh)).body).toEqual({ success: true })
    expect((await app.call("DELETE", path)).status).toBe(404)
    expect((await app.call("GET", path)).status).toBe(404)
  })
})

describe("the list", () => {
  let listed: Installed
  beforeAll(async () => {
    listed = await install(shop)
    for (let i = 1; i <= 25; i++) {
      await listed.call("POST", "/mappings", {
        body: product(`p${i}`, {
          resourceType: i % 5 === 0 ? "order" : "product",
          platformCode: i % 2 === 0 ? "EBAY" : "SHOPIFY",
          syncStatus: i === 7 ? "error" : i === 8 ? "stale" : "synced"
        })
      })
    }
  })
  const ids = async (query: string) => {
    const { body } = await listed.call("GET", `/mappings${query}`)
    return { ids: body.data.map((one: { internalId: string }) => one.internalId), meta: body.meta }
  }

  it("is the newest twenty, and pages follow", async () => {
    const first = await ids("")
    expect(first.meta).toEqual({ page: 1, limit: 20, total: 25, totalPages: 2 })
    expect(first.ids).toEqual(Array.from({ length: 20 }, (_, i) => `p${25 - i}`))
    expect((await ids("?page=2")).ids).toEqual(["p5", "p4", "p3", "p2", "p1"])
    expect(await ids("?page=9")).toEqual({ ids: [], meta: { page: 9, limit: 20, total: 25, totalPages: 2 } })
    expect((await ids("?limit=500")).meta).toEqual({ page: 1, limit: 100, total: 25, totalPages: 1 })
  })

  it("is narrowed by each filter, and by all", async () => {
    expect((await ids("?resourceType=order")).ids).toEqual(["p25", "p20", "p15", "p10", "p5"])
    expect((await ids("?internalId=p7")).ids).toEqual(["p7"])
    expect((await ids("?platformCode=EBAY&limit=3")).meta.total).toBe(12)
    expect((await ids("?syncStatus=error,stale")).ids).toEqual(["p8", "p7"])
    expect((await ids("?resourceType=order,product&platformCode=EBAY&syncStatus=synced&internalId=p10")).ids).toEqual([
      "p10"
    ])
    expect((await ids("?platformCode=AMAZON")).meta).toEqual({ page: 1, limit: 20, total: 0, totalPages: 0 })
  })

  it.each([
    ["page=0", "page"],
    ["page=-1", "page"],
    ["page=x", "page"],
    ["page=1.5", "page"],
    ["limit=0", "limit"],
    ["limit=-5", "limit"],
    ["resourceType=cart", "resourceType"],
    ["syncStatus=done", "syncStatus"]
  ])("refuses ?%s", async (query, field) => {
    const { status, body } = await listed.call("GET", `/mappings?${query}`)
    expect([status, body.code, Object.keys(body.details.errors)]).toEqual([400, "VALIDATION_FAILED", [field]])
  })

  it("counts down when a mapping is unlinked", async () => {
    const { data } = (await listed.call("GET", "/mappings?internalId=p25")).body
    await listed.call("DELETE", `/mappings/${data[0].id}`)
    expect((await ids("")).meta.total).toBe(24)
  })
})
