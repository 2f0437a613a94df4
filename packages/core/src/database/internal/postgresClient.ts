/**
 * One SqlClient over two pools. Statements outside a transaction share the connections of the first and are pipelined; a transaction has
 * a connection of the second to itself. Both pools connect when first used, so a database that is down is a failure of the request, not
 * of the start.
 */
import { PgClient, PgPool, type PgConnection } from "@effect/sql-pg"
import { Context, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { StatementLog } from "../StatementLog.ts"
import { camelCaseColumns } from "./columnNames.ts"
import { logged, PooledConnection, TransactionConnection } from "./pooledConnection.ts"

export interface PoolSizes {
  readonly readers: number
  readonly writers: number
}

/** Statements sent at the start of a transaction, behind BEGIN. */
export type OpeningStatements = ReadonlyArray<readonly [sql: string, params: ReadonlyArray<unknown>]>

export const Opening = Context.Reference<OpeningStatements>("@effect-commerce/core/database/Opening", { defaultValue: () => [] })

/** How many statements may be under way on one shared connection: more make fewer round trips, but queue behind each other in one backend. */
const pipelineDepth = 8

export const makePostgresClient = Effect.fnUntraced(function* (config: PgConnection.Config, sizes: PoolSizes, log: StatementLog | undefined) {
  const pooled = { ...config, multiplex: true, preparedStatementCacheSize: 400 }
  const readers = yield* PgPool.make({ ...pooled, maxConnections: sizes.readers, multiplexConcurrency: pipelineDepth })
  const writers = yield* PgPool.make({ ...pooled, maxConnections: sizes.writers, multiplexConcurrency: 1 })
  const seen = log === undefined ? (connection: PgConnection.PgConnection) => connection : (connection: PgConnection.PgConnection) => logged(connection, log)

  const acquireTransaction = Effect.flatMap(writers.get, (connection) =>
    Effect.acquireRelease(
      Effect.sync(() => new TransactionConnection(seen(connection))),
      (transaction) => Effect.andThen(transaction.end, transaction.usable ? Effect.void : writers.invalidate(connection))
    )
  )

  const client = yield* SqlClient.make({
    driver: "pg",
    compiler: PgClient.makeCompiler(undefined, false),
    acquirer: Effect.map(readers.get, (connection) => new PooledConnection(seen(connection))),
    borrower: (use) => readers.use((connection) => use(new PooledConnection(seen(connection)))),
    transactionAcquirer: acquireTransaction,
    spanAttributes,
    transformRows: camelCaseColumns
  })
  const withTransaction = SqlClient.makeWithTransaction({
    // The client's own service, narrowed: `acquireTransaction` is what fills it.
    transactionService: client.transactionService as unknown as Context.Key<SqlClient.TransactionConnection, readonly [TransactionConnection, number]>,
    spanAttributes,
    acquireConnection: (restore) => restore(acquireTransaction),
    begin: (connection, begin) => Effect.flatMap(Opening, (opening) => connection.open([[begin ?? "BEGIN", []], ...opening])),
    savepoint: (connection, id) => connection.executeRaw(`SAVEPOINT effect_sql_${id}`, []),
    releaseSavepoint: (connection, id) => connection.executeRaw(`RELEASE SAVEPOINT effect_sql_${id}`, []),
    rollbackSavepoint: (connection, id) => connection.executeRaw(`ROLLBACK TO SAVEPOINT effect_sql_${id}`, []),
    commit: (connection) => connection.commit,
    rollback: (connection) => connection.rollback
  })
  return Object.assign(client, { withTransaction })
})

const spanAttributes = [["db.system.name", "postgresql"]] as const
