/** Admin keys that list, create, rotate and revoke keys. */
import { Database } from "@effect-commerce/core/database/Database"
import { one } from "@effect-commerce/core/database/Repository"
import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let sister: TestStore
let stranger: TestStore
let client: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce()
  sister = await shop.openStore({ accountId: shop.accountId })
  stranger = await shop.openStore()
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

const scopes = ["api-keys:*", "store:read"]
const call = (method: string, path: string, key: string, body?: object, headers: Record<string, string> = {}) =>
  shop.call(method, path, { key, headers, ...(body === undefined ? {} : { body }) })
const now = async (): Promise<number> =>
  Date.parse((await shop.call("POST", "/test/clock", { body: { advanceMs: 0 } })).body.now)
const advance = (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } })
const inHours = async (hours: number) => new Date((await now()) + hours * 3_600_000).toISOString()
const create = (key: string, body: object = {}) =>
  call("POST", "/v1/api-keys", key, { name: "minted", scopes: ["store:read"], ...body })
const count = async () => (await client.query("SELECT count(*)::int AS n FROM api_key")).rows[0]?.["n"]
const idOf = async (key: string) =>
  (await client.query("SELECT id FROM api_key WHERE key_prefix = $1", [key.slice(0, 12)])).rows[0]?.["id"] as string

describe("a key that is revoked while its row is being read", () => {
  it("is served once more, and not remembered", async () => {
    const { id, key } = (await create(shop.apiKey)).body
    const work = Effect.gen(function* () {
      const [keys, { sql }] = [yield* ApiKeys, yield* Database]
      const read = <A extends object>(select: Statement.Fragment) => one(sql<A>`${select}`)
      const slow = <A extends object>(select: Statement.Fragment) =>
        Effect.tap(read<A>(select), () => keys.revoke({}, id))
      const [first, second] = [yield* keys.recognise(key, slow), yield* keys.recognise(key, read)]
      return [first?.keyId, second]
    })
    expect(await shop.run(work as unknown as Effect.Effect<unknown>)).toEqual([id, undefined])
  })
})

describe("a key that expires", () => {
  const expiring = async (hours: number) =>
    (await create(shop.apiKey, { scopes, expiresAt: await inHours(hours) })).body

  it("mints none that outlives it: without an end of its own a key ends with it, a later one is refused, an earlier one is taken", async () => {
    const minter = await expiring(10)
    const silent = await create(minter.key)
    expect([silent.status, silent.body.expiresAt]).toEqual([201, minter.expiresAt])
    expect((await create(minter.key, { expiresAt: null })).body.expiresAt).toBe(minter.expiresAt)
    expect((await create(minter.key, { expiresAt: minter.expiresAt })).body.expiresAt).toBe(minter.expiresAt)
    const sooner = await inHours(2)
    expect((await create(minter.key, { expiresAt: sooner })).body.expiresAt).toBe(sooner)
    const before = await count()
    const later = await create(minter.key, { expiresAt: new Date(Date.parse(minter.expiresAt) + 1).toISOString() })
    expect([later.status, later.body.code, Object.keys(later.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      ["expiresAt"]
    ])
    expect(await count()).toBe(before)
  })

  it("mints none by way of another: neither in a chain, nor by rotating itself or a key without an end", async () => {
    const minter = await expiring(10)
    const child = (await create(minter.key, { scopes })).body
    expect((await create(child.key)).body.expiresAt).toBe(minter.expiresAt)
    const rotated = await call("POST", `/v1/api-keys/${minter.id}/rotate`, minter.key, { overlapHours: 24 })
    expect([rotated.status, rotated.body.expiresAt]).toEqual([200, minter.expiresAt])
    const lasting = (await create(shop.apiKey)).body
    const taken = await call("POST", `/v1/api-keys/${lasting.id}/rotate`, minter.key, { overlapHours: 1 })
    expect([lasting.expiresAt, taken.body.expiresAt]).toEqual([null, minter.expiresAt])
  })

  it("is also one that is being replaced: in its last hours it mints nothing that lasts", async () => {
    const lasting = (await create(shop.apiKey, { scopes })).body
    const next = await call("POST", `/v1/api-keys/${lasting.id}/rotate`, lasting.key, { overlapHours: 2 })
    expect(next.body.expiresAt).toBeNull()
    const end = await inHours(2)
    const made = (await create(lasting.key)).body.expiresAt
    expect(Math.abs(Date.parse(made) - Date.parse(end))).toBeLessThan(5_000)
    const again = await call("POST", `/v1/api-keys/${lasting.id}/rotate`, lasting.key, { overlapHours: 0 })
    expect(again.body.expiresAt).toBe(made)
    expect((await create(next.body.key)).body.expiresAt).toBeNull()
    await advance(2 * 3_600_000 + 5_000)
    expect((await call("GET", "/v1/store", again.body.key)).status).toBe(401)
  })

  it("that has ended elsewhere a moment ago mints nothing, also while this process still knows it", async () => {
    const minter = (await create(shop.apiKey, { scopes })).body
    expect((await create(minter.key)).status).toBe(201)
    await client.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [minter.id])
    const before = await count()
    const made = await create(minter.key)
    const rotated = await call("POST", `/v1/api-keys/${await idOf(shop.apiKey)}/rotate`, minter.key, {})
    expect([made.status, made.body.code, rotated.status, await count()]).toEqual([401, "UNAUTHORIZED", 401, before])
  })
})

