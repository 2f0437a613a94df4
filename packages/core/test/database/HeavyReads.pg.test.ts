import { Cause, Effect, Exit, Fiber, Layer, ManagedRuntime } from "effect"
import { Client, Pool } from "pg"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { Database } from "../../src/database/Database.ts"
import { HeavyReadRefused } from "../../src/database/DatabaseErrors.ts"
import { heavyRead } from "../../src/database/HeavyReads.ts"
import * as HostDatabase from "../../src/host/HostDatabase.ts"
import { heavyReadsWaiting } from "../../src/database/internal/heavyLane.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

/** Reads that wait for a lock stand for those that take long: they take as long as the test wants. */
let test: Awaited<ReturnType<typeof TestDatabase.open>>
let holder: Client
const runtimes: Array<ManagedRuntime.ManagedRuntime<Database, unknown>> = []

beforeAll(async () => {
  test = await TestDatabase.open()
  holder = new Client(test.nodePostgres)
  await holder.connect()
  await holder.query("SELECT pg_advisory_lock(1)")
})
afterEach(async () => {
  await release()
  for (const runtime of runtimes.splice(0)) await runtime.dispose()
  await holder.query("SELECT pg_advisory_lock(1)")
})
afterAll(async () => {
  await holder.end()
  await test.close()
})

const opened = async (layer: Layer.Layer<Database, unknown>): Promise<Database["Service"]> => {
  const runtime = ManagedRuntime.make(layer)
  runtimes.push(runtime)
  return runtime.runPromise(Database)
}
const overUrl = (more = {}) => opened(Database.layer({ ...test.connection, ...more }))

const release = () => holder.query("SELECT pg_advisory_unlock_all()")
const slow = ({ sql }: Database["Service"]) => sql`SELECT pg_advisory_xact_lock_shared(1), 'slow' AS answer`
const quick = ({ sql }: Database["Service"]) => sql<{ readonly answer: string }>`SELECT 'quick' AS answer`

/** Statements of the database that wait for the lock. */
const waiting = async (count: number) => {
  for (;;) {
    const { rows }: { readonly rows: ReadonlyArray<unknown> } = await holder.query(
      "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    if ((rows as ReadonlyArray<{ readonly n: number }>)[0]?.n === count) return
  }
}

const refusalOf = (exit: Exit.Exit<unknown, unknown>) => {
  const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  return defect instanceof HeavyReadRefused ? defect.reason : exit
}

describe("statements outside of transactions", () => {
  it("go to an idle connection before a busy one, and open one where there may be more", async () => {
    const database = await overUrl({ maxConnections: 6 })
    await Effect.runPromise(quick(database))
    const busy = Effect.runFork(slow(database))
    await waiting(1)
    for (let i = 0; i < 3; i++) expect(await Effect.runPromise(quick(database))).toEqual([{ answer: "quick" }])
    // As many are under way on either then: the one that answers is taken.
    await Effect.runPromise(Effect.all([quick(database), quick(database)], { concurrency: 2 }))
    await release()
    await Effect.runPromise(Fiber.join(busy))
  })

  it("share the busy connections evenly where there are no more", async () => {
    const database = await overUrl({ maxConnections: 6 })
    const pids = Effect.map(database.sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`, ([row]) => row?.pid)
    const asked = await Effect.runPromise(
      Effect.all(
        Array.from({ length: 16 }, () => pids),
        { concurrency: 16 }
      )
    )
    const counts = [...new Set(asked)].map((pid) => asked.filter((one) => one === pid).length)
    expect(counts).toEqual([8, 8])
  })
})

describe.each([
  ["by URL", () => overUrl({ maxConnections: 12 })],
  ["in a host's pool", () => opened(hosted(6))]
])("heavy reads (%s)", (_how, open) => {
  it("keep no other read waiting, of their store or another, however many there are", async () => {
    const database = await open()
    const heavy = Array.from({ length: 8 }, (_, i) => Effect.runFork(heavyRead(`st_${i % 2}`)(slow(database))))
    await waiting(2)
    for (let i = 0; i < 3; i++) expect(await Effect.runPromise(quick(database))).toEqual([{ answer: "quick" }])
    await release()
    for (const fiber of heavy) await Effect.runPromise(Fiber.join(fiber))
  })

  it("of one store leave a connection to those of another", async () => {
    const database = await open()
    const heavy = Array.from({ length: 4 }, () => Effect.runFork(heavyRead("st_a")(slow(database))))
    await waiting(1)
    expect(await Effect.runPromise(heavyRead("st_b")(quick(database)))).toEqual([{ answer: "quick" }])
    await waiting(1)
    await release()
    for (const fiber of heavy) await Effect.runPromise(Fiber.join(fiber))
  })

  it("of which a store has too many waiting are refused, and those of another are not", async () => {
    const database = await open()
    const heavy = Array.from({ length: 1 + heavyReadsWaiting }, () => Effect.runFork(heavyRead("st_a")(slow(database))))
    await waiting(1)
    expect(refusalOf(await Effect.runPromiseExit(heavyRead("st_a")(quick(database))))).toBe("busy")
    expect(await Effect.runPromise(heavyRead("st_b")(quick(database)))).toEqual([{ answer: "quick" }])
    await release()
    for (const fiber of heavy) await Effect.runPromise(Fiber.join(fiber))
  })

  it("that nobody waits for any more give their connection back", async () => {
    const database = await open()
    const heavy = Effect.runFork(heavyRead("st_a")(slow(database)))
    await waiting(1)
    await Effect.runPromise(Fiber.interrupt(heavy))
    expect(await Effect.runPromise(heavyRead("st_a")(quick(database)))).toEqual([{ answer: "quick" }])
  })
})

describe("a heavy read that takes too long", () => {
  it.each([
    ["by URL", () => overUrl({ bounds: { heavyReadTimeout: 50 } })],
    ["in a host's pool", () => opened(hosted(3, { heavyReadTimeout: 50 }))]
  ])("is given up, earlier than other statements (%s)", async (_how, open) => {
    const database = await open()
    expect(refusalOf(await Effect.runPromiseExit(heavyRead("st_a")(slow(database))))).toBe("slow")
    const other = Effect.runFork(slow(database))
    await waiting(1)
    expect(await Effect.runPromise(heavyRead("st_a")(quick(database)))).toEqual([{ answer: "quick" }])
    await release()
    await Effect.runPromise(Fiber.join(other))
  })
})

const hosted = (max: number, bounds = {}) =>
  Layer.unwrap(
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new Pool({ ...test.nodePostgres, max })),
        (pool) => Effect.promise(() => pool.end())
      ),
      (pool) => HostDatabase.layer({ pool, bounds, direct: test.connection })
    )
  )
