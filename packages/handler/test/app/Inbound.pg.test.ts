/** Events that other systems send to an app. */
import { AppCleanup } from "@effect-commerce/core/app/AppCleanup"
import type { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { install, installByHand, type Installed, product } from "./installed.ts"

let shop: TestCommerce
let sql: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  sql = new pg.Client(shop.database.nodePostgres)
  await sql.connect()
  await sql.query("SELECT set_config('app.store_id', $1, false)", [shop.storeId])
})
afterAll(async () => {
  await sql.end()
  await shop.close()
})

const send = (app: Installed, raw: BodyInit, topic = "orders", headers: Record<string, string> = {}) =>
  app.call("POST", `/inbound/${topic}`, { raw, headers })
const cleanUp = () => shop.run(AppCleanup.use(({ pass }) => pass) as unknown as Effect.Effect<void>)
const count = async (table: string, app: Installed) =>
  Number((await sql.query(`SELECT count(*) AS n FROM ${table} WHERE installation_id = $1`, [app.id])).rows[0]?.n)
const charged = async (app: Installed) =>
  Number((await sql.query("SELECT inbound_bytes FROM app_installation WHERE id = $1", [app.id])).rows[0]?.inbound_bytes)

describe("an event", () => {
  it("is kept byte for byte, whatever it is, and listed under its topic", async () => {
    const app = await installByHand(shop, "connector")
    const text = '{ "storeId" : "not ours",\n "ä": 1 }'
    const sent = await send(app, text, "orders.create", { "content-type": "application/vnd.shop+json" })
    expect([sent.status, sent.body]).toEqual([202, { id: expect.stringMatching(/^inb_[0-9a-z]{26}$/) }])
    const bytes = new Uint8Array([0, 255, 1, 254])
    const binary = await send(app, bytes, "orders.create", { "content-type": "application/octet-stream" })
    const bare = await send(app, new Uint8Array([]), "orders.create")
    await send(app, "elsewhere", "other")
    const { status, body } = await app.call("GET", "/inbound/orders.create")
    const shared = { topic: "orders.create", receivedAt: expect.stringMatching(/Z$/) }
    expect([status, body.meta]).toEqual([200, { page: 1, limit: 20, total: 3, totalPages: 1 }])
    expect(body.data).toHaveLength(3)
    const byId = new Map(body.data.map((one: { id: string }) => [one.id, one]))
    expect(byId.get(sent.body.id)).toEqual({
      ...shared,
      id: sent.body.id,
      contentType: "application/vnd.shop+json",
      encoding: "utf8",
      body: text,
      size: 36
    })
    expect(byId.get(binary.body.id)).toEqual({
      ...shared,
      id: binary.body.id,
      contentType: "application/octet-stream",
      encoding: "base64",
      body: "AP8B/g==",
      size: 4
    })
    expect(byId.get(bare.body.id)).toMatchObject({ encoding: "utf8", body: "", size: 0 })
    expect((await app.call("GET", "/inbound/never.sent")).body.meta.total).toBe(0)
  })

  it("of text with NUL characters comes back as it was", async () => {
    const app = await install(shop)
    await send(app, "a\u0000b")
    const { body } = await app.call("GET", "/inbound/orders")
    expect(body.data[0]).toMatchObject({ encoding: "utf8", body: "a\u0000b", size: 3 })
  })

  it("that is compressed is refused: nobody would see by what", async () => {
    const app = await install(shop)
    const { status, body } = await send(app, new Uint8Array([31, 139, 8, 0]), "orders", { "content-encoding": "gzip" })
    expect([status, body.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"])
    expect(await count("app_inbound", app)).toBe(0)
    expect((await send(app, "{}", "orders", { "content-encoding": "identity" })).status).toBe(202)
  })

  it("may have 1 MiB, and not a byte more", async () => {
    const app = await install(shop)
    expect((await send(app, "x".repeat(1_048_576))).status).toBe(202)
    const { status, body } = await send(app, "x".repeat(1_048_577))
    expect([status, body.code]).toEqual([413, "PAYLOAD_TOO_LARGE"])
    expect(await count("app_inbound", app)).toBe(1)
  })

  it.each(["%20", "a%2Fb", "-x", "x".repeat(101), "%C3%A4"])("is refused under the topic %s", async (topic) => {
    const app = await install(shop)
    for (const answer of [await send(app, "{}", topic), await app.call("GET", `/inbound/${topic}`)])
      expect([answer.status, answer.body.code, Object.keys(answer.body.details.errors)]).toEqual([
        400,
        "VALIDATION_FAILED",
        ["topic"]
      ])
    expect(await count("app_inbound", app)).toBe(0)
  })

  it("is kept once under one Idempotency-Key", async () => {
    const app = await install(shop)
    const headers = { "idempotency-key": "event-1" }
    const [first, second] = [await send(app, "{}", "orders", headers), await send(app, "{}", "orders", headers)]
    expect([first.status, second.body]).toEqual([202, first.body])
    expect(await count("app_inbound", app)).toBe(1)
    expect((await send(app, "other", "orders", headers)).body.code).toBe("IDEMPOTENCY_KEY_REUSED")
  })

  it("that names a storeId is not taken for a request to that store, by an admin key either", async () => {
    const app = await install(shop)
    const { status } = await app.call("POST", "/inbound/orders", {
      key: shop.apiKey,
      raw: '{"storeId":"store_of_another_system"}'
    })
    expect(status).toBe(202)
  })
})

describe("a page of events", () => {
  it("has as many as the largest lets fit, newest first, and says so", async () => {
    const app = await install(shop)
    const sent: Array<string> = []
    for (let i = 0; i < 7; i++) {
      await sql.query("SELECT pg_sleep(0.002)")
      sent.push((await send(app, String(i).repeat(1_000_000))).body.id)
    }
    const first = await app.call("GET", "/inbound/orders")
    expect(first.body.meta).toEqual({ page: 1, limit: 4, total: 7, totalPages: 2 })
    const second = await app.call("GET", "/inbound/orders?page=2")
    const ids = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id)
    expect(ids).toEqual(sent.toReversed())
    await send(app, "\u0001".repeat(1_000_000), "controls")
    await send(app, "\u0001".repeat(1_000_000), "controls")
    const large = await app.call("GET", "/inbound/controls")
    expect([large.status, large.body.meta.limit, large.body.data[0].size]).toEqual([200, 1, 1_000_000])
  })

  it.each(["page=0", "limit=0", "limit=x"])("is refused by ?%s", async (query) => {
    const app = await install(shop)
    expect((await app.call("GET", `/inbound/orders?${query}`)).status).toBe(400)
  })
})

describe("the room of events", () => {
  /** As if so many events of one mebibyte had arrived, the first an hour ago. */
  const fill = async (app: Installed, events: number) => {
    await sql.query(
      `INSERT INTO app_inbound (store_id, installation_id, id, topic, body, charge, shown, received_at)
        SELECT $1, $2, 'inb_0' || lpad(i::text, 5, '0'), 'orders', '', 1049600, 10, now() FROM generate_series(1, $3::int) AS i`,
      [shop.storeId, app.id, events]
    )
    await sql.query("UPDATE app_installation SET inbound_bytes = inbound_bytes + $2 WHERE id = $1", [
      app.id,
      1_049_600 * events
    ])
  }

  it("is 64 MiB for an installation: the oldest make room for the newest", async () => {
    const app = await install(shop)
    await fill(app, 63)
    const kept = await send(app, "x".repeat(1_048_576))
    // 64 charges of 1,049,600 are 65,536 more than fit; 4 MiB of room are made with them: 4 events.
    expect([kept.status, await count("app_inbound", app), await charged(app)]).toEqual([202, 60, 60 * 1_049_600])
    const oldest = await sql.query("SELECT min(id) AS id FROM app_inbound WHERE installation_id = $1", [app.id])
    expect(oldest.rows[0]?.id).toBe("inb_000005")
    expect((await send(app, "x")).status).toBe(202)
    expect(await count("app_inbound", app)).toBe(61)
  })

  it("is 512 MiB for a store: beyond them an installation gives up its own, and keeps a hundredth of them", async () => {
    const [full, small] = [await install(shop), await install(shop)]
    const others = await sql.query("SELECT sum(inbound_bytes) AS sum FROM app_installation WHERE store_id = $1", [
      shop.storeId
    ])
    await sql.query("UPDATE app_installation SET inbound_bytes = $2 WHERE id = $1", [
      full.id,
      512 * 1_048_576 - Number(others.rows[0]?.sum)
    ])
    // 5,368,709 bytes: five events of 1,049,600, and 120,709 more.
    await fill(small, 5)
    for (const kept of [6, 6, 6]) {
      await send(small, "x".repeat(1_048_576))
      expect([await count("app_inbound", small), await charged(small)]).toEqual([kept, kept * 1_049_600])
    }
    expect((await send(full, "x")).status).toBe(202)
    expect((await shop.call("DELETE", `/v1/installations/${full.id}`)).status).toBe(200)
    await send(small, "x".repeat(1_048_576))
    expect(await count("app_inbound", small)).toBe(7)
    await sql.query("UPDATE app_installation SET inbound_bytes = 1025 WHERE id = $1", [full.id])
  })

  it("is theirs for seven days; the worker deletes what is older", async () => {
    const app = await install(shop)
    await send(app, "old")
    await sql.query(
      "UPDATE app_inbound SET received_at = received_at - interval '7 days 1 second' WHERE installation_id = $1",
      [app.id]
    )
    const kept = await send(app, "new")
    await cleanUp()
    const { body } = await app.call("GET", "/inbound/orders")
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([kept.body.id])
    expect(await charged(app)).toBe(3 + 1_024)
  })
})

describe("what a removed app had", () => {
  it("is deleted by the worker, mappings, events and the row itself; nothing of others", async () => {
    const [app, other] = [await installByHand(shop, "first-party"), await install(shop)]
    for (const one of [app, other]) {
      await send(one, "{}")
      await one.call("POST", "/mappings", { body: product("p1") })
    }
    await sql.query(
      `INSERT INTO app_mapping (store_id, id, installation_id, resource_type, internal_id, external_id, platform_code, sync_status, metadata, charge, created_at, updated_at)
        SELECT $1, 'map_' || i, $2, 'product', 'many' || i, '1', 'X', 'synced', '{}', 10, now(), now() FROM generate_series(1, 2500) AS i`,
      [shop.storeId, app.id]
    )
    await shop.call("DELETE", `/v1/installations/${app.id}`)
    expect([await count("app_mapping", app), await count("app_inbound", app)]).toEqual([2_501, 1])
    await cleanUp()
    expect([await count("app_mapping", app), await count("app_inbound", app)]).toEqual([0, 0])
    expect((await sql.query("SELECT 1 FROM app_installation WHERE id = $1", [app.id])).rowCount).toBe(0)
    expect([await count("app_mapping", other), await count("app_inbound", other)]).toEqual([1, 1])
  })
})

describe("the storefront's bot", () => {
  it("is not built: 501, whatever is sent", async () => {
    for (const options of [{}, { body: {} }, { body: { conversation: [{ text: "Hello" }] } }]) {
      const { status, body } = await shop.call("POST", `/vc/${shop.channelId}/bot/summarize`, options)
      expect([status, body.code]).toEqual([501, "NOT_IMPLEMENTED"])
    }
  })

  it("may be asked ten times a minute", async () => {
    const limited = await openTestCommerce({ role: "api", rateLimit: { perMinute: 1_000, perHour: 10_000 } })
    try {
      const statuses: Array<number> = []
      for (let i = 0; i < 11; i++)
        statuses.push((await limited.call("POST", `/vc/${limited.channelId}/bot/summarize`)).status)
      expect(statuses).toEqual([...Array<number>(10).fill(501), 429])
    } finally {
      await limited.close()
    }
  })
})
