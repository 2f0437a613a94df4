/** Apps whose requests meet. */
import pg from "pg"
import { waitedFor } from "@effect-commerce/core/testing/LockWaits"
import { findingsOf, questionOf } from "@effect-commerce/core/audit/Law"
import { laws } from "@effect-commerce/core/audit/Laws"
import { AppInstallations } from "@effect-commerce/core/app/AppInstallations"
import { Database } from "@effect-commerce/core/database/Database"
import { one } from "@effect-commerce/core/database/Repository"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { heldRow } from "../heldRow.ts"
import { install, installByHand, type Installed, product } from "./installed.ts"

let shop: TestCommerce
let twin: Commerce
let sql: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  twin = await shop.openTwin()
  sql = new pg.Client(shop.database.nodePostgres)
  await sql.connect()
})
afterAll(async () => {
  await sql.end()
  await shop.close()
})

/** Through one of the two processes. */
const send = async (app: Installed, i: number, method: string, path: string, body?: object, key = app.token) => {
  const request = new Request(`http://commerce.test/api/v1/installations/${app.id}${path}`, {
    method,
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const answer = await (i % 2 === 0 ? shop.commerce : twin).fetch(request, { clientAddress: "127.0.0.1" })
  return { status: answer.status, body: (await answer.json()) as { id: string; code?: string; token?: string } }
}
const mappingsOf = async (app: Installed) =>
  (await sql.query("SELECT id, external_id FROM app_mapping WHERE installation_id = $1", [app.id])).rows
const countOf = async (app: Installed) =>
  (await sql.query("SELECT mappings FROM app_installation WHERE id = $1", [app.id])).rows[0]?.mappings

describe("upserts of one key at once, through two processes", () => {
  it("make one mapping, and every one of them succeeds", async () => {
    const app = await installByHand(shop, "first-party")
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        send(app, i, "PUT", "/mappings/upsert", product("p1", { externalId: `e${i}` }))
      )
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect([(await mappingsOf(app)).length, await countOf(app)]).toEqual([1, 1])
  })

  it("wait for each other where both have come before either has written", async () => {
    const app = await installByHand(shop, "first-party")
    const installation = await heldRow(shop, "app_installation", app.id)
    const upserts = [0, 1].map((i) => send(app, i, "PUT", "/mappings/upsert", product("p1", { externalId: `e${i}` })))
    await installation.awaited(2)
    await installation.free()
    const answers = await Promise.all(upserts)
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect([new Set(answers.map(({ body }) => body.id)).size, await countOf(app)]).toEqual([1, 1])
  })

  it("and creates: one is created, the others are told of it", async () => {
    const app = await installByHand(shop, "first-party")
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => send(app, i, "POST", "/mappings", product("p1")))
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(9).fill(409)])
    expect([(await mappingsOf(app)).length, await countOf(app)]).toEqual([1, 1])
  })
})

describe("one app installed twice at once", () => {
  it("is installed once", async () => {
    const body = { name: "Twins", scopes: ["mappings:read"] }
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.call("POST", "/v1/installations", { body })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(409)])
  })
})

describe("a token that is renewed while it is used", () => {
  it("serves what had begun, and nothing after; of two renewals the last token works", async () => {
    const app = await install(shop)
    const [one, two] = await Promise.all([
      send(app, 0, "POST", "/token", undefined, shop.apiKey),
      send(app, 1, "POST", "/token", undefined, shop.apiKey)
    ])
    expect([one.status, two.status]).toEqual([200, 200])
    const works = await Promise.all(
      [app.token, one.body.token, two.body.token].map(
        async (token) => (await send(app, 0, "GET", "/mappings", undefined, token)).status
      )
    )
    expect(works[0]).toBe(401)
    expect(works.slice(1).toSorted()).toEqual([200, 401])
    expect((await sql.query("SELECT 1 FROM app_token WHERE installation_id = $1", [app.id])).rowCount).toBe(1)
  })
})

describe("a token that is renewed while its row is being read", () => {
  it("is served once more, and not remembered", async () => {
    const app = await install(shop)
    const work = Effect.gen(function* () {
      const [apps, { sql: client }] = [yield* AppInstallations, yield* Database]
      const store = yield* (yield* Stores).context(shop.storeId)
      const read = <A extends object>(select: Statement.Fragment) => one(client<A>`${select}`)
      const slow = <A extends object>(select: Statement.Fragment) =>
        Effect.tap(read<A>(select), () => apps.renewToken(store, app.id))
      const [first, second] = [yield* apps.recognise(app.token, slow), yield* apps.recognise(app.token, read)]
      return [first?.installationId, second]
    })
    expect(await shop.run(work as unknown as Effect.Effect<unknown>)).toEqual([app.id, undefined])
  })
})

describe("a write that meets the removal of its app", () => {
  it("is made before it or is 404, and leaves nothing that the worker does not find", async () => {
    const app = await install(shop)
    await sql.query("BEGIN")
    await sql.query("SELECT 1 FROM app_installation WHERE id = $1 FOR UPDATE", [app.id])
    const removal = shop.call("DELETE", `/v1/installations/${app.id}`)
    await waitedFor(sql, 1)
    const writes = [
      send(app, 0, "POST", "/mappings", product("p1")),
      send(app, 1, "PUT", "/secrets", { secrets: { A: "b" } }),
      send(app, 0, "POST", "/inbound/orders", {})
    ]
    await waitedFor(sql, 4)
    await sql.query("COMMIT")
    expect((await removal).status).toBe(200)
    const statuses = (await Promise.all(writes)).map(({ status }) => status)
    for (const status of statuses) expect([200, 201, 202, 404]).toContain(status)
    for (const table of ["app_token", "app_secret"])
      expect((await sql.query(`SELECT 1 FROM ${table} WHERE installation_id = $1`, [app.id])).rowCount).toBe(0)
  })

  it("leaves the books true", async () => {
    const found = []
    for (const law of laws.filter((each) => each.law.startsWith("app.")))
      found.push(...findingsOf(law, shop.storeId, (await sql.query(questionOf(law), [shop.storeId])).rows as never))
    expect(found).toEqual([])
  })
})
