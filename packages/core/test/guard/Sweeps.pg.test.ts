import { expect, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { Database } from "../../src/database/Database.ts"
import { IdempotencyRecords } from "../../src/guard/IdempotencyRecords.ts"
import { RateLimits } from "../../src/guard/RateLimits.ts"
import { CurrentStatementLog, makeStatementCounter } from "../../src/database/StatementLog.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"

const counter = makeStatementCounter()
const live = Layer.merge(IdempotencyRecords.layer, RateLimits.layer).pipe(
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(Layer.succeed(CurrentStatementLog, counter))
)

/**
 * A backlog is removed in statements of a thousand rows each, so that none of them runs into the bound of a statement,
 * for ever.
 */
layer(live)("sweeping what has ended", (it) => {
  it.effect("removes answers of a day ago a thousand at a time, and keeps the others", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const now = yield* Clock.currentTimeMillis
      const fill = (
        count: number,
        expiresAt: number
      ) => sql`INSERT INTO idempotency (store_id, credential, key, fingerprint, owner, claimed_until, expires_at)
        SELECT 'store_1', 'c', ${expiresAt} || 'k' || n, 'f', 'o', now(), ${new Date(expiresAt)} FROM generate_series(1, ${count}::int) AS n`
      yield* fill(2_000, now)
      yield* fill(3, now + 1)
      counter.reset()
      yield* (yield* IdempotencyRecords).sweep
      expect(counter.statements().length).toBe(3)
      expect(yield* sql`SELECT count(*)::int AS n FROM idempotency`).toEqual([{ n: 3 }])
    })
  )

  it.effect("removes windows that are over a thousand at a time, and keeps the others", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const now = yield* Clock.currentTimeMillis
      const fill = (count: number, endsAt: number) => sql`INSERT INTO rate_window (bucket, window_start, ends_at, count)
        SELECT 'ip ' || n, ${endsAt - 60_000}::bigint, ${endsAt}::bigint, 1 FROM generate_series(1, ${count}::int) AS n`
      yield* fill(1_001, now - 1)
      yield* fill(2, now)
      counter.reset()
      yield* (yield* RateLimits).sweep
      expect(counter.statements().length).toBe(2)
      expect(yield* sql`SELECT count(*)::int AS n FROM rate_window`).toEqual([{ n: 2 }])
    })
  )
})