describe("a key for a whole account", () => {
  const wide = () => shop.mintKey({ scopes, storeId: null })
  const list = async (key: string, storeId: string) =>
    (await call("GET", `/v1/api-keys?storeId=${storeId}&limit=100`, key)).body.data.map(
      ({ id }: { readonly id: string }) => id
    ) as ReadonlyArray<string>

  it("lists itself, others of its kind and those of the store it names; none of another store or account", async () => {
    const [one, two] = [await wide(), await wide()]
    const ids = await list(one, shop.storeId)
    for (const key of [one, two, shop.apiKey]) expect(ids).toContain(await idOf(key))
    expect(ids).not.toContain(await idOf(sister.apiKey))
    expect(ids).not.toContain(await idOf(stranger.apiKey))
    const atSister = await list(one, sister.storeId)
    expect([atSister.includes(await idOf(two)), atSister.includes(await idOf(shop.apiKey))]).toEqual([true, false])
    expect((await call("GET", `/v1/api-keys?storeId=${stranger.storeId}`, one)).status).toBe(404)
    expect((await call("GET", "/v1/api-keys", one)).body.code).toBe("STORE_ID_REQUIRED")
    // A key that is bound to a store does not hear of them.
    expect(await list(shop.apiKey, shop.storeId)).not.toContain(await idOf(one))
  })

  it("rotates itself and another of its kind, which stays for the whole account and gains no scope", async () => {
    const [one, two] = [await wide(), await wide()]
    const rotated = await call("POST", `/v1/api-keys/${await idOf(two)}/rotate?storeId=${shop.storeId}`, one, {
      overlapHours: 0
    })
    expect([rotated.status, rotated.body.storeId, rotated.body.accountId, rotated.body.scopes]).toEqual([
      200,
      null,
      shop.accountId,
      scopes
    ])
    expect((await call("GET", `/v1/store?storeId=${shop.storeId}`, two)).status).toBe(401)
    expect((await call("GET", `/v1/store?storeId=${sister.storeId}`, rotated.body.key)).status).toBe(200)
    const self = await call("POST", `/v1/api-keys/${await idOf(one)}/rotate?storeId=${sister.storeId}`, one, {
      overlapHours: 1
    })
    expect([self.status, self.body.storeId]).toEqual([200, null])
    const stronger = await shop.mintKey({ scopes: [...scopes, "orders:*"], storeId: null })
    const refused = await call(
      "POST",
      `/v1/api-keys/${await idOf(stronger)}/rotate?storeId=${shop.storeId}`,
      self.body.key,
      {}
    )
    expect([refused.status, refused.body.code]).toEqual([403, "INSUFFICIENT_SCOPE"])
    expect((await call("GET", `/v1/store?storeId=${shop.storeId}`, stronger)).status).toBe(200)
  })

  it("revokes itself and another of its kind, and no key of another account", async () => {
    const [one, two] = [await wide(), await wide()]
    const foreign = await idOf(stranger.apiKey)
    expect((await call("DELETE", `/v1/api-keys/${await idOf(two)}?storeId=${shop.storeId}`, one)).status).toBe(200)
    expect((await call("GET", `/v1/store?storeId=${shop.storeId}`, two)).status).toBe(401)
    for (const [method, path] of [
      ["DELETE", foreign],
      ["POST", `${foreign}/rotate`]
    ] as const) {
      expect(
        (await call(method, `/v1/api-keys/${path}?storeId=${shop.storeId}`, one, method === "POST" ? {} : undefined))
          .status
      ).toBe(404)
    }
    expect((await call("GET", "/v1/store", stranger.apiKey)).status).toBe(200)
    // Nor does a key of one store touch one for all of them.
    expect((await call("DELETE", `/v1/api-keys/${await idOf(one)}`, shop.apiKey)).status).toBe(404)
    expect((await call("DELETE", `/v1/api-keys/${await idOf(one)}?storeId=${shop.storeId}`, one)).status).toBe(200)
    expect((await call("GET", `/v1/store?storeId=${shop.storeId}`, one)).status).toBe(401)
  })
})

