/**
 * Converts failures of a host's node-postgres to the SqlErrors that sql-pg would give, so that repositories and the
 * edge do not depend on the driver.
 */
import { SqlError } from "effect/sql"

type Make = (
  props: { readonly cause: unknown; readonly message: string; readonly operation: string },
  constraint: string
) => SqlError.SqlErrorReason

const connection: Make = (props) => new SqlError.ConnectionError(props)

/** SQLSTATE classes and codes (PostgreSQL manual, appendix A), the first match decides; the same table as sql-pg's. */
const reasons: ReadonlyArray<readonly [pattern: RegExp, make: Make]> = [
  [/^08/, connection],
  [/^28/, (props) => new SqlError.AuthenticationError(props)],
  [/^42501$/, (props) => new SqlError.AuthorizationError(props)],
  [/^42/, (props) => new SqlError.SqlSyntaxError(props)],
  [/^23505$/, (props, constraint) => new SqlError.UniqueViolation({ ...props, constraint })],
  [/^23/, (props) => new SqlError.ConstraintError(props)],
  [/^40P01$/, (props) => new SqlError.DeadlockError(props)],
  [/^40001$/, (props) => new SqlError.SerializationError(props)],
  [/^55P03$/, (props) => new SqlError.LockTimeoutError(props)],
  [/^57014$/, (props) => new SqlError.StatementTimeoutError(props)]
]

/** Does not match codes of the system, such as EPIPE. */
const sqlState = /^[0-9FHPX][0-9A-Z]{4}$/

const unknown: Make = (props) => new SqlError.UnknownError(props)

const textOf = (cause: object, name: string): string => {
  const value: unknown = name in cause ? (cause as Record<string, unknown>)[name] : undefined
  return typeof value === "string" ? value.trim() : ""
}

/** Whether it is a mistake of the caller, thrown before anything was sent. */
const isMistake = (cause: unknown): boolean =>
  cause instanceof TypeError || cause instanceof RangeError || cause instanceof SyntaxError

/**
 * An error without SQLSTATE came from the socket, the pool or a timer of the driver: the connection must not be reused,
 * and a retry may succeed.
 */
export const hostError = (cause: unknown, operation: string): SqlError.SqlError => {
  const facts = typeof cause === "object" && cause !== null ? cause : {}
  const state = textOf(facts, "code")
  const props = { cause, message: textOf(facts, "message") || "the host's connection failed", operation }
  const known = sqlState.test(state)
    ? (reasons.find(([pattern]) => pattern.test(state))?.[1] ?? unknown)
    : isMistake(cause)
      ? unknown
      : connection
  return new SqlError.SqlError({ reason: known(props, textOf(facts, "constraint") || "unknown") })
}
