/**
 * The way to PostgreSQL for every room. Statements outside a transaction share connections (pipelined); `write` and `platform` open a transaction
 * on a connection of their own. A write names its store before its first statement, so the policies of row-level security hold; only
 * serialization failures and deadlocks are tried again, at most three times. An SqlError is a defect for all but the repository that means it.
 */
import { PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, Schedule, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlClient } from "effect/sql"
import {
  applicationSession,
  type ConnectionOptions,
  defaultBounds,
  plainSession,
  pooledSession,
  pooledSettings,
  type SessionBounds
} from "./ConnectionOptions.ts"
import { WriteOutsideStore } from "./DatabaseErrors.ts"
import { makePostgresClient, Opening, type OpeningStatements } from "./internal/postgresClient.ts"
import { retryTransaction } from "./internal/retryTransaction.ts"
import { CurrentStatementLog, type StatementLog } from "./StatementLog.ts"

export interface DatabaseMethods {
  /** Tagged template; inside `write` and `platform` it runs on the transaction's connection, where statements sent together travel together. */
  readonly sql: SqlClient.SqlClient
  /**
   * One transaction for one store: its rows and no other store's can be written. Nested for the same store it joins, for another one it is a
   * defect (WriteOutsideStore). A typed failure rolls back. The body may run up to four times, so nothing but the database may happen in it.
   */
  readonly write: (storeId: string) => <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** One transaction over platform tables; joins an open one. `write` inside of it joins too and names the store from there on. */
  readonly platform: <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Runs after the surrounding transaction has committed; at once outside of one. */
  readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
  /**
   * Payloads notified on a channel, over a direct connection that is made again whenever it is lost. `undefined` comes first and after each
   * reconnection: notifications may have been missed, so whoever keeps copies must drop them all.
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

/** Which store the open write transaction is for. */
const WritingFor = Context.Reference<string | undefined>("@effect-commerce/core/database/WritingFor", { defaultValue: () => undefined })

const nameStore = "SELECT set_config('app.store_id', $1, true)"

export class Database extends Context.Service<Database, DatabaseMethods>()("@effect-commerce/core/database/Database") {
  static readonly layer = (options: DatabaseOptions) => Layer.effect(Database, make(options)).pipe(Layer.provide(Reactivity.layer))
}

const make = Effect.fnUntraced(function* ({ maxConnections, bounds, direct, statementLog, ...connection }: DatabaseOptions) {
  const limits = { ...defaultBounds, ...bounds }
  const config = direct === undefined ? applicationSession(connection, limits) : pooledSession(connection)
  const settings: OpeningStatements = direct === undefined ? [] : pooledSettings(limits)
  const sql = yield* makePostgresClient(config, poolSizes(maxConnections ?? 12), statementLog ?? (yield* CurrentStatementLog))
  return Database.of({ sql, ...transactionsOn(sql, settings), afterCommit: sql.afterCommit, listen: listenOn(direct ?? connection) })
})

const poolSizes = (connections: number) => {
  const readers = Math.max(1, Math.floor(connections / 3))
  return { readers, writers: Math.max(1, connections - readers) }
}

/** `write` and `platform` over any client; a client that cannot send statements along with BEGIN sends them one by one. */
const transactionsOn = (sql: SqlClient.SqlClient, settings: OpeningStatements): Pick<DatabaseMethods, "write" | "platform"> => {
  const isOpen = Effect.map(Effect.serviceOption(sql.transactionService), Option.isSome)

  const transaction = <A, E, R>(body: Effect.Effect<A, E, R>, opening: OpeningStatements) =>
    retryTransaction(Effect.provideService(sql.withTransaction(body), Opening, opening))

  const joinPlatform = <A, E, R>(storeId: string, body: Effect.Effect<A, E, R>) =>
    Effect.andThen(Effect.orDie(sql.unsafe(nameStore, [storeId])), body) as Effect.Effect<A, E, R>

  const write: DatabaseMethods["write"] =
    (storeId) =>
    <A, E, R>(body: Effect.Effect<A, E, R>) =>
      Effect.flatMap(Effect.all([WritingFor, isOpen]), ([writingFor, open]) => {
        if (writingFor === storeId) return body as Effect.Effect<A, E, R>
        if (writingFor !== undefined) return Effect.die(new WriteOutsideStore({ open: writingFor, asked: storeId }))
        const owned = Effect.provideService(body, WritingFor, storeId)
        return open ? joinPlatform(storeId, owned) : transaction(owned, [...settings, [nameStore, [storeId]]])
      })

  const platform: DatabaseMethods["platform"] = <A, E, R>(body: Effect.Effect<A, E, R>) =>
    Effect.flatMap(isOpen, (open) => (open ? (body as Effect.Effect<A, E, R>) : transaction(body, settings)))

  return { write, platform }
}

/** A lost session is taken up again: after 100 ms, then less and less often, at least every 5 s. */
const reconnecting = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])

const listenOn =
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
