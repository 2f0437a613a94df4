/**
 * The one clock of an instance: the database's time, so that two servers with skewed clocks agree, plus the offset of
 * the test clock. Between two comparisons it runs with the process's monotonic timer, so a step of the system's clock
 * does not move it; a step, or a machine that slept, is detected within a second and the database asked again. Sleeps
 * use real time: workers find due work by polling, not by sleeping until it is due.
 */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { Database } from "./Database.ts"

/** The test clock. */
export class ClockControl extends Context.Service<
  ClockControl,
  {
    /** Moves the clock so that it reads `millis` now; it keeps running from there. */
    readonly set: (millis: number) => Effect.Effect<number>
    /** Moves the clock by `millis` and returns what it reads; 0 only reads. */
    readonly advance: (millis: number) => Effect.Effect<number>
  }
>()("@effect-commerce/core/database/ClockControl") {}

const correctionInterval = Duration.minutes(1)
const watchInterval = Duration.seconds(1)
const samples = 3
/** Smaller differences are measurement error, not a wrong clock. */
const toleranceMillis = 5
const jumpMillis = 500

/** Provides the corrected Clock to everything built on it, and the control of its test offset. */
export const commerceClock = Layer.effectContext(
  Effect.gen(function* () {
    const { sql } = yield* Database
    const system = yield* Clock.Clock
    const monotonic = () => globalThis.performance.now()
    let base = system.currentTimeMillisUnsafe() - monotonic()
    let offset = 0
    const read = () => Math.floor(base + monotonic() + offset)

    /** The database's time minus our timer, at the middle of the round trip. */
    const sample = Effect.gen(function* () {
      const before = monotonic()
      const rows = yield* sql<{
        readonly now: number
      }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`
      const after = monotonic()
      return { base: (rows[0]?.now ?? Number.NaN) - (before + after) / 2, took: after - before }
    })
    /** Of several samples the one with the shortest round trip is the most exact. */
    const correct = Effect.gen(function* () {
      const taken = yield* Effect.replicateEffect(sample, samples)
      const best = taken.reduce((least, next) => (next.took < least.took ? next : least))
      if (Math.abs(best.base - base) > toleranceMillis) base = best.base
    })
    yield* Effect.orDie(correct)

    const keepCorrect = Effect.andThen(system.sleep(correctionInterval), Effect.ignore(correct))
    let drift = system.currentTimeMillisUnsafe() - monotonic()
    const noticeJumps = Effect.gen(function* () {
      yield* system.sleep(watchInterval)
      const now = system.currentTimeMillisUnsafe() - monotonic()
      if (Math.abs(now - drift) > jumpMillis) yield* Effect.ignore(correct)
      drift = now
    })
    yield* Effect.forkScoped(Effect.forever(keepCorrect))
    yield* Effect.forkScoped(Effect.forever(noticeJumps))

    const nanos = () => BigInt(read()) * 1_000_000n
    const clock: Clock.Clock = {
      currentTimeMillisUnsafe: read,
      currentTimeMillis: Effect.sync(read),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: () => system.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: system.monotonicTimeNanos,
      sleep: (duration) => system.sleep(duration)
    }
    const move = (millis: number) =>
      Effect.sync(() => {
        offset += millis
        return read()
      })
    const control = ClockControl.of({ set: (millis) => Effect.suspend(() => move(millis - read())), advance: move })
    return Context.make(Clock.Clock, clock).pipe(Context.add(ClockControl, control))
  })
)
