/**
 * What a database driver provides: connections for statements outside of transactions, light and heavy, and
 * connections that hold a transaction. sql-pg over a URL is one (Database.layer), a host's node-postgres pool another
 * (the room host).
 */
import type { Effect, Scope, Stream } from "effect"
import { SqlError } from "effect/sql"
import type { Acquirer, Borrower, Connection } from "effect/sql/SqlConnection"
import type { SessionBounds } from "./ConnectionOptions.ts"
import type { StatementLog } from "./StatementLog.ts"

/** Statements sent at the start of a transaction, after BEGIN. */
export type OpeningStatements = ReadonlyArray<readonly [sql: string, params: ReadonlyArray<unknown>]>

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

/** Connections for statements outside of transactions. */
export interface Reads {
  readonly acquirer: Acquirer
  readonly borrower: Borrower
}

/** Settings of every transaction of this database, whether we or a host opened it. */
export interface SessionSettings {
  readonly bounds: SessionBounds
  /** Where our tables are, if not in the search_path of the connecting role. */
  readonly schema?: string | undefined
  readonly log: StatementLog | undefined
}

/** A connection on which somebody else has a transaction open, for the length of a scope. */
export type JoinedConnection = (session: SessionSettings) => Effect.Effect<TransactionalConnection, never, Scope.Scope>

export interface DatabaseDriver extends SessionSettings {
  readonly name: string
  readonly reads: Reads
  /** For reads that are declared heavy (HeavyReads.ts), and how many of these connections there are. */
  readonly heavyReads: Reads & { readonly connections: number }
  /** Where some of these reads go instead (the room replica). */
  readonly beside?: ((primary: Reads) => Reads) | undefined
  readonly transaction: Effect.Effect<TransactionalConnection, SqlError.SqlError, Scope.Scope>
  /** Connections that transactions may have at a time. */
  readonly transactions: number
  /** Statements after every BEGIN. */
  readonly settings: OpeningStatements
  readonly listen: (channel: string) => Stream.Stream<string | undefined>
}

/**
 * The error of a COMMIT that PostgreSQL turned into a ROLLBACK, because a failed statement had aborted the transaction.
 */
export const notCommitted = (): SqlError.SqlError => {
  const message = "COMMIT rolled back an aborted transaction"
  return new SqlError.SqlError({
    reason: new SqlError.UnknownError({ cause: new Error(message), message, operation: "commit" })
  })
}
