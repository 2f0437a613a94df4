/** Fixed windows counted in PostgreSQL: exact over all processes, one statement a call (`rate_take`). */
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../../database/Database.ts"
import { many, none, one } from "../../database/Repository.ts"
import { type RateTaken, type RateWindow, signedLimit, takenOf, windowStart } from "../RateWindow.ts"
import { sweepInBatches } from "./sweepInBatches.ts"

/** The answer of `rate_take` has the counts before it gave back what it had taken. */
const givenBack = (windows: ReadonlyArray<RateWindow>, taken: RateTaken): RateTaken =>
  taken.refused < 0
    ? taken
    : { ...taken, counts: taken.counts.map((count, i) => (windows[i]?.readOnly === true ? count : count - 1)) }

export const makePostgresWindows = Effect.map(Database, ({ sql }) => {
  /** The call of `rate_take`; NULL without windows. */
  const taking = (windows: ReadonlyArray<RateWindow>, now: number) => {
    if (windows.length === 0) return sql`NULL::int[]`
    const starts = windows.map((window) => windowStart(window, now))
    const ends = windows.map((window, i) => (starts[i] ?? 0) + window.ms)
    return sql`rate_take(${windows.map((window) => window.bucket)}::text[], ${starts}::bigint[], ${ends}::bigint[],
      ${windows.map(signedLimit)}::int[])`
  }

  const counted = (windows: ReadonlyArray<RateWindow>, answer: ReadonlyArray<number> | null, now: number) =>
    givenBack(windows, takenOf(answer ?? [], now))

  return {
    take: (windows: ReadonlyArray<RateWindow>, now: number): Effect.Effect<RateTaken> =>
      Effect.map(
        one(sql<{ readonly taken: ReadonlyArray<number> | null }>`SELECT ${taking(windows, now)} AS taken`),
        (row) => counted(windows, row?.taken ?? null, now)
      ),

    /** Reads at most one row, and counts in the same statement: `found` if there is a row, else `missing`. */
    takeReading: <A extends object>(
      select: Statement.Fragment,
      missing: ReadonlyArray<RateWindow>,
      found: ReadonlyArray<RateWindow>,
      now: number
    ): Effect.Effect<{ readonly row: A | undefined; readonly taken: RateTaken }> =>
      Effect.map(
        many(
          sql<{ readonly isFound: boolean | null; readonly taken: ReadonlyArray<number> | null }>`
            SELECT f.*, CASE WHEN f.is_found THEN ${taking(found, now)} ELSE ${taking(missing, now)} END AS taken
            FROM (SELECT) AS asked LEFT JOIN LATERAL (SELECT true AS is_found,
              q.* FROM (${select}) AS q) AS f ON true`
        ),
        (rows) => {
          const [{ isFound, taken, ...row } = { isFound: null, taken: null }] = rows
          const isThere = isFound === true
          return { row: isThere ? (row as A) : undefined, taken: counted(isThere ? found : missing, taken, now) }
        }
      ),

    /** Forgets all windows of buckets that begin so. */
    lift: (prefix: string): Effect.Effect<void> =>
      // rate_window_pkey
      none(sql`DELETE FROM rate_window WHERE bucket >= ${prefix} AND bucket < ${`${prefix}~`}`),

    /** Drops windows that have ended. */
    sweep: (now: number): Effect.Effect<void> =>
      sweepInBatches(
        (most) =>
          // rate_window_ends_at_idx
          sql`DELETE FROM rate_window WHERE ctid = ANY
            (ARRAY(SELECT ctid FROM rate_window WHERE ends_at < ${now} LIMIT ${most} FOR UPDATE SKIP LOCKED))
            RETURNING 1`
      )
  }
})
