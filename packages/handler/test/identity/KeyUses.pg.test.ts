/** When keys were last used: noted by each process, written together, and the latest time stays. */
import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import { KeyUses } from "@effect-commerce/core/identity/KeyUses"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, runWith, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
let key: { readonly id: string; readonly key: string }
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})
beforeEach(async () => {
  key = (await shop.call("POST", "/v1/api-keys", { body: { name: "erp", scopes: ["store:read", "tax:read"] } })).body
})

const within = <A, E, R>(commerce: Commerce, effect: Effect.Effect<A, E, R>): Promise<A> =>
  runWith(commerce, effect as never) as Promise<A>
const flush = (commerce = shop.commerce) =>
  within(
    commerce,
    Effect.flatMap(KeyUses, (uses) => uses.flush)
  )
const note = (at: string, commerce = shop.commerce) =>
  within(
    commerce,
    KeyUses.use((uses) => Effect.sync(() => uses.note(key.id, Date.parse(at))))
  )
const now = async (advanceMs = 0) =>
  Date.parse((await shop.call("POST", "/test/clock", { body: { advanceMs } })).body.now)
const use = (path = "/v1/store") => shop.call("GET", path, { key: key.key })
const listed = async () => {
  const { body } = await shop.call("GET", "/v1/api-keys")
  const rows = body.data ?? body
  return rows.find(({ id }: { id: string }) => id === key.id)
}
const lastUsed = async () => (await listed()).lastUsedAt
const askOn = async (commerce: Commerce) => {
  const headers = { authorization: `Bearer ${key.key}` }
  return (await commerce.fetch(new Request("http://commerce.test/api/v1/store", { headers }))).status
}

describe("a key", () => {
  it("shows when it was last sent, within a minute, and keeps its version", async () => {
    const { updatedAt } = await listed()
    await flush()
    expect(await lastUsed()).toBe(null)
    const before = await now()
    expect((await use()).status).toBe(200)
    // Recognised by memory, and refused for its scope: it was sent.
    expect((await use("/v1/orders")).status).toBe(403)
    const after = await now()
    expect(await lastUsed()).toBe(null)
    await now(60_001)
    await expect.poll(lastUsed, { timeout: 10_000 }).not.toBe(null)
    const at = Date.parse(await lastUsed())
    expect(at).toBeGreaterThanOrEqual(before)
    expect(at).toBeLessThanOrEqual(after)
    expect((await listed()).updatedAt).toBe(updatedAt)
  })

  it("is not used by one who sends what is no key, or one that has ended", async () => {
    await shop.call("DELETE", `/v1/api-keys/${key.id}`)
    expect((await use()).status).toBe(401)
    await flush()
    const { rows } = await owner.query("SELECT last_used_at FROM api_key WHERE id = $1", [key.id])
    expect(rows).toEqual([{ last_used_at: null }])
  })

  it("keeps the latest time, whichever process writes last", async () => {
    const twin = await shop.openTwin()
    await note("2026-03-01T10:00:05.000Z")
    await note("2026-03-01T10:00:01.000Z")
    await note("2026-03-01T10:00:09.000Z", twin)
    await flush(twin)
    await flush()
    expect(await lastUsed()).toBe("2026-03-01T10:00:09.000Z")
    await note("2026-03-01T10:00:10.000Z")
    await flush()
    expect(await lastUsed()).toBe("2026-03-01T10:00:10.000Z")
  })

  it("is written when the process ends", async () => {
    const twin = await shop.openTwin()
    // The first use may be written at once: the twin's clock advances when it learns how far the tests have moved it.
    const usedAndNotWritten = async () => {
      await owner.query("UPDATE api_key SET last_used_at = NULL WHERE id = $1", [key.id])
      expect(await askOn(twin)).toBe(200)
      return lastUsed()
    }
    await expect.poll(usedAndNotWritten).toBe(null)
    await twin.close()
    expect(Date.parse(await lastUsed())).toBeGreaterThan(0)
  })

  it("is written later where the database did not take it", async () => {
    await note("2026-03-01T10:00:00.000Z")
    await owner.query("REVOKE UPDATE ON api_key FROM commerce_app")
    await expect(flush()).rejects.toThrow("Query failed")
    await note("2026-03-01T09:00:00.000Z")
    await owner.query("GRANT UPDATE ON api_key TO commerce_app")
    await flush()
    expect(await lastUsed()).toBe("2026-03-01T10:00:00.000Z")
  })

  it("is written by many processes at once without waiting in a circle", async () => {
    const twin = await shop.openTwin()
    const mint = Effect.flatMap(ApiKeys, (keys) =>
      keys.mint({ accountId: shop.accountId, storeId: shop.storeId, name: "many", scopes: ["store:read"] })
    )
    const ids: Array<string> = []
    for (let i = 0; i < 40; i++) ids.push((await within(shop.commerce, mint)).id)
    const noteAll = (commerce: Commerce, all: ReadonlyArray<string>, at: number) =>
      within(
        commerce,
        KeyUses.use((uses) => Effect.sync(() => all.forEach((id) => uses.note(id, at))))
      )
    for (let round = 1; round <= 10; round++) {
      await noteAll(shop.commerce, ids, round * 1_000)
      await noteAll(twin, ids.toReversed(), round * 1_000 + 1)
      await Promise.all([flush(), flush(twin)])
    }
    const { rows } = await owner.query("SELECT DISTINCT last_used_at FROM api_key WHERE id = ANY($1)", [ids])
    expect(rows).toEqual([{ last_used_at: new Date(10_001) }])
  })
})
