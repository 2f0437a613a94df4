import { Context, Effect, Exit, Fiber, Layer, Scope } from "effect"
import pg from "pg"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { Database } from "../../src/database/Database.ts"
import { layer as hostLayer } from "../../src/host/HostDatabase.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

let test: Awaited<ReturnType<typeof TestDatabase.open>>
let locker: InstanceType<typeof pg.Client>
let pool: InstanceType<typeof pg.Pool>
let scope: Scope.Closeable

beforeAll(async () => {
  test = await TestDatabase.open()
  locker = new pg.Client(test.nodePostgres)
  await locker.connect()
})
afterAll(async () => {
  await locker.end()
  await test.close()
})
beforeEach(async () => {
  scope = await Effect.runPromise(Scope.make())
  pool = new pg.Pool({ ...test.nodePostgres, max: 8 })
})
afterEach(async () => {
  await locker.query("SELECT pg_advisory_unlock_all()")
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await pool.end()
})

const open = async (layer: Layer.Layer<Database, unknown>) =>
  Context.get(await Effect.runPromise(Scope.provide(Layer.build(layer), scope)), Database)
/** Both have eight connections for transactions. */
const ways = {
  "by URL": () => open(Database.layer({ ...test.connection, maxConnections: 15 })),
  "over a host's pool": () => open(hostLayer({ pool }))
}

const waiting = async (): Promise<number> => {
  const { rows } = await locker.query(
    "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = " +
      "(SELECT oid FROM pg_database WHERE datname = current_database())"
  )
  return rows[0]?.["n"] as number
}
const until = async (expected: number): Promise<number> => {
  for (const end = performance.now() + 5_000; performance.now() < end; )
    if ((await waiting()) === expected) return expected
  return waiting()
}

const write = (database: Database["Service"], storeId: string, statement: string) =>
  database.write(storeId)(Effect.orDie(database.sql.unsafe(statement)))

describe("writes of a store that wait for a lock", () => {
  it.each(Object.entries(ways))(
    "%s: have three quarters of the connections, and another store writes meanwhile",
    async (_name, way) => {
      const database = await way()
      await locker.query("SELECT pg_advisory_lock(1)")
      const crowd = Effect.runFork(
        Effect.all(
          Array.from({ length: 20 }, () => write(database, "store_crowd", "SELECT pg_advisory_xact_lock(1)")),
          { concurrency: "unbounded" }
        )
      )
      expect(await until(6)).toBe(6)
      for (let i = 0; i < 5; i++) await Effect.runPromise(write(database, "store_other", "SELECT 1"))
      expect(await waiting()).toBe(6)
      await locker.query("SELECT pg_advisory_unlock(1)")
      expect(await Effect.runPromise(Fiber.join(crowd))).toHaveLength(20)
    }
  )
})
