/**
 * A failure as one line for the person at the terminal: typed errors have their own sentence, and the line never shows
 * a password.
 */
import { sessionRemedy } from "@effect-commerce/core/database/ConnectionOptions"
import { sqlStateOf } from "@effect-commerce/core/database/SqlErrors"
import { SqlError } from "effect/sql"
import { oneLine } from "./print.ts"

export const failureLine = (error: unknown): string => oneLine(sentenceOf(error))

/** Fields that tagged errors may have. */
interface Facts {
  readonly _tag: string
  readonly id?: string
  readonly field?: string
  readonly reason?: unknown
  readonly errors?: Readonly<Record<string, string>>
  readonly message?: string
}

const isTagged = (error: unknown): error is Facts =>
  typeof error === "object" && error !== null && "_tag" in error && typeof error._tag === "string"

const sentenceOf = (error: unknown): string => {
  if (SqlError.isSqlError(error)) return databaseSentence(error)
  if (!isTagged(error)) return error instanceof Error ? error.message : String(error)
  if (error.errors !== undefined)
    return Object.entries(error.errors)
      .map(([field, problem]) => `${field} ${problem}`)
      .join("; ")
  if (error.field !== undefined) return `${error.field} ${String(error.reason)}`
  if (typeof error.reason === "string") return error.reason
  if (error._tag.endsWith("NotFound"))
    return `no such ${wordsOf(error._tag.slice(0, -"NotFound".length))}: ${error.id ?? ""}`
  if (error.message !== undefined && error.message !== "") return error.message
  const facts = Object.entries(error).flatMap(([name, value]) =>
    name !== "_tag" && typeof value === "string" ? [value] : []
  )
  return [wordsOf(error._tag), ...facts].join(" ")
}

/** `SalesChannel` -> `sales channel`. */
const wordsOf = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()

/** PostgreSQL's own message with its code, or why it did not answer. */
const databaseSentence = (error: SqlError.SqlError): string => {
  const state = sqlStateOf(error)
  const cause = deepest(error)
  const words = cause instanceof Error || isTagged(cause) ? (cause.message ?? "") : ""
  const remedy = sessionRemedy(words)
  const help = remedy === undefined ? "" : `; ${remedy}`
  if (/^[0-9A-Z]{5}$/.test(state))
    return `the database${/^(28|3D)/.test(state) ? setting : ""} refuses: ${words} (${state})${help}`
  return (
    `the database${setting} cannot be reached: ` +
    `${state === "" || words.includes(state) ? words : `${words} (${state})`}`
  )
}

/** Which settings to check if the login or the name of the database is wrong. */
const setting = " (DATABASE_URL, --database-url)"

const deepest = (error: { readonly cause?: unknown }): unknown => {
  let at: unknown = error
  while (typeof at === "object" && at !== null && "cause" in at && typeof at.cause === "object" && at.cause !== null)
    at = at.cause
  return at
}