describe("a key that was changed since it was read", () => {
  const quoted = (updatedAt: string) => ({ "if-match": `"${updatedAt}"` })

  it("is neither rotated nor revoked", async () => {
    const made = (await create(shop.apiKey)).body
    expect(made.updatedAt).toBe(made.createdAt)
    await advance(1_500)
    const first = await call(
      "POST",
      `/v1/api-keys/${made.id}/rotate`,
      shop.apiKey,
      { overlapHours: 5 },
      quoted(made.updatedAt)
    )
    expect(first.status).toBe(200)
    const before = await count()
    const again = await call(
      "POST",
      `/v1/api-keys/${made.id}/rotate`,
      shop.apiKey,
      { overlapHours: 0 },
      quoted(made.updatedAt)
    )
    const gone = await call("DELETE", `/v1/api-keys/${made.id}`, shop.apiKey, undefined, quoted(made.updatedAt))
    const since = await call("DELETE", `/v1/api-keys/${made.id}`, shop.apiKey, undefined, {
      "if-unmodified-since": made.updatedAt
    })
    expect([again, gone, since].map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 3 }, () => [409, "CONFLICT"])
    )
    expect([await count(), (await call("GET", "/v1/store", made.key)).status]).toEqual([before, 200])
    const { updatedAt } = (await shop.call("GET", "/v1/api-keys?limit=100")).body.data.find(
      ({ id }: { readonly id: string }) => id === made.id
    )
    expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(made.updatedAt))
    expect((await call("DELETE", `/v1/api-keys/${made.id}`, shop.apiKey, undefined, quoted(updatedAt))).status).toBe(
      200
    )
    expect((await call("GET", "/v1/store", made.key)).status).toBe(401)
  })

  it("is so for the whole account too, and stays unknown to who may not see it", async () => {
    const [one, two] = [await shop.mintKey({ scopes, storeId: null }), await shop.mintKey({ scopes, storeId: null })]
    const path = `/v1/api-keys/${await idOf(two)}`
    const stale = quoted("2020-01-01T00:00:00.000Z")
    expect((await call("DELETE", `${path}?storeId=${shop.storeId}`, one, undefined, stale)).status).toBe(409)
    expect((await call("DELETE", path, shop.apiKey, undefined, stale)).status).toBe(404)
    expect((await call("DELETE", path, stranger.apiKey, undefined, stale)).status).toBe(404)
    expect((await call("GET", `/v1/store?storeId=${shop.storeId}`, two)).status).toBe(200)
  })
})
