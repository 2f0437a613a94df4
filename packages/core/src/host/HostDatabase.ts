/**
 * The database over a host's node-postgres pool, for programs that have one already: a read borrows a client for one
 * statement, each transaction has a client to itself. The pool and its settings stay the host's; our transactions set
 * what they need (role, timeouts, time zone, store) for themselves, and PostgreSQL resets it at their end. So row-level
 * security holds for every write, also if the pool connects as a superuser; statements outside of a transaction, which
 * are reads and the counters of rate limits, run as the pool's own user, under the same timeouts unless the host has
 * set its own.
 */
import { Cause, Effect, Queue, Schedule, type Scope, Stream } from "effect"
import type { SqlError } from "effect/sql"
import {
  type ConnectionOptions,
  defaultBounds,
  heavyBounds,
  type SessionBounds
} from "../database/ConnectionOptions.ts"
import { Database, listenOn } from "../database/Database.ts"
import type { DatabaseDriver, Reads } from "../database/DatabaseDriver.ts"
import { quoteIdentifier } from "../database/SqlText.ts"
import { CurrentStatementLog, type StatementLog } from "../database/StatementLog.ts"
import * as Migrations from "../migration/Migrations.ts"
import type { HostPool } from "./HostClient.ts"
import { HostConnection } from "./internal/hostConnection.ts"
import { hostError } from "./internal/hostErrors.ts"
import { lend, lendUnder } from "./internal/hostLending.ts"
import { hostSettings, readSettings } from "./internal/hostSettings.ts"
import { lendTransaction, readsInTransactions } from "./internal/lentTransaction.ts"

/** A host's pool, and the schema of our tables. */
export interface HostedTables {
  readonly pool: HostPool
  /**
   * The schema of our tables, if it is not the first of the pool's search_path: it keeps ours and the host's tables
   * apart.
   */
  readonly schema?: string | undefined
  /** False if the pool reaches PostgreSQL through a transaction pooler without prepared statements. True by default. */
  readonly prepare?: boolean | undefined
}

export interface HostDatabaseOptions extends HostedTables {
  /** The connection for LISTEN. Without it one client of the pool is kept for each channel. */
  readonly direct?: ConnectionOptions | undefined
  readonly bounds?: Partial<SessionBounds> | undefined
  /** Sees every statement; for tests. */
  readonly statementLog?: StatementLog | undefined
}

/** `Database`, reached through the host's pool. */
export const layer = (options: HostDatabaseOptions) => Database.layerOver(hostDriver(options))

/**
 * `Migrations.up` on a client of the pool, which is closed afterwards. Its user must be allowed to create tables, the
 * role and, if it is missing, the schema.
 */
export const migrate = (pool: HostPool, options: { readonly schema?: string | undefined } = {}) =>
  Effect.scoped(
    Effect.flatMap(
      lend(pool, () => false),
      (client) => {
        const connection = new HostConnection(client, { prepare: false })
        const query: Migrations.Session["query"] = (text, params = []) =>
          Effect.map(connection.executeRaw(text, params), ({ rows }) => ({
            rows: rows as ReadonlyArray<Readonly<Record<string, unknown>>>
          }))
        return Migrations.upOn({ query }, options)
      }
    )
  )

const hostDriver = Effect.fnUntraced(function* ({
  pool,
  schema,
  direct,
  prepare = true,
  bounds: given,
  statementLog
}: HostDatabaseOptions) {
  const bounds = { ...defaultBounds, ...given }
  const log = statementLog ?? (yield* CurrentStatementLog)
  const options = { prepare, log }
  const transaction = lendTransaction(pool, options)
  // A pooler may give each statement another session, whose settings must not change: each statement then runs in its
  // own transaction.
  const readsWithin = (within: SessionBounds): Reads =>
    prepare
      ? readsUnder(lendUnder(pool, readSettings(within, schema), options))
      : readsInTransactions(transaction, within, schema)
  const clients = pool.options?.max ?? unknownPool
  const driver: DatabaseDriver = {
    name: "pg-host",
    reads: readsWithin(bounds),
    heavyReads: { ...readsWithin(heavyBounds(bounds)), connections: Math.max(1, Math.floor(clients / 3)) },
    transaction,
    transactions: clients,
    settings: hostSettings(bounds, schema),
    bounds,
    schema,
    log,
    listen: direct === undefined ? listenThrough(pool) : listenOn(direct)
  }
  return driver
})

/** Size of a pool that does not say its size: the default of node-postgres. */
const unknownPool = 10

const readsUnder = (acquirer: Effect.Effect<HostConnection, SqlError.SqlError, Scope.Scope>): Reads => ({
  acquirer,
  borrower: (use) => Effect.scoped(Effect.flatMap(acquirer, use))
})

/** A lost client is replaced: after 100 ms, then at growing intervals of at most 5 s. */
const reconnecting = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])

const listenThrough =
  (pool: HostPool) =>
  (channel: string): Stream.Stream<string | undefined> =>
    Stream.unwrap(
      Effect.gen(function* () {
        // Never returned to the pool: it listens.
        const client = yield* lend(pool, () => false)
        const notices = yield* Queue.unbounded<string | undefined, SqlError.SqlError>()
        client.on("notification", (notice) => {
          if (notice.channel === channel) Queue.offerUnsafe(notices, notice.payload ?? "")
        })
        const lost = (cause: unknown) => Queue.failCauseUnsafe(notices, Cause.fail(hostError(cause, "listen")))
        client.on("error", lost)
        client.on("end", () => lost(new Error("the connection that listens has ended")))
        yield* new HostConnection(client, { prepare: false }).executeRaw(`LISTEN ${quoteIdentifier(channel)}`, [])
        return Stream.concat(Stream.succeed(undefined), Stream.fromQueue(notices))
      })
    ).pipe(Stream.retry(reconnecting), Stream.orDie)
