/**
 * The way to PostgreSQL for every room. Statements outside a transaction share connections, heavy ones (HeavyReads.ts)
 * have a few of their own (decision 0028); `write` and `platform` open a transaction on a connection of their own. A
 * write names its store before its first statement, so the policies of row-level security hold; only serialization
 * failures and deadlocks are tried again, at most three times. An SqlError is a defect, except where a repository makes
 * a domain error of a constraint it names (SqlErrors.ts).
 */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Context, Effect, Layer, Schedule, type Scope, Stream } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlClient } from "effect/sql"
import {
  type ConnectionOptions,
  defaultBounds,
  heavyBounds,
  plainSession,
  pooledSettings,
  servingSession,
  type SessionBounds
} from "./ConnectionOptions.ts"
import type { DatabaseDriver, Reads } from "./DatabaseDriver.ts"
import { heavyTurns, inTwoLanes } from "./internal/heavyLane.ts"
import { makePostgresConnections } from "./internal/postgresDriver.ts"
import { makeTransactionalClient } from "./internal/transactionalClient.ts"
import { transactionsOn } from "./internal/transactions.ts"
import { CurrentStatementLog, type StatementLog } from "./StatementLog.ts"

export interface DatabaseOptions extends ConnectionOptions {
  /**
   * Connections of this process in all, at least one of each kind: a third of them for reads, a sixth for heavy ones;
   * 12 by default.
   */
  readonly maxConnections?: number | undefined
  readonly bounds?: Partial<SessionBounds> | undefined
  /** Where LISTEN connects, if not to the same place: set when that place is a transaction pooler (PgBouncer). */
  readonly direct?: ConnectionOptions | undefined
  /** Sees every statement; for tests. */
  readonly statementLog?: StatementLog | undefined
}

export interface LaneLoad {
  readonly lane: "transactions" | "heavy_reads"
  readonly connections: number
  readonly underWay: number
  readonly waiting: number
}

export class Database extends Context.Service<Database>()("@effect-commerce/core/database/Database", {
  make: Effect.fnUntraced(function* (driver: DatabaseDriver) {
    const heavy = heavyTurns(driver.heavyReads.connections)
    const sql = yield* makeTransactionalClient(driver, heavy)
    const { load, ...transactions } = transactionsOn(sql, driver)
    return {
      /**
       * Tagged template; inside `write` and `platform` it runs on the transaction's connection, where statements sent
       * together travel together.
       */
      sql: sql as SqlClient.SqlClient,
      ...transactions,
      /** How busy the lanes are in which callers wait for a connection. */
      lanes: (): ReadonlyArray<LaneLoad> => [
        { lane: "transactions", connections: driver.transactions, ...load() },
        { lane: "heavy_reads", connections: driver.heavyReads.connections, ...heavy.load() }
      ],
      /**
       * Payloads notified on a channel, over a direct connection that is reopened whenever it is lost. `undefined`
       * comes first and after each reconnection: notifications may have been missed, so caches that depend on them must
       * be cleared.
       */
      listen: driver.listen
    }
  })
}) {
  static readonly layer = (options: DatabaseOptions) => this.layerOver(postgresDriver(options))

  static readonly layerOver = <E>(driver: Effect.Effect<DatabaseDriver, E, Reactivity.Reactivity | Scope.Scope>) =>
    Layer.effect(this, Effect.flatMap(driver, this.make)).pipe(Layer.provide(Reactivity.layer))
}

/** A driver over a URL or a socket. It connects when it is first used. */
export const postgresDriver = Effect.fnUntraced(function* ({
  maxConnections,
  bounds: given,
  direct,
  statementLog,
  ...connection
}: DatabaseOptions) {
  const bounds = { ...defaultBounds, ...given }
  const log = statementLog ?? (yield* CurrentStatementLog)
  const sessions = {
    every: servingSession(connection, direct, bounds),
    heavy: servingSession(connection, direct, heavyBounds(bounds))
  }
  return {
    ...(yield* makePostgresConnections(sessions, poolSizes(maxConnections ?? 12), log)),
    settings: direct === undefined ? [] : pooledSettings(bounds),
    bounds,
    log,
    listen: listenOn(direct ?? connection)
  }
})

/** Statements outside of transactions, the heavy ones in a lane of their own. */
export const readsOf = ({ reads, heavyReads }: Pick<DatabaseDriver, "reads" | "heavyReads">): Reads =>
  inTwoLanes(reads, heavyReads, heavyTurns(heavyReads.connections))

const poolSizes = (connections: number) => {
  const readers = Math.max(1, Math.floor(connections / 3))
  const heavyReaders = Math.max(1, Math.floor(connections / 6))
  return { readers, heavyReaders, writers: Math.max(1, connections - readers - heavyReaders) }
}

/** A lost session is reopened: after 100 ms, then at growing intervals of at most 5 s. */
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
