/** Secrets of an app: written, merged, removed, never returned. */
import { AppSecrets } from "@effect-commerce/core/app/AppSecrets"
import type { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { install, type Installed } from "./installed.ts"

let shop: TestCommerce
let sql: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  sql = new pg.Client(shop.database.nodePostgres)
  await sql.connect()
})
afterAll(async () => {
  await sql.end()
  await shop.close()
})

const put = (app: Installed, secrets: unknown, headers = {}) =>
  app.call("PUT", "/secrets", { body: { secrets }, headers })
const opened = (app: Installed) =>
  shop.run(
    AppSecrets.use((secrets) =>
      secrets.open({ storeId: shop.storeId, installationId: app.id })
    ) as unknown as Effect.Effect<Record<string, string>>
  )
const stored = async (app: Installed) =>
  (await sql.query("SELECT key, value FROM app_secret WHERE installation_id = $1 ORDER BY key", [app.id])).rows

describe("secrets", () => {
  it("are merged, null removes, and only names come back", async () => {
    const app = await install(shop)
    const first = await put(app, { B_KEY: "beta", A1: "alpha-value" })
    expect([first.status, first.body]).toEqual([
      200,
      { keys: ["A1", "B_KEY"], updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) }
    ])
    const second = await put(app, { A1: null, C: "ü", NEVER_WAS: null })
    expect([second.body.keys, second.body.updatedAt > first.body.updatedAt]).toEqual([["B_KEY", "C"], true])
    expect(await opened(app)).toEqual({ B_KEY: "beta", C: "ü" })
    expect((await put(app, {})).body.keys).toEqual(["B_KEY", "C"])
    expect(`${first.text}${second.text}`).not.toMatch(/alpha-value|beta/)
  })

  it("are sealed for their own row, with the id of the key", async () => {
    const app = await install(shop)
    await put(app, { ONE: "the plain value", TWO: "the plain value" })
    const rows = await stored(app)
    for (const { value } of rows) expect(value).toMatch(/^[0-9a-f]{8}\.[\w-]{40,}$/)
    expect(JSON.stringify(rows)).not.toContain("plain")
    expect(rows[0]?.value).not.toBe(rows[1]?.value)
    await sql.query("UPDATE app_secret SET value = $2 WHERE installation_id = $1 AND key = 'ONE'", [
      app.id,
      rows[1]?.value
    ])
    await expect(opened(app)).rejects.toThrow(/does not open/)
  })

  it.each([
    [{ lower: "x" }, ["secrets.lower"]],
    [{ "1A": "x", A: "ok" }, ["secrets.1A"]],
    [{ "A-B": null, "": "x", ["A".repeat(65)]: "x" }, ["secrets.A-B", "secrets.", `secrets.${"A".repeat(65)}`]],
    [{ BIG: "x".repeat(4_097) }, ["secrets.BIG"]],
    [{ BIG: "x".repeat(65_537) }, ["secrets.BIG"]],
    [{ WIDE: "ü".repeat(2_049) }, ["secrets.WIDE"]],
    [{ NUMBER: 5 }, ["secrets.NUMBER"]],
    ["text", ["secrets"]],
    [undefined, ["secrets"]],
    [Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`K${i}`, "v"])), ["secrets"]],
    [Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`K${i}`, "v"])), ["secrets"]]
  ])("are refused by their names: %#", async (secrets, fields) => {
    const app = await install(shop)
    await put(app, { KEPT: "kept" })
    const { status, body, text } = await put(app, secrets)
    expect([status, body.code, Object.keys(body.details.errors)]).toEqual([400, "VALIDATION_FAILED", fields])
    expect(text).not.toContain("xxxx")
    expect(await opened(app)).toEqual({ KEPT: "kept" })
  })

  it("may be fifty of 4096 bytes, counted after merging", async () => {
    const app = await install(shop)
    const many = (from: number, to: number, value: string | null) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`K${from + i}`, value]))
    expect((await put(app, many(0, 50, "ü".repeat(2_048)))).body.keys).toHaveLength(50)
    const over = await put(app, { ONE_MORE: "x" })
    expect([over.status, over.body.details.errors]).toEqual([400, { secrets: "must have at most 50 entries in all" }])
    expect((await put(app, { ...many(0, 50, null), ...many(50, 100, "v") })).body.keys).toHaveLength(50)
    expect(Object.keys(await opened(app))).toContain("K99")
  })

  it("are written only as they were read, where If-Match says so", async () => {
    const app = await install(shop)
    const { updatedAt } = (await put(app, { A: "1" })).body
    const stale = await put(app, { A: "2" }, { "if-match": '"2020-01-01T00:00:00.000Z"' })
    expect([stale.status, stale.body.code]).toEqual([409, "CONFLICT"])
    expect((await put(app, { A: "3" }, { "if-match": `"${updatedAt}"` })).status).toBe(200)
    expect(await opened(app)).toEqual({ A: "3" })
  })

  it("leave no trace in logs or stored answers", async () => {
    const lines: Array<string> = []
    for (const name of ["log", "error", "warn", "info", "debug"] as const)
      vi.spyOn(console, name).mockImplementation((...words) => void lines.push(words.map(String).join(" ")))
    const app = await install(shop)
    const headers = { "idempotency-key": "secrets" }
    const [first, second] = [
      await put(app, { HIDDEN: "hide-me-please" }, headers),
      await put(app, { HIDDEN: "hide-me-please" }, headers)
    ]
    vi.restoreAllMocks()
    expect([first.status, second.body]).toEqual([200, first.body])
    const kept = await sql.query("SELECT idempotency::text AS text FROM idempotency")
    expect(lines.join() + kept.rows.map(({ text }) => text).join()).not.toContain("hide-me-please")
  })
})
