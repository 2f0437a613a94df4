/**
 * One SqlClient over connections of any driver: how it reads, and how it gets a connection that a transaction has to
 * itself.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { Context, Effect, type Scope } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import type { Acquirer, Borrower, Connection } from "effect/sql/SqlConnection"
import { camelCaseColumns } from "./columnNames.ts"

/** Statements sent at the start of a transaction, behind BEGIN. */
export type OpeningStatements = ReadonlyArray<readonly [sql: string, params: ReadonlyArray<unknown>]>

export const Opening = Context.Reference<OpeningStatements>("@effect-commerce/core/database/Opening", {
  defaultValue: () => []
})

/** A connection that knows how its transaction begins and ends. */
export interface TransactionalConnection extends Connection {
  readonly open: (statements: OpeningStatements) => Effect.Effect<void, SqlError.SqlError>
  readonly commit: Effect.Effect<void, SqlError.SqlError>
  readonly rollback: Effect.Effect<void, SqlError.SqlError>
  /**
   * Sends a statement and does not wait for its result; the commit fails if the statement failed. Absent on a
   * connection that waits for every result.
   */
  readonly sendWithCommit?: <E extends SqlError.SqlError, R>(
    statement: Effect.Effect<unknown, E, R>
  ) => Effect.Effect<void, E, R>
}

/**
 * The transaction of a host that this fiber has been invited to: `withTransaction` begins in it, in place of on a
 * connection of our own.
 */
export const Invitation = Context.Reference<TransactionalConnection | undefined>(
  "@effect-commerce/core/database/Invitation",
  {
    defaultValue: () => undefined
  }
)

export interface Acquirers {
  readonly driver: string
  readonly acquirer: Acquirer
  readonly borrower: Borrower
  readonly transaction: Effect.Effect<TransactionalConnection, SqlError.SqlError, Scope.Scope>
}

/**
 * The compiler without its memory of statements. It keeps what it has compiled by statement in a WeakMap, and V8 takes
 * the values of a long-lived WeakMap for alive until a major collection: texts and parameters of every statement would
 * outlive their request by far. A statement is compiled once. Where placeholders are the caller's, nothing is kept.
 */
const forgetful = (compiler: Statement.Compiler): Statement.Compiler => {
  const compile = compiler.compile.bind(compiler) as (
    statement: Statement.Fragment,
    withoutTransform: boolean,
    placeholder: () => string
  ) => ReturnType<Statement.Compiler["compile"]>
  return Object.assign(compiler, {
    compile: (statement: Statement.Fragment, withoutTransform: boolean) => {
      let parameters = 0
      return compile(statement, withoutTransform, () => {
        parameters += 1
        return `$${parameters}`
      })
    }
  })
}

export const makeTransactionalClient = Effect.fnUntraced(function* ({
  driver,
  acquirer,
  borrower,
  transaction
}: Acquirers) {
  const acquire = Effect.flatMap(Invitation, (invited) =>
    invited === undefined ? transaction : Effect.succeed(invited)
  )
  const compiler = forgetful(PgClient.makeCompiler(undefined, false))
  const client = yield* SqlClient.make({
    driver,
    compiler,
    acquirer,
    borrower,
    transactionAcquirer: acquire,
    spanAttributes,
    transformRows: camelCaseColumns
  })
  const withTransaction = SqlClient.makeWithTransaction({
    // The client's own service, narrowed: `acquire` is what fills it.
    transactionService: client.transactionService as unknown as Context.Key<
      SqlClient.TransactionConnection,
      readonly [TransactionalConnection, number]
    >,
    spanAttributes,
    acquireConnection: (restore) => restore(acquire),
    begin: (connection, begin) =>
      Effect.flatMap(Opening, (opening) => connection.open([[begin ?? "BEGIN", []], ...opening])),
    savepoint: (connection, id) => Effect.asVoid(connection.executeRaw(`SAVEPOINT effect_sql_${id}`, [])),
    releaseSavepoint: (connection, id) =>
      Effect.asVoid(connection.executeRaw(`RELEASE SAVEPOINT effect_sql_${id}`, [])),
    rollbackSavepoint: (connection, id) =>
      Effect.asVoid(connection.executeRaw(`ROLLBACK TO SAVEPOINT effect_sql_${id}`, [])),
    commit: (connection) => connection.commit,
    rollback: (connection) => connection.rollback
  })
  return Object.assign(client, { withTransaction })
})

const spanAttributes = [["db.system.name", "postgresql"]] as const
