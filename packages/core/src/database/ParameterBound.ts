/**
 * The largest statement that is sent to PostgreSQL. A larger one fails before it is sent; PostgreSQL would end the
 * connection, with every statement of other tenants that is queued on it.
 */
import { SqlError } from "effect/sql"

/**
 * Characters of all parameters of one statement: at most 192 MiB as UTF-8, where PostgreSQL ends the connection over a
 * message of 1 GiB.
 */
export const largestParameters = 64 * 1024 * 1024

/** The error of a statement whose parameters are too large. */
export const parametersProblem = (params: ReadonlyArray<unknown>): SqlError.SqlError | undefined => {
  const size = sizeOfAll(params)
  if (size <= largestParameters) return undefined
  const message = `a statement's parameters have ${size} characters, more than the ${largestParameters} that are sent`
  // program_limit_exceeded: as if PostgreSQL had rejected it.
  const cause = Object.assign(new Error(message), { code: "54000" })
  return new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause, message, operation: "query" }) })
}

const sizeOfAll = (values: ReadonlyArray<unknown>): number => {
  let size = 0
  for (const value of values) {
    if (typeof value === "string" || value instanceof Uint8Array) size += value.length
    else if (Array.isArray(value)) size += sizeOfAll(value)
  }
  return size
}
