import { Context, Effect, Exit, Fiber, Layer, Scope } from "effect"
import pg from "pg"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { Database } from "../../src/database/Database.ts"
import { layer as hostLayer } from "../../src/host/HostDatabase.ts"
import { classify } from "../../src/database/SqlErrors.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

let test: Awaited<ReturnType<typeof TestDatabase.open>>
let locker: InstanceType<typeof pg.Client>
/** Its own session: within a transaction, what others do is seen as it was at the first look. */
let observer: InstanceType<typeof pg.Client>
let scope: Scope.Closeable
let pool: InstanceType<typeof pg.Pool>

beforeAll(async () => {
  test = await TestDatabase.open()
  locker = new pg.Client(test.nodePostgres)
  await locker.connect()
  observer = new pg.Client(test.nodePostgres)
  await observer.connect()
  await locker.query("INSERT INTO account (id, name, created_at) VALUES ('acct_1', 'A', now())")
})
afterAll(async () => {
  await locker.end()
  await observer.end()
  await test.close()
})
beforeEach(async () => {
  scope = await Effect.runPromise(Scope.make())
  pool = new pg.Pool({ ...test.nodePostgres, max: 2 })
  pool.on("error", () => undefined)
})
afterEach(async () => {
  await locker.query("ROLLBACK").catch(() => undefined)
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await pool.end()
})

const open = async (layer: Layer.Layer<Database, unknown>) =>
  Context.get(await Effect.runPromise(Scope.provide(Layer.build(layer), scope)), Database)
const bounds = { statementTimeout: 5_000, lockTimeout: 4_000, idleInTransactionTimeout: 15_000 }

/**
 * The ways to the database: by URL, and over a host's pool as it is used with and without a schema and a transaction
 * pooler.
 */
const ways = {
  "by URL": (more = {}) =>
    open(Database.layer({ ...test.connection, maxConnections: 2, applicationName: "host", ...more })),
  "over a pool": (more = {}) => open(hostLayer({ pool, ...more })),
  "over a pool, in a schema": (more = {}) => open(hostLayer({ pool, schema: "public", ...more })),
  "over a pool behind a transaction pooler": (more = {}) => open(hostLayer({ pool, prepare: false, ...more }))
}
const each = Object.entries(ways).map(([name, way]) => [name, way] as const)

const lock = async () => {
  await locker.query("BEGIN")
  await locker.query("LOCK TABLE account IN ACCESS EXCLUSIVE MODE")
}
const waiting = async () =>
  (
    await observer.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
  ).rows[0]?.["n"] as number
const until = async (expected: number, within = 3_000) => {
  for (const end = performance.now() + within; performance.now() < end; )
    if ((await waiting()) === expected) return expected
  return waiting()
}

const read = ({ sql }: Database["Service"]) => sql`SELECT id FROM account`
const write = ({ sql, platform }: Database["Service"]) =>
  platform(sql`UPDATE account SET name = 'B' WHERE id = 'acct_1'`)
const works = [
  ["a read", read],
  ["a transaction", write]
] as const

describe.each(each)("a locked table, %s", (_, way) => {
  it.each(works)("holds %s no longer than the bounds, and the client is free again", async (_name, work) => {
    const database = await way({ bounds: { ...bounds, lockTimeout: 300 } })
    await lock()
    const began = performance.now()
    const failed = await Effect.runPromise(
      Effect.sandbox(work(database) as Effect.Effect<unknown, unknown>).pipe(Effect.flip)
    )
    expect(performance.now() - began).toBeLessThan(2_500)
    const [reason] = failed.reasons
    expect(reason && classify("error" in reason ? reason.error : "defect" in reason ? reason.defect : undefined)).toBe(
      "unavailable"
    )
    await locker.query("ROLLBACK")
    expect(await Effect.runPromise(read(database))).toEqual([{ id: "acct_1" }])
  })

  it.each(works)(
    "answers who stops waiting for %s at once, and the next one gets a clean client",
    async (_name, work) => {
      const database = await way()
      await lock()
      const fiber = Effect.runFork(work(database) as Effect.Effect<unknown, unknown>)
      expect(await until(1)).toBe(1)
      const began = performance.now()
      await Effect.runPromise(Fiber.interrupt(fiber))
      expect(performance.now() - began).toBeLessThan(3_000)
      await locker.query("ROLLBACK")
      expect(await until(0)).toBe(0)
      expect(await Effect.runPromise(read(database))).toEqual([{ id: "acct_1" }])
      await Effect.runPromise(write(database) as Effect.Effect<unknown>)
      expect((await locker.query("SELECT name FROM account")).rows).toEqual([{ name: "B" }])
      await locker.query("UPDATE account SET name = 'A'")
    }
  )
})

describe("what nobody waits for", () => {
  it("is given up by the server too, so that it holds no locks (by URL)", async () => {
    const database = await ways["by URL"]()
    await lock()
    const fiber = Effect.runFork(write(database) as Effect.Effect<unknown, unknown>)
    expect(await until(1)).toBe(1)
    await Effect.runPromise(Fiber.interrupt(fiber))
    // Well before the lock would be given up for its bound of 4 s.
    expect(await until(0, 1_500)).toBe(0)
  })

  it("is not waited for in the line for a client of the pool either", async () => {
    const database = await ways["over a pool"]()
    const taken = [await pool.connect(), await pool.connect()]
    const fiber = Effect.runFork(read(database))
    const began = performance.now()
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect(performance.now() - began).toBeLessThan(3_000)
    for (const client of taken) client.release()
    expect(await Effect.runPromise(read(database))).toEqual([{ id: "acct_1" }])
    // Nothing of it is kept: the host gets all of its clients at once.
    const all = await Promise.all([pool.connect(), pool.connect()])
    for (const client of all) client.release()
  })
})

describe("the host's own settings", () => {
  const settingsOf = async () => {
    const clients = [await pool.connect(), await pool.connect()]
    const names = ["statement_timeout", "lock_timeout", "search_path", "role"]
    const found = []
    for (const client of clients) {
      const { rows } = await client.query(
        `SELECT ${names.map((name, i) => `current_setting('${name}') AS s${i}`).join(", ")}`
      )
      found.push(Object.values(rows[0] as Record<string, string>).join(" | "))
    }
    for (const client of clients) client.release()
    return [...new Set(found)]
  }

  it.each(each.slice(1))("are what they were after reads, refused reads and transactions, %s", async (_, way) => {
    const database = await way()
    const before = await settingsOf()
    await Effect.runPromise(read(database))
    await Effect.runPromise(Effect.exit(database.sql`SELECT 1 / 0`))
    await Effect.runPromise(write(database) as Effect.Effect<unknown>)
    expect(await settingsOf()).toEqual(before)
    expect(before).toEqual(['0 | 0 | "$user", public | none'])
  })

  it("are kept where they bound more than ours, and ours hold while a statement of ours runs", async () => {
    const shown = ({ sql }: Database["Service"]) =>
      sql`SELECT current_setting('statement_timeout') AS s, current_setting('lock_timeout') AS l`
    for (const [, way] of each) expect(await Effect.runPromise(shown(await way()))).toEqual([{ s: "5s", l: "4s" }])
    await pool.end()
    pool = new pg.Pool({ ...test.nodePostgres, max: 2, statement_timeout: 1_000 })
    for (const [, way] of each.slice(1))
      expect(await Effect.runPromise(shown(await way()))).toEqual([{ s: "1s", l: "4s" }])
  })
})
