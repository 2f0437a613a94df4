/**
 * Fixed-window counters, kept in PostgreSQL (exact over all processes, one statement a call), in Redis (exact over all
 * processes, one round trip a call) or in memory (exact within one process). A rejection is repeated from memory for a
 * second. While a Redis does not answer, each process counts for itself, and what needs the store is refused
 * (docs/decisions/0045).
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Database } from "../database/Database.ts"
import { one } from "../database/Repository.ts"
import { makeLateRefusals } from "./internal/lateRefusals.ts"
import { makeMemoryWindows } from "./internal/memoryWindows.ts"
import { makePostgresWindows } from "./internal/postgresWindows.ts"
import { makeRedisWindows } from "./internal/redisWindows.ts"
import { RateStoreUnreached } from "./RateLimitErrors.ts"
import type { RateTaken, RateWindow } from "./RateWindow.ts"
import type { RedisServer } from "./RedisServer.ts"

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

export type RateStore = "postgres" | "redis" | "memory"

/** How the store is, and what became of the calls that it did not answer since the start. */
export interface RateStoreState {
  readonly store: RateStore
  readonly isReached: boolean
  readonly countedAlone: number
  readonly refused: number
}

export interface RateLimitsMethods {
  /** Counts the request in each window or, if one of them is full, in none. */
  readonly take: (windows: ReadonlyArray<RateWindow>) => Effect.Effect<RateTaken>
  /**
   * The same in PostgreSQL, whatever the store is: in the transaction that is open, so that what comes to nothing does
   * not count, and no other server is called meanwhile.
   */
  readonly takeWithWrite: (windows: ReadonlyArray<RateWindow>) => Effect.Effect<RateTaken>
  /** Reads at most one row, and counts. Reads nothing from PostgreSQL if it was rejected there a moment ago. */
  readonly takeReading: <A extends object>(
    select: Statement.Fragment,
    windows: LookupWindows
  ) => Effect.Effect<TakenReading<A>>
  /** Forgets all windows of a group; another process may repeat a rejection for a second. */
  readonly lift: (group: string) => Effect.Effect<void>
  /** Drops windows that have ended. */
  readonly sweep: Effect.Effect<void>
  readonly state: () => RateStoreState
}

const always = (store: RateStore) => (): RateStoreState => ({ store, isReached: true, countedAlone: 0, refused: 0 })

export class RateLimits extends Context.Service<RateLimits, RateLimitsMethods>()(
  "@effect-commerce/core/guard/RateLimits"
) {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const windows = yield* makePostgresWindows
      const refusals = makeLateRefusals()
      const take = Effect.fnUntraced(function* (asked: ReadonlyArray<RateWindow>) {
        const now = yield* Clock.currentTimeMillis
        return refusals.find(asked, now) ?? refusals.remember(asked, yield* windows.take(asked, now))
      })
      return {
        take,
        takeWithWrite: take,
        takeReading: <A extends object>(select: Statement.Fragment, { missing, found }: LookupWindows) =>
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            const refused = refusals.find(missing, now)
            if (refused !== undefined) return { row: undefined, taken: refused }
            const { row, taken } = yield* windows.takeReading<A>(select, missing, found, now)
            return { row, taken: refusals.remember(row === undefined ? missing : found, taken) }
          }),
        lift: (group) => Effect.tap(windows.lift(group), () => Effect.sync(refusals.forget)),
        sweep: Effect.flatMap(Clock.currentTimeMillis, windows.sweep),
        state: always("postgres")
      }
    })
  )

  /** Counts only in this process. */
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const stored = yield* makePostgresWindows
      const windows = makeMemoryWindows()
      const refusals = makeLateRefusals()
      const take = (asked: ReadonlyArray<RateWindow>) =>
        Effect.map(Clock.currentTimeMillis, (now) => refusals.remember(asked, windows.take(asked, now)))
      return {
        take,
        takeWithWrite: (asked) => Effect.flatMap(Clock.currentTimeMillis, (now) => stored.take(asked, now)),
        takeReading: readingWith(sql, take, refusals.find),
        lift: (group) =>
          Effect.sync(() => {
            windows.lift(group)
            refusals.forget()
          }),
        sweep: Effect.flatMap(Clock.currentTimeMillis, (now) => {
          windows.sweep(now)
          return stored.sweep(now)
        }),
        state: always("memory")
      }
    })
  )

  /** Counts in Redis, in keys that begin with a mark of the installation. */
  static readonly layerRedis = (server: RedisServer) =>
    Layer.effect(
      this,
      Effect.gen(function* () {
        const { sql } = yield* Database
        const stored = yield* makePostgresWindows
        const mark = Buffer.from((yield* RootSecret).derive("rate-limits"))
          .toString("base64url")
          .slice(0, 12)
        const shared = yield* makeRedisWindows(server, `commerce:${mark}:`)
        const alone = makeMemoryWindows()
        const refusals = makeLateRefusals()
        let [countedAlone, refused] = [0, 0]

        const withoutStore = (asked: ReadonlyArray<RateWindow>, now: number): Effect.Effect<RateTaken> =>
          Effect.suspend(() => {
            if (asked.some(({ needsStore }) => needsStore === true)) {
              refused += 1
              return Effect.die(new RateStoreUnreached())
            }
            countedAlone += 1
            return Effect.succeed(refusals.remember(asked, alone.take(asked, now)))
          })
        const take = Effect.fnUntraced(function* (asked: ReadonlyArray<RateWindow>) {
          const now = yield* Clock.currentTimeMillis
          if (asked.length === 0) return { counts: [], refused: -1, now }
          const found = refusals.find(asked, now)
          if (found !== undefined) return found
          const counted = Effect.map(shared.take(asked, now), (taken) => refusals.remember(asked, taken))
          return yield* Effect.catch(counted, () => withoutStore(asked, now))
        })
        return {
          take,
          takeWithWrite: (asked) => Effect.flatMap(Clock.currentTimeMillis, (now) => stored.take(asked, now)),
          takeReading: readingWith(sql, take, refusals.find),
          // A Redis that does not answer keeps the counters, which end by themselves; that it is lost was logged.
          lift: (group) =>
            Effect.andThen(
              Effect.ignore(shared.lift(group)),
              Effect.sync(() => {
                alone.lift(group)
                refusals.forget()
              })
            ),
          sweep: Effect.flatMap(Clock.currentTimeMillis, stored.sweep),
          state: () => ({ store: "redis", isReached: shared.isReached(), countedAlone, refused })
        }
      })
    )
}

/** Where PostgreSQL does not count, it reads the row, and then the store counts. */
const readingWith =
  (
    sql: Database["Service"]["sql"],
    take: RateLimitsMethods["take"],
    lately: (windows: ReadonlyArray<RateWindow>, now: number) => RateTaken | undefined
  ): RateLimitsMethods["takeReading"] =>
  <A extends object>(select: Statement.Fragment, { missing, found }: LookupWindows) =>
    Effect.gen(function* () {
      const refused = lately(missing, yield* Clock.currentTimeMillis)
      if (refused !== undefined) return { row: undefined, taken: refused }
      const row = yield* one(sql<A>`${select}`)
      return { row, taken: yield* take(row === undefined ? missing : found) }
    })
