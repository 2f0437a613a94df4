import { Context, Effect, Exit, Layer, Scope } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Database } from "../../src/database/Database.ts"
import { layer as hostLayer } from "../../src/host/HostDatabase.ts"
import { largestMessage } from "../../src/database/internal/messageBound.ts"
import { largestParameters } from "../../src/database/ParameterBound.ts"
import { classify } from "../../src/database/SqlErrors.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { failureOf } from "./sqlFailure.ts"

let test: Awaited<ReturnType<typeof TestDatabase.open>>
let scope: Scope.Closeable
const open = async (layer: Layer.Layer<Database, unknown>) =>
  await Effect.runPromise(Scope.provide(Layer.build(layer), scope))
/** One connection for reads, one for transactions: whoever reads shares. */
let database: Database["Service"]

beforeAll(async () => {
  test = await TestDatabase.open()
  scope = await Effect.runPromise(Scope.make())
  const services = await open(Database.layer({ ...test.connection, maxConnections: 2 }))
  database = Context.get(services, Database)
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await test.close()
})

/** A row of one text of so many bytes: its message has ten bytes more. */
const rowOf = (bytes: number) => database.sql<{ readonly text: string }>`SELECT repeat('x', ${bytes}::int) AS text`
const whole = largestMessage - 10
const backend = (wait: number) =>
  Effect.suspend(
    () => database.sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid, pg_sleep(${wait}::float8)`
  )

describe("a row over the bound", () => {
  it("fails its own statement; those before and behind it on the shared connection are answered by the same backend", async () => {
    const pids = () => Array.from({ length: 3 }, () => Effect.map(backend(0.01), ([row]) => row?.pid))
    const asked = [...pids(), Effect.map(Effect.exit(rowOf(whole + 1)), failureOf), ...pids()]
    const answers = await Effect.runPromise(Effect.all(asked, { concurrency: "unbounded" }))
    expect(new Set(answers).size).toBe(2)
    expect(answers[3]).toBe("XX000")
    expect(typeof answers[0]).toBe("number")
  })

  it("is a bug of ours for the edge, and at the bound it is read", async () => {
    const failed = await Effect.runPromise(Effect.flip(rowOf(whole + 1)))
    expect(classify(failed)).toBe("bug")
    expect(failed.reason.cause).toMatchObject({
      message: `a message of ${largestMessage + 1} bytes is over the bound of ${largestMessage}`
    })
    const [row] = await Effect.runPromise(rowOf(whole))
    expect(row?.text.length).toBe(whole)
  })

  it("fails again when it is asked again by its prepared name, behind rows that were fine", async () => {
    const rows = database.sql`SELECT repeat('x', n) AS text FROM unnest(${[1, 2, whole + 1, 3]}::int[]) AS n`
    for (let time = 0; time < 3; time++)
      expect(await Effect.runPromise(Effect.map(Effect.exit(rows), failureOf))).toBe("XX000")
    expect(await Effect.runPromise(database.sql`SELECT 1 AS one`)).toEqual([{ one: 1 }])
  })

  it("fails one statement of a transaction, which is taken back and leaves its connection usable", async () => {
    const { sql, platform } = database
    const [before] = await Effect.runPromise(platform(backend(0)))
    const work = platform(
      Effect.gen(function* () {
        yield* sql`INSERT INTO account (id, name, created_at) VALUES ('acct_large', 'A', now())`
        yield* rowOf(whole + 1)
      })
    )
    expect(failureOf(await Effect.runPromise(Effect.exit(work)))).toBe("XX000")
    expect(await Effect.runPromise(sql`SELECT id FROM account WHERE id = 'acct_large'`)).toEqual([])
    expect((await Effect.runPromise(platform(backend(0))))[0]?.pid).toBe(before?.pid)
  })
})

describe("parameters over the bound", () => {
  const tooMany = ["x".repeat(largestParameters - 3), ["y", "zz"], new Uint8Array(1)]
  const lengths = (sql: Database["Service"]["sql"], params: ReadonlyArray<unknown>) =>
    sql.unsafe<{ readonly n: number }>(
      "SELECT length($1::text) + length(array_to_string($2::text[], '')) + length($3::bytea) AS n",
      params
    )

  it("fail their own statement before it is sent, as something too large to store; neighbours are answered", async () => {
    const answers = await Effect.runPromise(
      Effect.all([backend(0.01), Effect.map(Effect.exit(lengths(database.sql, tooMany)), failureOf), backend(0)], {
        concurrency: "unbounded"
      })
    )
    expect(answers[1]).toBe("54000")
    expect(answers[0]).toEqual(answers[2])
    expect(classify(await Effect.runPromise(Effect.flip(lengths(database.sql, tooMany))))).toBe("invalid")
  })

  it("are sent at the bound", { timeout: 60_000 }, async () => {
    const fitting = ["x".repeat(largestParameters - 3), ["y", "z"], new Uint8Array(1)]
    expect(await Effect.runPromise(lengths(database.sql, fitting))).toEqual([{ n: largestParameters }])
  })

  it("fail alike over a host's pool, whose client goes back usable", async () => {
    const pool = new pg.Pool({ ...test.nodePostgres, max: 1 })
    const services = await open(hostLayer({ pool }))
    const { sql } = Context.get(services, Database)
    expect(failureOf(await Effect.runPromise(Effect.exit(lengths(sql, tooMany))))).toBe("54000")
    expect(await Effect.runPromise(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }])
    await pool.end()
  })
})
