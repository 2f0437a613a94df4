/**
 * One SqlClient over two pools. Statements outside a transaction share the connections of the first and are pipelined;
 * a transaction has a connection of the second to itself. Both pools connect when first used, so a database that is
 * down is a failure of the request, not of the start.
 */
import { PgPool, type PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { StatementLog } from "../StatementLog.ts"
import { largestMessage, withMessageBound } from "./messageBound.ts"
import { logged, PooledConnection, TransactionConnection } from "./pooledConnection.ts"
import { makeTransactionalClient } from "./transactionalClient.ts"

export interface PoolSizes {
  readonly readers: number
  readonly writers: number
}

/**
 * How many statements may be under way on one shared connection: more make fewer round trips, but queue behind each
 * other in one backend.
 */
const pipelineDepth = 8

/**
 * Asks the server to give up what the connection is at, so that it holds no locks for nobody, and does not wait for
 * that. The driver's own `interrupt` does nothing on a connection that statements may share.
 */
const cancelStatement = (connection: PgConnection.PgConnection): Effect.Effect<void> => {
  const { cancel = Effect.void } = connection as { readonly cancel?: Effect.Effect<void> }
  return Effect.asVoid(Effect.forkDetach(cancel, { startImmediately: true }))
}

export const makePostgresClient = Effect.fnUntraced(function* (
  config: PgConnection.Config,
  sizes: PoolSizes,
  log: StatementLog | undefined
) {
  const pooled = { ...config, multiplex: true, preparedStatementCacheSize: 400, maxMessageSize: largestMessage }
  const readers = yield* PgPool.make({ ...pooled, maxConnections: sizes.readers, multiplexConcurrency: pipelineDepth })
  const writers = yield* PgPool.make({ ...pooled, maxConnections: sizes.writers, multiplexConcurrency: 1 })
  const seen = (connection: PgConnection.PgConnection) => {
    const bounded = withMessageBound(connection)
    return log === undefined ? bounded : logged(bounded, log)
  }

  return yield* makeTransactionalClient({
    driver: "pg",
    acquirer: Effect.map(readers.get, (connection) => new PooledConnection(seen(connection))),
    borrower: (use) => readers.use((connection) => use(new PooledConnection(seen(connection)))),
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
  })
})
