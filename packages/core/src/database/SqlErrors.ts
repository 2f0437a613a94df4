/**
 * Classifies PostgreSQL failures: for a repository that expects a violation of a named constraint, and at the edge for
 * everything else.
 */
import { Effect } from "effect"
import { SqlError } from "effect/sql"

/** SQLSTATE of a failure, or "" where the server gave none. */
export const sqlStateOf = (error: SqlError.SqlError): string => {
  const cause: unknown = error.reason.cause
  return typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : ""
}

const constraintOf = (error: SqlError.SqlError): string | undefined => {
  if (error.reason._tag === "UniqueViolation") return error.reason.constraint
  const cause: unknown = error.reason.cause
  return typeof cause === "object" && cause !== null && "constraint" in cause && typeof cause.constraint === "string"
    ? cause.constraint
    : undefined
}

/** Turns violations of named constraints into domain errors, one each; every other SqlError becomes a defect. */
export const constraintViolations =
  <const M extends Readonly<Record<string, () => unknown>>>(table: M) =>
  <A, E, R>(
    self: Effect.Effect<A, E, R>
  ): Effect.Effect<A, Exclude<E, SqlError.SqlError> | ReturnType<M[keyof M]>, R> =>
    Effect.catch(self, (error): Effect.Effect<A, Exclude<E, SqlError.SqlError> | ReturnType<M[keyof M]>, R> => {
      if (!SqlError.isSqlError(error)) return Effect.fail(error as Exclude<E, SqlError.SqlError>)
      const constraint = constraintOf(error)
      const make = constraint !== undefined && Object.hasOwn(table, constraint) ? table[constraint] : undefined
      return make === undefined ? Effect.die(error) : Effect.fail(make() as ReturnType<M[keyof M]>)
    })

/** The same for one constraint of any kind: unique, foreign key, check. */
export const constraintViolation =
  <E2>(constraint: string, make: () => E2) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError.SqlError> | E2, R> =>
    constraintViolations<Readonly<Record<string, () => E2>>>({ [constraint]: make })(self)

/** `constraintViolation`, where the constraint is a unique one. */
export const uniqueViolation = constraintViolation

/** How the edge responds: 503 with `retry-after`, 400 with the problem, 409, or 500 with a logged bug. */
export type FailureClass = "unavailable" | "invalid" | "conflict" | "bug"

const unavailableTags: ReadonlySet<string> = new Set([
  "ConnectionError",
  "AuthenticationError",
  "StatementTimeoutError",
  "LockTimeoutError"
])

/**
 * SQLSTATE classes and codes (PostgreSQL manual, appendix A); the first match decides.
 */
const meanings: ReadonlyArray<readonly [pattern: RegExp, meaning: FailureClass]> = [
  [/^08P01$/, "bug"], // protocol violation: more than 65,535 parameters
  [/^42501$/, "bug"], // insufficient privilege: what row-level security raises
  // connection, login, resources (disk, memory, connections), shutdown and cancelled, system
  [/^(08|28|53|57|58)/, "unavailable"],
  [/^40/, "unavailable"], // deadlock, serialization: tried again already, and still in the way
  [/^55P03$/, "unavailable"], // lock not available in time
  [/^25P0[34]$/, "unavailable"], // the transaction was idle or open for too long: this process was stopped for a while
  [/^(22|54)/, "invalid"], // data exception; a value too large or too deep to store
  [/^23514$/, "invalid"], // check
  [/^23502$/, "bug"], // not null: a column that we forgot
  [/^23/, "conflict"] // unique, foreign key, exclusion
]

/** Class of any failure or defect; anything but an SqlError is a bug. */
export const classify = (failure: unknown): FailureClass => {
  if (!SqlError.isSqlError(failure)) return "bug"
  const state = sqlStateOf(failure)
  const meaning = meanings.find(([pattern]) => pattern.test(state))
  if (meaning !== undefined) return meaning[1]
  return unavailableTags.has(failure.reason._tag) ? "unavailable" : "bug"
}
