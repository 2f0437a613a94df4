/** One SqlClient over the connections of a driver. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { Context, Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { DatabaseDriver, OpeningStatements, TransactionalConnection } from "../DatabaseDriver.ts"
import { camelCaseColumns } from "./columnNames.ts"
import type { HeavyReadRefused } from "../DatabaseErrors.ts"
import type { FairTurns } from "../FairTurns.ts"
import { inTwoLanes } from "./heavyLane.ts"

export const Opening = Context.Reference<OpeningStatements>("@effect-commerce/core/database/Opening", {
  defaultValue: () => []
})

/**
 * The connection of a host's transaction that this fiber has joined: `withTransaction` begins on it instead of on a
 * connection of our own.
 */
export const Invitation = Context.Reference<TransactionalConnection | undefined>(
  "@effect-commerce/core/database/Invitation",
  {
    defaultValue: () => undefined
  }
)

/**
 * The compiler without its cache. It caches compiled statements in a WeakMap, and V8 keeps the values of a long-lived
 * WeakMap alive until a major collection: texts and parameters of every statement would outlive their request by far.
 * Each statement is compiled once anyway. With the caller's own placeholders nothing is cached.
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

export const makeTransactionalClient = Effect.fnUntraced(function* (
  {
    name,
    reads,
    heavyReads,
    beside = (primary) => primary,
    transaction
  }: Pick<DatabaseDriver, "name" | "reads" | "heavyReads" | "beside" | "transaction">,
  turns: FairTurns<HeavyReadRefused>
) {
  const acquire = Effect.flatMap(Invitation, (invited) =>
    invited === undefined ? transaction : Effect.succeed(invited)
  )
  const compiler = forgetful(PgClient.makeCompiler(undefined, false))
  const client = yield* SqlClient.make({
    driver: name,
    compiler,
    ...beside(inTwoLanes(reads, heavyReads, turns)),
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
