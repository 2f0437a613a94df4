/**
 * What was sent to PostgreSQL, for tests of the statement budgets. Given when the database layer is built; without one
 * nothing is wrapped, so production pays nothing.
 */
import { Context } from "effect"

export interface LoggedStatement {
  readonly sql: string
  /** As they were sent, so that a test can ask how the statement was run: `EXPLAIN` with the same values. */
  readonly params: ReadonlyArray<unknown>
  /** BEGIN, COMMIT, ROLLBACK, savepoints, the setting of the store, NOTIFY. */
  readonly control: boolean
  /** False when it travelled behind another one that was already under way on the same connection. */
  readonly roundTrip: boolean
}

/** Whether a statement is one of those: it is no statement in the sense of the budgets. */
export const isControl = (sql: string): boolean =>
  /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|DISCARD PLANS|SELECT set_config|SELECT pg_notify)/.test(sql)

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
