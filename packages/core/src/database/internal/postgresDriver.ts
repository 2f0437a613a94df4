/**
 * The driver over a URL or a socket, with three pools of sql-pg's connections: statements outside of transactions share
 * theirs, a heavy read or a transaction has a connection to itself. All connect when first used, so a database that is
 * down is a failure of the request, not of the start.
 */
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import { Effect } from "effect"
import type { Reads } from "../DatabaseDriver.ts"
import type { StatementLog } from "../StatementLog.ts"
import { largestMessage, withMessageBound } from "./messageBound.ts"
import { logged, PooledConnection, TransactionConnection } from "./pooledConnection.ts"
import { makeSharedConnections } from "./sharedConnections.ts"

export interface PoolSizes {
  readonly readers: number
  readonly heavyReaders: number
  readonly writers: number
}

/**
 * Asks the server to cancel the connection's current statement, so that it keeps no locks, and does not wait for that.
 * The driver's own `interrupt` does nothing on a connection that statements may share.
 */
const cancelStatement = (connection: PgConnection.PgConnection): Effect.Effect<void> => {
  const { cancel = Effect.void } = connection as { readonly cancel?: Effect.Effect<void> }
  return Effect.asVoid(Effect.forkDetach(cancel, { startImmediately: true }))
}

export interface Sessions {
  readonly every: PgConnection.Config
  /** Sessions of heavy reads. */
  readonly heavy: PgConnection.Config
}

export const makePostgresConnections = Effect.fnUntraced(function* (
  sessions: Sessions,
  sizes: PoolSizes,
  log: StatementLog | undefined
) {
  const kept = { preparedStatementCacheSize: 400, maxMessageSize: largestMessage }
  const pooled = { ...sessions.every, ...kept }
  const readers = yield* makeSharedConnections(pooled, sizes.readers)
  // Not shared, so that an abandoned statement can be cancelled.
  const heavy = yield* PgPool.make({ ...sessions.heavy, ...kept, maxConnections: sizes.heavyReaders })
  const writers = yield* PgPool.make({
    ...pooled,
    multiplex: true,
    maxConnections: sizes.writers,
    multiplexConcurrency: 1
  })
  const seen = (connection: PgConnection.PgConnection) => {
    const bounded = withMessageBound(connection)
    return log === undefined ? bounded : logged(bounded, log)
  }

  const reads = ({ get, use: lend }: Pick<PgPool.PgPool, "get" | "use">): Reads => ({
    acquirer: Effect.map(get, (connection) => new PooledConnection(seen(connection))),
    borrower: (use) => lend((connection) => use(new PooledConnection(seen(connection))))
  })

  return {
    name: "pg",
    reads: reads(readers),
    heavyReads: { ...reads(heavy), connections: sizes.heavyReaders },
    transactions: sizes.writers,
    transaction: Effect.flatMap(writers.get, (connection) =>
      Effect.acquireRelease(
        Effect.sync(() => new TransactionConnection(seen(connection))),
        (transaction) =>
          Effect.andThen(transaction.end, () => {
            if (transaction.usable) return Effect.void
            return Effect.andThen(
              transaction.abandoned ? cancelStatement(connection) : Effect.void,
              writers.invalidate(connection)
            )
          })
      )
    )
  }
})
