import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import pg from "pg"
import { Database } from "../../src/database/Database.ts"
import { analyzeGrown } from "../../src/database/TableStatistics.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"

/** A client as the owner of the tables, on which nothing but the tests analyses. */
const asOwner = <A>(use: (client: InstanceType<typeof pg.Client>) => Promise<A>) =>
  Effect.flatMap(TestDatabase, ({ nodePostgres }) =>
    Effect.promise(async () => {
      const client = new pg.Client(nodePostgres)
      await client.connect()
      try {
        return await use(client)
      } finally {
        await client.end()
      }
    })
  )

const fill = Effect.fnUntraced(function* (from: number, count: number) {
  const { sql } = yield* Database
  yield* sql`INSERT INTO idempotency (store_id, credential, key, fingerprint, owner, claimed_until, expires_at)
    SELECT 'store_1', 'c', 'k' || n, 'f', 'o', now(), now() FROM generate_series(${from}::int, ${from + count - 1}::int) AS n`
})

const known = Effect.gen(function* () {
  const { sql } = yield* Database
  const [row] = yield* sql<{ readonly rows: number; readonly analyses: bigint }>`
    SELECT c.reltuples AS rows, pg_stat_get_analyze_count(c.oid) AS analyses FROM pg_class c WHERE c.oid = 'idempotency'::regclass`
  return [row?.rows, Number(row?.analyses)]
})

const analyze = Effect.flatMap(Database, analyzeGrown)

const emptied = asOwner(async (client) => {
  await client.query("ALTER TABLE idempotency SET (autovacuum_enabled = false)")
  await client.query("TRUNCATE idempotency")
  await client.query("SELECT pg_stat_reset_single_table_counters('idempotency'::regclass)")
})

layer(TestDatabase.layer)("tables that have grown", (it) => {
  it.effect("are analysed by the application's role: once, and again when they have grown by a fifth", () =>
    Effect.gen(function* () {
      yield* emptied
      yield* fill(1, 2_000)
      yield* analyze
      expect(yield* known).toEqual([2_000, 1])
      yield* analyze
      yield* fill(2_001, 200)
      yield* analyze
      expect(yield* known).toEqual([2_000, 1])
      yield* fill(2_201, 400)
      yield* analyze
      expect(yield* known).toEqual([2_600, 2])
    })
  )

  it.effect("are analysed where a new index has counted their pages alone", () =>
    Effect.gen(function* () {
      yield* emptied
      yield* fill(1, 2_000)
      yield* asOwner(async (client) => {
        // Else an index counts nothing.
        await client.query("ALTER TABLE idempotency RESET (autovacuum_enabled)")
        await client.query("CREATE INDEX of_a_migration ON idempotency (fingerprint)")
      })
      expect(yield* known).toEqual([2_000, 0])
      yield* analyze
      expect(yield* known).toEqual([2_000, 1])
    })
  )

  it.effect("are left to the session that analyses already, and to nobody's wait", () =>
    Effect.gen(function* () {
      yield* emptied
      yield* fill(1, 2_000)
      const context = yield* Effect.context<Database>()
      yield* asOwner(async (client) => {
        await client.query("BEGIN")
        await client.query("SELECT analyze_grown(ARRAY['public.idempotency'])")
        await Effect.runPromise(Effect.provideContext(analyze, context))
        await client.query("COMMIT")
      })
      expect((yield* known)[1]).toBe(0)
      yield* analyze
      expect(yield* known).toEqual([2_000, 1])
    })
  )
})
