/**
 * The way to PostgreSQL for every room. Statements outside a transaction share connections (pipelined); `write` and
 * `platform` open a transaction on a connection of their own. A write names its store before its first statement, so
 * the policies of row-level security hold; only serialization failures and deadlocks are tried again, at most three
 * times. An SqlError is a defect for all but the repository that means it.
 */
import { PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Schedule, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlClient, SqlError } from "effect/sql"
import {
  type ConnectionOptions,
  defaultBounds,
  plainSession,
  pooledSettings,
  servingSession,
  type SessionBounds
} from "./ConnectionOptions.ts"
import type { HostClient } from "./HostClient.ts"
import { makePostgresClient } from "./internal/postgresClient.ts"
import { transactionsOn } from "./internal/transactions.ts"
import { CurrentStatementLog, type StatementLog } from "./StatementLog.ts"

export interface DatabaseMethods {
  /**
   * Tagged template; inside `write` and `platform` it runs on the transaction's connection, where statements sent
   * together travel together.
   */
  readonly sql: SqlClient.SqlClient
  /**
   * One transaction for one store: its rows and no other store's can be written. Nested for the same store it joins,
   * for another one it is a defect (WriteOutsideStore). A typed failure rolls back. The body may run up to four times,
   * so nothing but the database may happen in it.
   */
  readonly write: (storeId: string) => <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * One transaction over platform tables; joins an open one. `write` inside of it joins too and names the store from
   * there on.
   */
  readonly platform: <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Sends a write of the surrounding transaction without waiting for its result: it travels with the next statement or
   * with the commit, and the commit fails if the write failed. For writes that return nothing and have no error that
   * the caller handles. Outside of a transaction, and on a host's connection, it is waited for.
   */
  readonly withCommit: <A, R>(statement: Effect.Effect<A, SqlError.SqlError, R>) => Effect.Effect<void, never, R>
  /**
   * Runs after the surrounding transaction has committed; at once outside of one; never inside a host's, whose commit
   * we do not see.
   */
  readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
  /**
   * Runs the body inside the transaction that a host has open on its own client, whatever this database is reached by:
   * in a savepoint, as the application's role, under our bounds where the host has none. A failure takes back the
   * body's writes and leaves the host's transaction usable. Calls on one client wait for each other. `write` inside of
   * it is a savepoint, not a transaction, and is not tried again.
   */
  readonly join: (client: HostClient) => <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Payloads notified on a channel, over a direct connection that is made again whenever it is lost. `undefined` comes
   * first and after each reconnection: notifications may have been missed, so whoever keeps copies must drop them all.
   */
  readonly listen: (channel: string) => Stream.Stream<string | undefined>
}

export interface DatabaseOptions extends ConnectionOptions {
  /** Connections of this process in all, a third of them for reads; 12 unless told. */
  readonly maxConnections?: number | undefined
  readonly bounds?: Partial<SessionBounds> | undefined
  /** Where LISTEN connects, if not to the same place: set when that place is a transaction pooler (PgBouncer). */
  readonly direct?: ConnectionOptions | undefined
  /** Sees every statement; for tests. */
  readonly statementLog?: StatementLog | undefined
}

export class Database extends Context.Service<Database, DatabaseMethods>()("@effect-commerce/core/database/Database") {
  static readonly layer = (options: DatabaseOptions) =>
    Layer.effect(Database, make(options)).pipe(Layer.provide(Reactivity.layer))
}

const make = Effect.fnUntraced(function* ({
  maxConnections,
  bounds,
  direct,
  statementLog,
  ...connection
}: DatabaseOptions) {
  const limits = { ...defaultBounds, ...bounds }
  const log = statementLog ?? (yield* CurrentStatementLog)
  const config = servingSession(connection, direct, limits)
  const settings = direct === undefined ? [] : pooledSettings(limits)
  const sql = yield* makePostgresClient(config, poolSizes(maxConnections ?? 12), log)
  return Database.of({
    sql,
    ...transactionsOn(sql, { settings, bounds: limits, log }),
    listen: listenOn(direct ?? connection)
  })
})

const poolSizes = (connections: number) => {
  const readers = Math.max(1, Math.floor(connections / 3))
  return { readers, writers: Math.max(1, connections - readers) }
}

/** A lost session is taken up again: after 100 ms, then less and less often, at least every 5 s. */
const reconnecting = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])

export const listenOn =
  (connection: ConnectionOptions) =>
  (channel: string): Stream.Stream<string | undefined> =>
    Stream.unwrap(
      Effect.gen(function* () {
        const session = yield* PgConnection.make(plainSession({ ...connection, applicationName: "commerce listener" }))
        const notices = yield* session.listen(channel)
        const payloads = Stream.map(Stream.fromQueue(notices), (notice): string | undefined => notice.payload)
        return Stream.concat(Stream.succeed(undefined), payloads)
      })
    ).pipe(Stream.retry(reconnecting), Stream.orDie)
