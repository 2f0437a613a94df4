/**
 * Fixed-window counters, kept in PostgreSQL (exact over all processes, one statement a call) or in memory (exact within
 * one process). A full window stays full to its end, so a rejection is repeated from memory for a second, and a flood
 * of rejected requests costs the database nothing.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { TimedCache } from "../kernel/TimedCache.ts"
import { Database } from "../database/Database.ts"
import { many, none, one } from "../database/Repository.ts"
import { sweepInBatches } from "./internal/sweepInBatches.ts"
import type { RateTaken, RateWindow } from "./RateWindow.ts"
import { makeMemoryWindows, windowStart } from "./internal/memoryWindows.ts"

export type { RateTaken, RateWindow }

/**
 * Windows that a look-up counts in its own statement: `missing` if it finds no row, `found` if it finds one. Both have
 * the same buckets.
 */
export interface LookupWindows {
  readonly missing: ReadonlyArray<RateWindow>
  readonly found: ReadonlyArray<RateWindow>
}

export interface TakenReading<A> {
  readonly row: A | undefined
  readonly taken: RateTaken
}

/** Reads at most one row by the given statement; fails if a rate limit is reached. */
export type RowReader<E> = <A extends object>(select: Statement.Fragment) => Effect.Effect<A | undefined, E>

export class RateLimits extends Context.Service<RateLimits>()("@effect-commerce/core/guard/RateLimits", {
  make: Effect.map(Database, ({ sql }) => {
    const refusals = makeRefusals()

    /** The call of `rate_take`; NULL without windows. */
    const taking = (windows: ReadonlyArray<RateWindow>, now: number) => {
      if (windows.length === 0) return sql`NULL::int[]`
      const starts = windows.map((window) => windowStart(window, now))
      const ends = windows.map((window, i) => (starts[i] ?? 0) + window.ms)
      const limits = windows.map((window) => (window.readOnly === true ? -window.limit : window.limit))
      return sql`rate_take(${windows.map((window) => window.bucket)}::text[], ${starts}::bigint[], ${ends}::bigint[],
        ${limits}::int[])`
    }

    const takenOf = (
      windows: ReadonlyArray<RateWindow>,
      counts: ReadonlyArray<number> | null,
      now: number
    ): RateTaken => {
      const last = counts?.at(-1) ?? 0
      const taken =
        last < 0
          ? { counts: counts?.slice(0, -1) ?? [], refused: -last - 1, now }
          : { counts: counts ?? [], refused: -1, now }
      refusals.remember(windows, taken)
      return taken
    }

    return {
      /** Counts the request in each window or, if one of them is full, in none. */
      take: Effect.fnUntraced(function* (windows: ReadonlyArray<RateWindow>): Effect.fn.Return<RateTaken> {
        const now = yield* Clock.currentTimeMillis
        const refused = refusals.find(windows, now)
        if (refused !== undefined) return refused
        const row = yield* one(
          sql<{ readonly taken: ReadonlyArray<number> | null }>`SELECT ${taking(windows, now)} AS taken`
        )
        return takenOf(windows, row?.taken ?? null, now)
      }),

      /** Reads at most one row and counts in the same statement. Reads nothing if it was rejected a moment ago. */
      takeReading: <A extends object>(
        select: Statement.Fragment,
        { missing, found }: LookupWindows
      ): Effect.Effect<TakenReading<A>> =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const refused = refusals.find(missing, now)
          if (refused !== undefined) return { row: undefined, taken: refused }
          const rows = yield* many(
            sql<{ readonly isFound: boolean | null; readonly taken: ReadonlyArray<number> | null }>`
              SELECT f.*, CASE WHEN f.is_found THEN ${taking(found, now)} ELSE ${taking(missing, now)} END AS taken
              FROM (SELECT) AS asked LEFT JOIN LATERAL (SELECT true AS is_found,
                q.* FROM (${select}) AS q) AS f ON true`
          )
          const [{ isFound, taken, ...row } = { isFound: null, taken: null }] = rows
          return {
            row: isFound === true ? (row as A) : undefined,
            taken: takenOf(isFound === true ? found : missing, taken, now)
          }
        }),

      /** Forgets all windows of buckets that begin so; another process may repeat a rejection for a second. */
      lift: (prefix: string): Effect.Effect<void> =>
        Effect.tap(
          // rate_window_pkey
          none(sql`DELETE FROM rate_window WHERE bucket >= ${prefix} AND bucket < ${`${prefix}~`}`),
          () => Effect.sync(refusals.forget)
        ),

      /** Drops windows that have ended. */
      sweep: Effect.flatMap(Clock.currentTimeMillis, (now) =>
        sweepInBatches(
          (most) =>
            // rate_window_ends_at_idx
            sql`DELETE FROM rate_window WHERE ctid = ANY
              (ARRAY(SELECT ctid FROM rate_window WHERE ends_at < ${now} LIMIT ${most} FOR UPDATE SKIP LOCKED))
              RETURNING 1`
        )
      )
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)

  /** Counts only in this process. */
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(Database, ({ sql }) => {
      const { take, lift, sweep } = makeMemoryWindows()
      return {
        take: (windows) => Effect.map(Clock.currentTimeMillis, (now) => take(windows, now)),
        takeReading: <A extends object>(select: Statement.Fragment, { missing, found }: LookupWindows) =>
          Effect.gen(function* () {
            const row = yield* one(sql<A>`${select}`)
            return { row, taken: take(row === undefined ? missing : found, yield* Clock.currentTimeMillis) }
          }),
        lift: (prefix) => Effect.sync(() => lift(prefix)),
        sweep: Effect.map(Clock.currentTimeMillis, sweep)
      }
    })
  )
}

/** How long, in milliseconds, a rejection is repeated from memory, and how many are remembered. */
const refusalMillis = 1_000
const refusalCapacity = 10_000

/** Rejections of the last second, by their windows. */
const makeRefusals = () => {
  const lately = new TimedCache<RateTaken>(refusalMillis, refusalCapacity)
  const nameOf = (windows: ReadonlyArray<RateWindow>, now: number) =>
    windows.map((window) => `${window.bucket} ${windowStart(window, now)}`).join(" ")
  return {
    find: (windows: ReadonlyArray<RateWindow>, now: number): RateTaken | undefined => {
      if (lately.isEmpty()) return undefined
      const taken = lately.get(nameOf(windows, now), now)
      return taken === undefined ? undefined : { ...taken, now }
    },
    remember: (windows: ReadonlyArray<RateWindow>, taken: RateTaken): void => {
      if (taken.refused >= 0) lately.set(nameOf(windows, taken.now), taken, taken.now)
    },
    forget: (): void => lately.clear()
  }
}
