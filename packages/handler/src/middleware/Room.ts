/**
 * What a room declares to the server, once, in its `<Room>Room.ts`; `rooms.ts` lists the rooms. The declarations of its
 * routes are in `<Room>Api.ts` and the rows of its errors in `<room>Errors.ts`, because a typed client is built from
 * those without server code.
 */
import { Clock, Duration, Effect, type Layer, type Scope } from "effect"
import type { ErrorTable } from "./ErrorRow.ts"

/** Starts one piece of background work, which ends with the instance. Any number of processes run it at once. */
export type Worker<R = never> = Effect.Effect<unknown, never, R | Scope.Scope>

export interface Room {
  /** The endpoints of every group of its routes. */
  readonly endpoints?: Layer.Any
  /** How its errors are returned. */
  readonly errors?: ErrorTable
  readonly workers?: ReadonlyArray<Worker<unknown>>
  /** Background work that a process which only serves requests has too. */
  readonly inEveryRole?: ReadonlyArray<Worker<unknown>>
}

/** Workers notice within this time that the test clock was moved. */
const noticeMillis = 500

/** Waits until the clock has advanced by `millis`, or was set back. */
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
 * logged and tried again. When the test clock is moved, work that became due is done at once.
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

/** A worker that decides by itself when to work. */
export const forever = <R>(work: Effect.Effect<unknown, never, R>): Worker<R> => Effect.forkScoped(work)
