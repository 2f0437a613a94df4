import { expect, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { ClockControl, commerceClock } from "../../src/database/CommerceClock.ts"
import { Database } from "../../src/database/Database.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"

const hour = 3_600_000

/** A system clock that someone set wrong. */
const skewed = (millis: number): Clock.Clock => {
  const now = () => Date.now() + millis
  return {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => process.hrtime.bigint(),
    monotonicTimeNanos: Effect.sync(() => process.hrtime.bigint()),
    sleep: () => Effect.never
  }
}

const instance = (systemSkew: number) =>
  Effect.map(
    Layer.build(Layer.fresh(commerceClock)).pipe(Effect.provideService(Clock.Clock, skewed(systemSkew))),
    (context) => ({
      clock: Context.get(context as Context.Context<Clock.Clock | ClockControl>, Clock.Clock),
      control: Context.get(context, ClockControl)
    })
  )

const databaseTime = Effect.flatMap(Database, ({ sql }) =>
  Effect.map(sql<{ readonly now: Date }>`SELECT clock_timestamp() AS now`, (rows) => rows[0]?.now.getTime() ?? 0)
)

layer(TestDatabase.layer, { excludeTestServices: true })("commerceClock", (it) => {
  it.effect("two servers whose system clocks differ by an hour read the database's time", () =>
    Effect.gen(function* () {
      for (const skew of [-hour, 0, hour]) {
        const { clock } = yield* instance(skew)
        const before = yield* databaseTime
        const read = clock.currentTimeMillisUnsafe()
        const after = yield* databaseTime
        expect(read).toBeGreaterThanOrEqual(before - 10)
        expect(read).toBeLessThanOrEqual(after + 10)
      }
    })
  )

  it.effect("the test offset moves the clock, which runs on from there; the system's clock is left alone", () =>
    Effect.gen(function* () {
      const { clock, control } = yield* instance(0)
      const other = yield* instance(0)
      const start = clock.currentTimeMillisUnsafe()
      expect(yield* control.advance(25 * hour)).toBeGreaterThanOrEqual(start + 25 * hour)
      const noon = Date.parse("2031-05-06T12:00:00Z")
      const set = yield* control.set(noon)
      expect(set).toBeGreaterThanOrEqual(noon - 1)
      expect(set).toBeLessThan(noon + 1_000)
      expect(yield* control.advance(0)).toBeLessThan(noon + 1_000)
      expect(Math.abs(other.clock.currentTimeMillisUnsafe() - start)).toBeLessThan(60_000)
    })
  )
})
