/**
 * What a room brings to the server: the handlers of its routes and its background work. `rooms.ts` lists the rooms. The
 * declarations of its routes stand in `<Room>Api.ts` and its refusals in `<room>Errors.ts`, because a typed client is
 * built from those without server code.
 */
import { Clock, Duration, Effect, type Layer, type Scope } from "effect"

/** Starts one piece of background work, which ends with the instance. Any number of processes run it at once. */
export type Worker<R = never> = Effect.Effect<unknown, never, R | Scope.Scope>

export const room = <Endpoints extends Layer.Any, const Workers extends ReadonlyArray<Worker<unknown>>>(
  endpoints: Endpoints,
  ...workers: Workers
) => ({ endpoints, workers })

/** A clock that was moved is noticed within so many milliseconds (operations.md, COMMERCE_TEST_CLOCK). */
const noticeMillis = 500

/** Waits until so many milliseconds have passed on the clock, or it was set back. */
const elapsed = (millis: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (since) => {
    const wait: Effect.Effect<void> = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const left = since + millis - now
      if (left <= 0 || now < since) return Effect.void
      return Effect.andThen(
        Effect.sleep(Math.min(left, noticeMillis)),
        Effect.suspend(() => wait)
      )
    })
    return wait
  })

/**
 * A worker that makes a short, idempotent pass again and again, the interval after the one before. A pass that fails is
 * logged and tried again. Where the test clock is moved, what became due is done at once, whatever the interval.
 */
export const every = <R>(
  interval: `${number} seconds` | `${number} millis`,
  name: string,
  pass: Effect.Effect<void, never, R>
): Worker<R> =>
  pass.pipe(
    Effect.catchCause((cause) => Effect.logError(`${name} failed and will be tried again`, cause)),
    Effect.andThen(elapsed(Duration.toMillis(interval))),
    Effect.forever,
    Effect.forkScoped
  )

/** A worker that waits for its work by itself. */
export const forever = <R>(work: Effect.Effect<unknown, never, R>): Worker<R> => Effect.forkScoped(work)
