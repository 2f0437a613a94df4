/**
 * The one clock of an instance: the system's, corrected to the database's so that two servers with skewed clocks agree, plus the offset of the test
 * clock. Sleeping stays real: what must happen when time has come is found by looking, not by waiting.
 */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { Database } from "./Database.ts"

export interface ClockControlMethods {
  /** Moves the clock so that it reads `millis` now; it keeps running from there. */
  readonly set: (millis: number) => Effect.Effect<number>
  /** Moves the clock by `millis` and answers what it reads. */
  readonly advance: (millis: number) => Effect.Effect<number>
}

export class ClockControl extends Context.Service<ClockControl, ClockControlMethods>()("@effect-commerce/core/database/ClockControl") {}

const correctionInterval = Duration.minutes(1)

/** Provides the corrected Clock to everything built on it, and the control of its test offset. */
export const commerceClock = Layer.effectContext(
  Effect.gen(function* () {
    const { sql } = yield* Database
    const system = yield* Clock.Clock
    let correction = 0
    let offset = 0
    const read = () => system.currentTimeMillisUnsafe() + correction + offset
    const clock: Clock.Clock = {
      currentTimeMillisUnsafe: read,
      currentTimeMillis: Effect.sync(read),
      currentTimeNanosUnsafe: () => BigInt(read()) * 1_000_000n,
      currentTimeNanos: Effect.sync(() => BigInt(read()) * 1_000_000n),
      monotonicTimeNanosUnsafe: () => system.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: system.monotonicTimeNanos,
      sleep: (duration) => system.sleep(duration)
    }
    /** The database's time, taken at the middle of the question's way there and back. */
    const correct = Effect.gen(function* () {
      const before = system.currentTimeMillisUnsafe()
      const rows = yield* sql<{ readonly now: number }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`
      const after = system.currentTimeMillisUnsafe()
      const now = rows[0]?.now
      if (now !== undefined) correction = Math.round(now - (before + after) / 2)
    })
    yield* Effect.orDie(correct)
    yield* Effect.forkScoped(
      Effect.forever(Effect.andThen(system.sleep(correctionInterval), Effect.ignore(correct)))
    )
    const control = ClockControl.of({
      set: (millis) => Effect.sync(() => ((offset += millis - read()), read())),
      advance: (millis) => Effect.sync(() => ((offset += millis), read()))
    })
    return Context.make(Clock.Clock, clock).pipe(Context.add(ClockControl, control))
  })
)
