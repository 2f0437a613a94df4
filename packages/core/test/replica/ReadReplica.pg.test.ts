/** The database with a real replica beside it, which lags, conflicts, stops, comes back, and is promoted. */
import { Context, Effect, Layer, ManagedRuntime } from "effect"
import { Client } from "pg"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { nodePostgresConfig } from "../../src/database/ConnectionOptions.ts"
import { Database } from "../../src/database/Database.ts"
import { heavyRead } from "../../src/database/HeavyReads.ts"
import * as Replica from "../../src/replica/ReadReplica.ts"
import { lookAtReplica } from "../../src/replica/ReplicaDiagnosis.ts"
import { fromReplica, goToPrimary } from "../../src/replica/ReplicaReads.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { startTestReplica, type TestReplica } from "../../src/testservers/TestReplica.ts"
import { runStatement, startTestServer, type TestServer } from "../../src/testing/TestServer.ts"

let server: { readonly server: TestServer; readonly stop: () => Promise<void> }
let replica: TestReplica
let test: Awaited<ReturnType<typeof TestDatabase.open>>
let name: string
const runtimes: Array<ManagedRuntime.ManagedRuntime<never, unknown>> = []

interface Opened {
  readonly database: Database["Service"]
  readonly replica: Replica.ReadReplicaMethods
}

const open = async (options: Partial<Replica.ReplicaOptions> = {}, more: object = {}): Promise<Opened> => {
  const both = Replica.layer(
    { ...test.connection, ...more },
    {
      connection: replica.connectionTo(name),
      maxLagMillis: 60_000,
      ...options
    }
  )
  const runtime = ManagedRuntime.make(Layer.provideMerge(Layer.empty, both))
  runtimes.push(runtime as never)
  const context = await runtime.context()
  return { database: Context.get(context, Database), replica: Context.get(context, Replica.ReadReplica) }
}

/** Looks until the state is so. */
const until = async ({ replica: read }: Opened, isServing: boolean) => {
  for (;;) {
    await Effect.runPromise(read.look)
    if (read.state()?.isServing === isServing) return
  }
}

const isReplica = ({ database: { sql } }: Opened) =>
  Effect.map(sql<{ readonly yes: boolean }>`SELECT pg_is_in_recovery() AS yes`, ([row]) => row?.yes)
const read = (opened: Opened, storeId = "store_1") => Effect.runPromise(fromReplica(storeId)(isReplica(opened)))

const primary = (statement: string) => Effect.runPromise(runStatement(test.connection, statement))

beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestReplica(server.server)
}, 120_000)
afterAll(async () => {
  await replica?.close()
  await server?.stop()
})
beforeEach(async () => {
  test = await TestDatabase.open({ server: server.server })
  name = String(test.connection.database)
  await primary("CREATE TABLE told (n int)")
  await primary("GRANT ALL ON told TO commerce_app")
  await replica.caughtUp()
})
afterEach(async () => {
  for (const runtime of runtimes.splice(0)) await runtime.dispose()
  await test.close()
})

