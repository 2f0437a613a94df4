/**
 * Keeps PostgreSQL's planner statistics in step with tables that grow (decision 0034): code that has loaded many rows
 * calls `analyzeGrown` after the commit, and a worker does so every few seconds. Each table is analysed in a separate
 * transaction, on a connection for transactions, so that no request and no lock waits for all of them; if several
 * callers come at once, only one of them analyses.
 */
import { Effect } from "effect"
import type { Database } from "./Database.ts"
import { one } from "./Repository.ts"

/** How long analysing one table may take, in milliseconds: only a sample is read, however large the table is. */
const longest = 30_000

/** Analyses each table that has grown much since it was last analysed. A failure is logged and tried again later. */
export const analyzeGrown = ({ sql, platform }: Pick<Database["Service"], "sql" | "platform">): Effect.Effect<void> => {
  const analyzeNext = (done: ReadonlyArray<string>): Effect.Effect<void> =>
    Effect.flatMap(
      platform(
        Effect.andThen(
          one(sql`SELECT set_config('statement_timeout', ${String(longest)}, true)`),
          one(
            sql<{ readonly name: string | null }>`SELECT analyze_grown(${done}::text[]) AS name`,
            ({ name }) => name ?? undefined
          )
        )
      ),
      (name) => (name === undefined ? Effect.void : analyzeNext([...done, name]))
    )
  return Effect.catchCause(analyzeNext([]), (cause) =>
    Effect.logWarning("Tables that have grown could not be analysed", cause)
  )
}
