/** The finding of a check of a database, and how checks run their statements. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Session } from "./applicationGrants.ts"

export interface Examined {
  /** The name of the check: `database.version`, `tenancy.policies`. */
  readonly check: string
  /** What was found, in a sentence. */
  readonly says: string
  /** What to do about it; null if the check passed. */
  readonly remedy: string | null
}

export const well = (check: string, says: string): Examined => ({ check, says, remedy: null })
export const bad = (check: string, says: string, remedy: string): Examined => ({ check, says, remedy })

export const wordsOf = (error: SqlError.SqlError): string => {
  let at: { readonly cause?: unknown; readonly message?: unknown } = error.reason
  while (typeof at.cause === "object" && at.cause !== null) at = at.cause
  return typeof at.message === "string" && at.message !== "" ? at.message : "the database does not answer"
}

/** A check whose statement fails becomes a finding too. */
export const orSaid = (check: Effect.Effect<Examined, SqlError.SqlError>): Effect.Effect<Examined> =>
  Effect.catch(check, (error) =>
    Effect.succeed(bad("database.asked", wordsOf(error), "see that this user may read the catalogue and the tables"))
  )

export const rowsOf = (session: Session, text: string, params: ReadonlyArray<unknown> = []) =>
  Effect.map(session.query(text, params), ({ rows }) => rows)
export const first = (session: Session, text: string, params: ReadonlyArray<unknown> = []) =>
  Effect.map(rowsOf(session, text, params), (rows) => String(rows[0]?.["value"] ?? ""))
export const namesOf = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>): string =>
  rows.map((row) => String(row["name"])).join(", ")
