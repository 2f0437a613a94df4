/** What a failed piece of work came to, for tests of what the database refuses. */
import { Cause, Exit } from "effect"
import { SqlError } from "effect/sql"
import { sqlStateOf } from "../../src/database/SqlErrors.ts"

/** The SQLSTATE it failed with, else the failure itself; "succeeded" where it did not fail. */
export const failureOf = (exit: Exit.Exit<unknown, unknown>): unknown => {
  if (Exit.isSuccess(exit)) return "succeeded"
  const error = Cause.squash(exit.cause)
  return (SqlError.isSqlError(error) && sqlStateOf(error)) || error
}
