/** A database over a pool of a host, with a table of the host's own and two stores. */
import { Cause, Context, Effect, Exit, Layer, Schema } from "effect"
import { SqlError } from "effect/sql"
import pg, { type Pool, type PoolClient, type Queryable } from "pg"
import { Database } from "../../src/database/Database.ts"
import * as HostDatabase from "../../src/host/HostDatabase.ts"
import { Outbox } from "../../src/outbox/Outbox.ts"
import { sqlStateOf, uniqueViolation } from "../../src/database/SqlErrors.ts"
import { CurrentStatementLog, makeStatementCounter } from "../../src/database/StatementLog.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"

export class NameTaken extends Schema.TaggedError<NameTaken>()("NameTaken", {}) {}
export class Refused extends Schema.TaggedError<Refused>()("Refused", {}) {}

/** The host's own pool, of a superuser, with a table of the host's. */
export class Host extends Context.Service<Host, Pool>()("test/Host") {
  static readonly layer = Layer.effect(
    Host,
    Effect.gen(function* () {
      const { nodePostgres } = yield* TestDatabase
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new pg.Pool({ ...nodePostgres, max: 5 })),
        (open) => Effect.promise(() => open.end())
      )
      pool.on("error", () => undefined)
      yield* Effect.promise(() => pool.query("CREATE TABLE host_note (id int PRIMARY KEY, text text NOT NULL)"))
      return pool
    })
  )
}

const insertStore = (id: string) =>
  Effect.flatMap(Database, ({ sql, platform }) =>
    platform(
      Effect.gen(function* () {
        const at = new Date("2026-01-01T00:00:00Z")
        yield* sql`INSERT INTO account (id, name, created_at) VALUES (${`acc_${id}`}, 'A', ${at})`
        yield* sql`INSERT INTO store (id, account_id, name, currency, country, created_at, updated_at) VALUES (${id}, ${`acc_${id}`}, 'S', 'USD', 'US', ${at}, ${at})`
      })
    )
  )

export const counter = makeStatementCounter()
const overPool = Layer.unwrap(Effect.map(Host, (pool) => HostDatabase.layer({ pool })))
const stores = Layer.effectDiscard(Effect.forEach(["st_a", "st_b"], insertStore))
export const live = Layer.mergeAll(
  stores,
  Outbox.layer(() => true)
).pipe(
  Layer.provideMerge(overPool),
  Layer.provideMerge(Host.layer),
  Layer.provideMerge(TestDatabase.layerCopy),
  Layer.provide(Layer.succeed(CurrentStatementLog, counter))
)

const at = "2026-01-01"
export const insertClass = (storeId: string, id: string, name = id) =>
  Effect.flatMap(Database, ({ sql }) =>
    sql`INSERT INTO tax_class (store_id, id, name, created_at, updated_at) VALUES (${storeId}, ${id}, ${name}, ${at}, ${at})`.pipe(
      uniqueViolation("tax_class_store_id_name_key", () => new NameTaken())
    )
  )
export const classesOf = (storeId: string) =>
  Effect.flatMap(Database, ({ sql }) =>
    Effect.map(
      Effect.orDie(sql<{ readonly id: string }>`SELECT id FROM tax_class WHERE store_id = ${storeId} ORDER BY id`),
      (rows) => rows.map(({ id }) => id)
    )
  )
export const writeClass = (storeId: string, id: string, name = id) =>
  Effect.flatMap(Database, ({ write }) => write(storeId)(insertClass(storeId, id, name)))

export const query = (client: Queryable, text: string) => Effect.promise(async () => (await client.query(text)).rows)

/** A client of the host with a transaction open on it, ended as `end` says. */
export const hostTransaction = <A, E, R>(
  body: (client: PoolClient) => Effect.Effect<A, E, R>,
  end: "COMMIT" | "ROLLBACK" = "COMMIT"
) =>
  Effect.acquireUseRelease(
    Effect.flatMap(Host, (pool) => Effect.promise(() => pool.connect())),
    (client) =>
      Effect.andThen(
        query(client, "BEGIN"),
        Effect.tap(body(client), () => query(client, end))
      ),
    (client) =>
      Effect.promise(async () =>
        client.release(
          await client.query("ROLLBACK").then(
            () => false,
            () => true
          )
        )
      )
  )

/** What an administrator does, or a crash: ends the session that sleeps, as soon as it does. */
export const endSleeping = (pool: Pool) =>
  Effect.repeat(
    query(
      pool,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep(4)%' AND state = 'active'"
    ),
    { until: (rows) => rows.length === 1 }
  )

export const failureOf = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Exit.isFailure(exit) ? Cause.squash(exit.cause) : "succeeded"
export const stateOf = (exit: Exit.Exit<unknown, unknown>): unknown => {
  const error = failureOf(exit)
  return SqlError.isSqlError(error) ? sqlStateOf(error) : error
}