describe("reads with a replica beside the primary", () => {
  it("go to the replica where the request says so, and to the primary everywhere else", async () => {
    const opened = await open()
    await until(opened, true)
    expect(await read(opened)).toBe(true)
    expect(await Effect.runPromise(isReplica(opened))).toBe(false)
    expect(await Effect.runPromise(fromReplica("store_1")(heavyRead("store_1")(isReplica(opened))))).toBe(true)
    expect(await Effect.runPromise(fromReplica("store_1")(opened.database.platform(isReplica(opened))))).toBe(false)
    expect(opened.replica.state()).toMatchObject({ byReplica: 2, byPrimary: 0, askedAgain: 0 })
  })

  it("go to the primary until the replica has been looked at", async () => {
    const opened = await open({ connection: { ...replica.connectionTo(name), port: 1 } })
    expect(await read(opened)).toBe(false)
    await Effect.runPromise(opened.replica.look)
    expect(opened.replica.state()).toMatchObject({ isServing: false, byReplica: 0, byPrimary: 1, askedAgain: 0 })
    expect(opened.replica.state()?.why).toMatch(/^it does not answer/)
  })

  it("stay on the primary for the rest of a request that has gone there", async () => {
    const opened = await open()
    await until(opened, true)
    const both = Effect.all([isReplica(opened), goToPrimary, isReplica(opened)])
    expect(await Effect.runPromise(fromReplica("store_1")(both))).toEqual([true, undefined, false])
    opened.replica.wrote("store_1")
    const caught = Effect.all([
      isReplica(opened),
      Effect.repeat(opened.replica.look, { until: () => opened.replica.state()?.isServing === true, times: 3 }),
      isReplica(opened)
    ])
    const [before, , after] = await Effect.runPromise(fromReplica("store_1")(caught))
    expect([before, after]).toEqual([false, false])
    expect(await read(opened)).toBe(true)
  })

  it("see what this process has written for the store, also while the replica is behind by less than the bound", async () => {
    const opened = await open()
    await until(opened, true)
    await replica.run("SELECT pg_wal_replay_pause()")
    await Effect.runPromise(opened.database.platform(opened.database.sql`INSERT INTO told VALUES (1)`))
    const told = (storeId: string) =>
      Effect.runPromise(fromReplica(storeId)(opened.database.sql<{ readonly n: number }>`SELECT n FROM told`))
    // The bound of this test allows a minute.
    expect(await told("store_1")).toEqual([])
    opened.replica.wrote("store_1")
    expect(await told("store_1")).toEqual([{ n: 1 }])
    expect(await told("store_2")).toEqual([])
    await replica.run("SELECT pg_wal_replay_resume()")
    await replica.caughtUp()
    await vi.waitFor(async () => {
      await Effect.runPromise(opened.replica.look)
      expect(await read(opened)).toBe(true)
    }, 20_000)
    expect(await told("store_1")).toEqual([{ n: 1 }])
  })

  it("leave a replica that lags beyond the bound, and return by themselves when it has caught up", async () => {
    const opened = await open({ maxLagMillis: 200 })
    await until(opened, true)
    await replica.run("SELECT pg_wal_replay_pause()")
    await primary("INSERT INTO told VALUES (2)")
    await until(opened, false)
    expect(opened.replica.state()?.why).toBe("it lags")
    expect(opened.replica.state()?.lagMillis).toBeGreaterThan(200)
    expect(await read(opened)).toBe(false)
    await replica.run("SELECT pg_wal_replay_resume()")
    await until(opened, true)
    // It is judged at every read: a machine that is busy may answer later than this small bound.
    await vi.waitFor(async () => {
      await Effect.runPromise(opened.replica.look)
      expect(await read(opened)).toBe(true)
    }, 20_000)
  })

  it("take no primary that is idle for a replica that lags", async () => {
    const opened = await open({ maxLagMillis: 1_000 })
    await until(opened, true)
    for (let i = 0; i < 5; i++) {
      await Effect.runPromise(opened.replica.look)
      expect(opened.replica.state()).toMatchObject({ isServing: true })
    }
  })

  it("are asked of the primary once more where replaying cancels them, and the replica goes on serving", async () => {
    await replica.run("ALTER SYSTEM SET max_standby_streaming_delay = 0")
    await replica.run("SELECT pg_reload_conf()")
    const opened = await open({}, { bounds: { heavyReadTimeout: 60_000, lockTimeout: 50_000 } })
    await until(opened, true)
    const conflicts = async () =>
      Number(
        (await replica.run(`SELECT confl_lock AS n FROM pg_stat_database_conflicts WHERE datname = '${name}'`))[0]?.[
          "n"
        ]
      )
    const holder = new Client(nodePostgresConfig(replica.connectionTo(name)))
    await holder.connect()
    await holder.query("SELECT pg_advisory_lock(1)")
    // On the replica it waits for that lock, until replaying the lock of ALTER TABLE ends it.
    const slow = opened.database.sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM told,
      LATERAL (SELECT CASE WHEN pg_is_in_recovery() THEN pg_advisory_xact_lock_shared(1) END) w`
    await primary("INSERT INTO told VALUES (1)")
    await replica.caughtUp()
    const before = await conflicts()
    const reading = Effect.runPromise(Effect.result(fromReplica("store_1")(heavyRead("store_1")(slow))))
    await vi.waitFor(async () => {
      const rows = await replica.run("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
      expect(rows.length).toBe(1)
    }, 20_000)
    await primary("ALTER TABLE told ADD COLUMN more int")
    expect(await reading).toMatchObject({ _tag: "Success", success: [{ n: 1 }] })
    expect(opened.replica.state()).toMatchObject({ isServing: true, byReplica: 0, byPrimary: 1, askedAgain: 1 })
    await vi.waitFor(async () => expect(await conflicts()).toBe(before + 1), 20_000)
    await holder.end()
    await replica.run("ALTER SYSTEM RESET max_standby_streaming_delay")
    await replica.run("SELECT pg_reload_conf()")
  })

  it("are asked of the primary where the replica does not answer in time", async () => {
    const opened = await open()
    await until(opened, true)
    const slow = opened.database.sql<{ readonly there: boolean }>`SELECT pg_is_in_recovery() AS there
      FROM (SELECT CASE WHEN pg_is_in_recovery() THEN pg_sleep(4) END) w`
    expect(await Effect.runPromise(fromReplica("store_1")(slow))).toEqual([{ there: false }])
    expect(opened.replica.state()).toMatchObject({ isServing: true, byReplica: 0, byPrimary: 1, askedAgain: 1 })
  })

  it("are asked of the primary where a session of the replica is ended, and the others go on there", async () => {
    const opened = await open()
    await until(opened, true)
    const slow = opened.database.sql<{ readonly there: boolean }>`SELECT pg_is_in_recovery() AS there
      FROM (SELECT CASE WHEN pg_is_in_recovery() THEN pg_sleep(1.9) END) lost_session`
    const reading = Effect.runPromise(fromReplica("store_1")(slow))
    await vi.waitFor(async () => {
      const ended = await replica.run(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%lost\\_session%'
           AND pid <> pg_backend_pid()`
      )
      expect(ended.length).toBe(1)
    }, 20_000)
    expect(await reading).toEqual([{ there: false }])
    expect(opened.replica.state()).toMatchObject({ isServing: true, byReplica: 0, byPrimary: 1, askedAgain: 1 })
    await Effect.runPromise(opened.replica.look)
    expect(await read(opened)).toBe(true)
  })

  it("fail as on the primary where the statement is wrong, and are asked twice for that", async () => {
    const opened = await open()
    await until(opened, true)
    const wrong = opened.database.sql`SELECT 1 / 0`
    expect(await Effect.runPromise(Effect.flip(fromReplica("store_1")(wrong)))).toMatchObject({ _tag: "SqlError" })
    expect(opened.replica.state()).toMatchObject({ isServing: true, askedAgain: 1 })
  })

  it("go on without a break while the replica is stopped, and return to it when it is there again", async () => {
    const opened = await open()
    await until(opened, true)
    expect(await read(opened)).toBe(true)
    await replica.stop()
    expect(await read(opened)).toBe(false)
    // A lost connection asks for a look at once.
    await vi.waitFor(() => expect(opened.replica.state()?.isServing).toBe(false), 20_000)
    await Effect.runPromise(opened.replica.look)
    expect(opened.replica.state()?.why).toMatch(/^it does not answer/)
    await replica.start()
    await until(opened, true)
    expect(await read(opened)).toBe(true)
  })

  it("refuse a server that is no replica, and another database of the replica", async () => {
    const itself = await open({ connection: test.connection })
    await Effect.runPromise(itself.replica.look)
    expect(itself.replica.state()?.why).toBe("it is no replica: it takes writes of its own, as after a promotion")
    expect(await read(itself)).toBe(false)
    const other = await open({ connection: replica.connectionTo(server.server.template) })
    await Effect.runPromise(other.replica.look)
    expect(other.replica.state()?.why).toBe("it is no copy of the database of DATABASE_URL")
    expect(await read(other)).toBe(false)
  })

  it("are explained by the diagnosis: how far behind, no copy, no replica, not there", async () => {
    const seen = (connection: Replica.ReplicaOptions["connection"], enough = 60_000) =>
      Effect.runPromise(Effect.result(lookAtReplica(test.connection, { connection }, enough)))
    const near = await seen(replica.connectionTo(name))
    expect(near).toMatchObject({ _tag: "Success" })
    await replica.run("SELECT pg_wal_replay_pause()")
    await primary("INSERT INTO told VALUES (3)")
    const behind = await seen(replica.connectionTo(name), 20)
    await replica.run("SELECT pg_wal_replay_resume()")
    expect(behind._tag === "Success" ? behind.success : 0).toBeGreaterThan(20)
    expect(await seen(test.connection)).toMatchObject({
      failure: "it is no replica: it takes writes of its own, as after a promotion"
    })
    expect(await seen({ ...replica.connectionTo(name), port: 1 })).toMatchObject({
      failure: expect.stringMatching(/^it does not answer/)
    })
  })

  it("leave a replica that is promoted: it has gone its own way", async () => {
    const opened = await open()
    await until(opened, true)
    expect(await read(opened)).toBe(true)
    await replica.run("SELECT pg_promote()")
    await until(opened, false)
    expect(opened.replica.state()?.why).toBe("it is no replica: it takes writes of its own, as after a promotion")
    expect(await read(opened)).toBe(false)
  })
})
