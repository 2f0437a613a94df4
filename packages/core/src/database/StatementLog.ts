/**
 * The statements sent to PostgreSQL, for tests of the statement budgets. Provided when the database layer is built;
 * without it nothing is wrapped, so production pays nothing.
 */
import { Context } from "effect"

export interface LoggedStatement {
  readonly sql: string
  /** As they were sent, so that a test can ask how the statement was run: `EXPLAIN` with the same values. */
  readonly params: ReadonlyArray<unknown>
  /** BEGIN, COMMIT, ROLLBACK, savepoints, the setting of the store, NOTIFY. */
  readonly control: boolean
  /** False if it was sent behind another statement under way on the same connection. */
  readonly roundTrip: boolean
}

/**
 * Whether it is a control statement, or what a process writes by itself once a minute (KeyUses.ts): the budgets of a
 * request do not count it.
 */
export const isControl = (sql: string): boolean =>
  /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|DISCARD PLANS|SELECT set_config|SELECT pg_notify)/.test(sql) ||
  sql.includes("SET last_used_at = greatest(")

export interface StatementLog {
  readonly record: (entry: LoggedStatement) => void
}

/** Read when `Database.layer` is built, not per statement. */
export const CurrentStatementLog = Context.Reference<StatementLog | undefined>(
  "@effect-commerce/core/database/CurrentStatementLog",
  {
    defaultValue: () => undefined
  }
)

export interface StatementCounter extends StatementLog {
  /** Texts of the statements since the last reset, control statements left out. */
  readonly statements: () => ReadonlyArray<string>
  /** The same with what was sent with them. */
  readonly entries: () => ReadonlyArray<LoggedStatement>
  readonly roundTrips: () => number
  readonly reset: () => void
}

export const makeStatementCounter = (): StatementCounter => {
  const entries: Array<LoggedStatement> = []
  return {
    record: (entry) => entries.push(entry),
    statements: () => entries.filter((entry) => !entry.control).map((entry) => entry.sql),
    entries: () => entries.filter((entry) => !entry.control),
    roundTrips: () => entries.filter((entry) => entry.roundTrip).length,
    reset: () => {
      entries.length = 0
    }
  }
}
