import { ApiKeys, type MintInput } from "@effect-commerce/core/identity/ApiKeys"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

/** Limits of a key and of an account over all its keys, counted over two instances. */
const noon = "2030-01-01T00:00:10.000Z"
let shop: TestCommerce
let twin: Commerce
beforeAll(async () => {
  shop = await openTestCommerce()
  twin = await shop.openTwin()
  const body = JSON.stringify({ now: noon })
  for (const commerce of [shop.commerce, twin])
    await commerce.fetch(new Request("http://commerce.test/api/test/clock", { method: "POST", body }))
})
afterAll(() => shop.close())

const minute = () => shop.call("POST", "/test/clock", { body: { advanceMs: 60_000 } })
const query = async (sql: string, ...values: ReadonlyArray<unknown>) => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  try {
    return (await client.query(sql, [...values])).rows
  } finally {
    await client.end()
  }
}

/** A store of a new account, and keys for it. */
const account = async (...keys: ReadonlyArray<Pick<MintInput, "tier" | "rateLimit">>) => {
  const make = Effect.gen(function* () {
    const store = yield* (yield* Stores).create({ name: "Limited", currency: "USD", country: "US" })
    const apiKeys = yield* ApiKeys
    const minted = yield* Effect.forEach(keys, (key) =>
      apiKeys.mint({ ...key, accountId: store.accountId, storeId: store.id, name: "limited", scopes: ["store:read"] })
    )
    return { accountId: store.accountId, keys: minted.map(({ key }) => key), ids: minted.map(({ id }) => id) }
  })
  return shop.run(
    make as unknown as Effect.Effect<{
      readonly accountId: string
      readonly keys: ReadonlyArray<string>
      readonly ids: ReadonlyArray<string>
    }>
  )
}
interface Answered {
  readonly status: number
  readonly details: Record<string, unknown> | undefined
  readonly retryAfter: string | null
}
const get = async (key: string, commerce = shop.commerce): Promise<Answered> => {
  const answer = await commerce.fetch(
    new Request("http://commerce.test/api/v1/store", { headers: { "x-api-key": key } })
  )
  const { details } = (await answer.json()) as { readonly details?: Record<string, unknown> }
  return { status: answer.status, details, retryAfter: answer.headers.get("retry-after") }
}
const passed = (answers: ReadonlyArray<Answered>) => answers.filter(({ status }) => status === 200).length

describe("an account", () => {
  it("of FREE keys makes 300 requests a minute over all of them: six keys that each may make 60 are stopped at 300, exactly", async () => {
    const { keys } = await account(...Array.from({ length: 6 }, () => ({ tier: "FREE" as const })))
    const answers = await Promise.all(
      Array.from({ length: 360 }, (_, i) => get(keys[i % 6] ?? "", i % 4 < 2 ? shop.commerce : twin))
    )
    expect(passed(answers)).toBe(300)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBe(60)
    for (const { details, retryAfter } of refused) {
      expect(details).toEqual({
        retryAfterSeconds: details?.["retryAfterSeconds"],
        limit: 300,
        ttlMs: 60_000,
        scope: "account"
      })
      expect(retryAfter).toBe(String(details?.["retryAfterSeconds"]))
    }
  })

  it("counts no request that its ceiling refused against the key, and lets the key make its 60 in the next minute", async () => {
    const { keys, ids } = await account(...Array.from({ length: 6 }, () => ({ tier: "FREE" as const })))
    for (const key of keys.slice(0, 5)) await Promise.all(Array.from({ length: 60 }, () => get(key)))
    const last = keys[5] ?? ""
    expect(passed(await Promise.all(Array.from({ length: 90 }, () => get(last))))).toBe(0)
    expect(
      (
        await query("SELECT coalesce(sum(count), 0)::int AS n FROM rate_window WHERE bucket = $1", `key:${ids[5]}`)
      )[0]?.["n"]
    ).toBe(0)
    await minute()
    const answers = await Promise.all(Array.from({ length: 61 }, () => get(last)))
    expect([passed(answers), answers.find(({ status }) => status === 429)?.details?.["scope"]]).toEqual([60, "key"])
  })

  it("is measured by its highest tier, and never allowed more than 20,000", async () => {
    for (const [{ accountId, keys }, limit] of [
      [await account({ tier: "FREE" }, { tier: "PRO" }), 2_500],
      [await account({ tier: "GROWTH" }, { tier: "PRO" }), 10_000],
      [await account({ tier: "ENTERPRISE" }), 20_000]
    ] as const) {
      const key = keys[0] ?? ""
      expect((await get(key)).status).toBe(200)
      await query("UPDATE rate_window SET count = $2 WHERE bucket = $1", `account:${accountId}`, limit - 1)
      expect((await get(key)).status).toBe(200)
      expect((await get(key)).details).toMatchObject({ limit, scope: "account" })
    }
  })
})

describe("a key", () => {
  it("pinned to a limit is held by it in place of its tier's, below it and above it", async () => {
    const { keys } = await account({ tier: "FREE", rateLimit: 3 }, { tier: "FREE", rateLimit: 70 })
    const [low = "", high = ""] = keys
    const answers = await Promise.all(Array.from({ length: 10 }, () => get(low)))
    expect(passed(answers)).toBe(3)
    expect(answers.find(({ status }) => status === 429)?.details).toMatchObject({
      limit: 3,
      ttlMs: 60_000,
      scope: "key",
      tier: "FREE"
    })
    expect(passed(await Promise.all(Array.from({ length: 80 }, () => get(high))))).toBe(70)
  })
})
