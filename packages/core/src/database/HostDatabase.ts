/**
 * The database over a host's node-postgres pool, for programs that have one already: reads take a client for one statement, each transaction has a
 * client to itself. The pool and its settings stay the host's; what a transaction of ours needs (role, bounds, time zone, store) it sets for itself
 * and PostgreSQL forgets at its end. So row-level security holds for every write, also where the pool connects as a superuser; statements outside of
 * a transaction, which are reads and the pipeline's counters, run as the pool's own user.
 */
import { Cause, Effect, Exit, Layer, Queue, Schedule, type Scope, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlError } from "effect/sql"
import { type ConnectionOptions, defaultBounds, type SessionBounds } from "./ConnectionOptions.ts"
import { Database, listenOn } from "./Database.ts"
import type { HostPool, HostPoolClient } from "./HostClient.ts"
import { HostConnection } from "./internal/hostConnection.ts"
import { hostError } from "./internal/hostErrors.ts"
import { hostSettings, LentTransaction } from "./internal/hostTransaction.ts"
import { makeTransactionalClient } from "./internal/transactionalClient.ts"
import { transactionsOn } from "./internal/transactions.ts"
import * as Migrations from "./Migrations.ts"
import { CurrentStatementLog, type StatementLog } from "./StatementLog.ts"

export interface HostDatabaseOptions {
  readonly pool: HostPool
  /** Where LISTEN connects. Without it one client of the pool is kept for each channel that is listened on. */
  readonly direct?: ConnectionOptions | undefined
  /** False where the pool reaches PostgreSQL through a transaction pooler that knows no prepared statements. True unless told. */
  readonly prepare?: boolean | undefined
  readonly bounds?: Partial<SessionBounds> | undefined
  /** Sees every statement; for tests. */
  readonly statementLog?: StatementLog | undefined
}

/** `Database`, reached through the host's pool. */
export const layer = (options: HostDatabaseOptions) => Layer.effect(Database, make(options)).pipe(Layer.provide(Reactivity.layer))

/** `Migrations.up` on a client of the pool, which is ended afterwards. Its user must be allowed to make tables and the role. */
export const migrate = (pool: HostPool) =>
  Effect.scoped(
    Effect.flatMap(
      lend(pool, () => false),
      (client) => {
        const connection = new HostConnection(client, { prepare: false })
        return Migrations.upOn({
          query: (text, params = []) =>
            Effect.map(connection.executeRaw(text, params), ({ rows }) => ({ rows: rows as ReadonlyArray<Readonly<Record<string, unknown>>> }))
        })
      }
    )
  )

const make = Effect.fnUntraced(function* ({ pool, direct, prepare = true, bounds, statementLog }: HostDatabaseOptions) {
  const limits = { ...defaultBounds, ...bounds }
  const log = statementLog ?? (yield* CurrentStatementLog)
  const options = { prepare, log }
  const sql = yield* makeTransactionalClient({
    driver: "pg-host",
    acquirer: Effect.map(lend(pool), (client) => new HostConnection(client, options)),
    borrower: (use) => Effect.scoped(Effect.flatMap(lend(pool), (client) => use(new HostConnection(client, options)))),
    transaction: Effect.gen(function* () {
      const lent: Array<LentTransaction> = []
      const client = yield* lend(pool, () => lent.every(({ usable }) => usable))
      const transaction = new LentTransaction(client, options)
      lent.push(transaction)
      return yield* Effect.acquireRelease(Effect.succeed(transaction), ({ end }) => end)
    })
  })
  return Database.of({
    sql,
    ...transactionsOn(sql, { settings: hostSettings(limits), bounds: limits, log }),
    listen: direct === undefined ? listenThrough(pool) : listenOn(direct)
  })
})

/** How long a client of the pool is waited for: as long as for a connection of our own. */
const patience = 5_000

/** A client until the scope ends. It is ended and not lent again when its connection failed, or `reusable` says no. */
export const lend = (pool: HostPool, reusable: () => boolean = () => true): Effect.Effect<HostPoolClient, SqlError.SqlError, Scope.Scope> =>
  Effect.suspend(() => {
    let broken = false
    const note = () => {
      broken = true
    }
    const release = (client: HostPoolClient, exit: Exit.Exit<unknown, unknown>) =>
      Effect.sync(() => {
        client.removeListener("error", note)
        client.release(broken || !reusable() || (Exit.isFailure(exit) && lostConnection(exit.cause)))
      })
    return Effect.acquireRelease(
      Effect.tap(connect(pool), (client) => Effect.sync(() => client.on("error", note))),
      release
    )
  })

const lostConnection = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return SqlError.isSqlError(error) && error.reason._tag === "ConnectionError"
}

/** In real time, whatever clock is provided. A client that comes too late goes back. */
const connect = (pool: HostPool): Effect.Effect<HostPoolClient, SqlError.SqlError> =>
  Effect.callback<HostPoolClient, SqlError.SqlError>((resume) => {
    let waiting = true
    const settle = (answer: Effect.Effect<HostPoolClient, SqlError.SqlError>) => {
      waiting = false
      clearTimeout(timer)
      resume(answer)
    }
    const timer = setTimeout(() => settle(Effect.fail(hostError(new Error("the host's pool had no client to lend within 5 s"), "connect"))), patience)
    pool.connect().then(
      (client) => (waiting ? settle(Effect.succeed(client)) : client.release()),
      (cause: unknown) => (waiting ? settle(Effect.fail(hostError(cause, "connect"))) : undefined)
    )
  })

/** A lost client is replaced: after 100 ms, then less and less often, at least every 5 s. */
const reconnecting = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])

const listenThrough =
  (pool: HostPool) =>
  (channel: string): Stream.Stream<string | undefined> =>
    Stream.unwrap(
      Effect.gen(function* () {
        // Never lent again: it listens.
        const client = yield* lend(pool, () => false)
        const notices = yield* Queue.unbounded<string | undefined, SqlError.SqlError>()
        client.on("notification", (notice) => {
          if (notice.channel === channel) Queue.offerUnsafe(notices, notice.payload ?? "")
        })
        const lost = (cause: unknown) => Queue.failCauseUnsafe(notices, Cause.fail(hostError(cause, "listen")))
        client.on("error", lost)
        client.on("end", () => lost(new Error("the connection that listens has ended")))
        yield* new HostConnection(client, { prepare: false }).executeRaw(`LISTEN "${channel.replaceAll('"', '""')}"`, [])
        return Stream.concat(Stream.succeed(undefined), Stream.fromQueue(notices))
      })
    ).pipe(Stream.retry(reconnecting), Stream.orDie)
