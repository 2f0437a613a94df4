/**
 * Fixed-window counters (interface.md, Rate limits). `take` takes one from each window in order, or, where one is full, from none.
 * Two stores: PostgreSQL, exact whichever process asks, one statement a call; and memory, exact within one process.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "./Database.ts"
import { makeMemoryWindows, windowStart } from "./internal/memoryWindows.ts"

/**
 * `limit` requests in each window of `ms` milliseconds; windows begin at multiples of `ms` since the epoch.
 * `readOnly` counts nothing and refuses once `limit` has been reached.
 */
export interface RateWindow {
  readonly bucket: string
  readonly limit: number
  readonly ms: number
  readonly readOnly?: boolean
}

export interface RateTaken {
  /** Counts after taking, one per window (of the windows before the refusal, when refused). */
  readonly counts: ReadonlyArray<number>
  /** Index of the window that refused, or -1. */
  readonly refused: number
  readonly now: number
}

export interface RateLimitsMethods {
  readonly take: (windows: ReadonlyArray<RateWindow>) => Effect.Effect<RateTaken>
  /** Drops windows that have ended. */
  readonly sweep: Effect.Effect<void>
}

export class RateLimits extends Context.Service<RateLimits, RateLimitsMethods>()("@effect-commerce/core/database/RateLimits") {
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const { sql } = yield* Database
      return RateLimits.of({
        take: Effect.fnUntraced(function* (windows) {
          const now = yield* Clock.currentTimeMillis
          const starts = windows.map((window) => windowStart(window, now))
          const ends = windows.map((window, i) => (starts[i] ?? 0) + window.ms)
          const rows = yield* Effect.orDie(
            sql<{
              readonly taken: ReadonlyArray<number>
            }>`SELECT rate_take(${windows.map((w) => w.bucket)}::text[], ${starts}::bigint[], ${ends}::bigint[], ${windows.map((w) => (w.readOnly === true ? -w.limit : w.limit))}::int[]) AS taken`
          )
          const taken = rows[0]?.taken ?? []
          const last = taken.at(-1) ?? 0
          return last < 0 ? { counts: taken.slice(0, -1), refused: -last - 1, now } : { counts: taken, refused: -1, now }
        }),
        sweep: Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          yield* Effect.orDie(sql`DELETE FROM rate_window WHERE ends_at < ${now}`)
        })
      })
    })
  )

  static readonly layerMemory = Layer.sync(RateLimits, () => {
    const { take, sweep } = makeMemoryWindows()
    return RateLimits.of({
      take: (windows) => Effect.map(Clock.currentTimeMillis, (now) => take(windows, now)),
      sweep: Effect.map(Clock.currentTimeMillis, sweep)
    })
  })
}
