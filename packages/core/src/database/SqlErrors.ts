/** What a PostgreSQL failure means: for a repository that expects one named constraint, and at the edge for everything else. */
import { Effect } from "effect"
import { SqlError } from "effect/sql"

const findSqlError = (error: unknown): SqlError.SqlError | undefined => (SqlError.isSqlError(error) ? error : undefined)

const codeOf = (error: SqlError.SqlError): string => {
  const cause: unknown = error.reason.cause
  return typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : ""
}

const constraintOf = (error: SqlError.SqlError): string | undefined => {
  if (error.reason._tag === "UniqueViolation") return error.reason.constraint
  const cause: unknown = error.reason.cause
  return typeof cause === "object" && cause !== null && "constraint" in cause && typeof cause.constraint === "string" ? cause.constraint : undefined
}

/** Turns the violation of one named constraint into a domain error; every other SqlError becomes a defect. */
export const constraintViolation =
  <E2>(constraint: string, make: () => E2) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError.SqlError> | E2, R> =>
    Effect.catch(self, (error): Effect.Effect<A, Exclude<E, SqlError.SqlError> | E2, R> => {
      const sqlError = findSqlError(error)
      if (sqlError === undefined) return Effect.fail(error as Exclude<E, SqlError.SqlError>)
      return constraintOf(sqlError) === constraint ? Effect.fail(make()) : Effect.die(sqlError)
    })

export const uniqueViolation = constraintViolation

/** How the edge answers: try later, say what is wrong with the value, say it conflicts, or admit a bug. */
export type FailureClass = "unavailable" | "invalid" | "conflict" | "bug"

const unavailableTags = new Set(["ConnectionError", "AuthenticationError", "StatementTimeoutError", "LockTimeoutError"])

/** Class of any failure. Row-level security raises 42501, which is a bug of ours and never "unavailable". */
export const classify = (failure: unknown): FailureClass => {
  const error = findSqlError(failure)
  if (error === undefined) return "bug"
  if (unavailableTags.has(error.reason._tag)) return "unavailable"
  const code = codeOf(error)
  if (/^(08|53|57P|58)/.test(code)) return "unavailable"
  if (/^(22|54)/.test(code)) return "invalid"
  if (/^40/.test(code) || error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError") return "conflict"
  return "bug"
}
