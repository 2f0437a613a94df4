/**
 * What a room brings to the server: the handlers of its routes and its background work. `rooms.ts` lists the rooms. The
 * declarations of its routes stand in `<Room>Api.ts` and its refusals in `<room>Errors.ts`, because a typed client is
 * built from those without server code.
 */
import { Effect, type Layer, Schedule, type Scope } from "effect"

/** Starts one piece of background work, which ends with the instance. Any number of processes run it at once. */
export type Worker<R = never> = Effect.Effect<unknown, never, R | Scope.Scope>

export const room = <Endpoints extends Layer.Any, const Workers extends ReadonlyArray<Worker<unknown>>>(
  endpoints: Endpoints,
  ...workers: Workers
) => ({ endpoints, workers })

/** A worker that makes a short, idempotent pass again and again. A pass that fails is logged and tried again. */
export const every = <R>(
  interval: `${number} seconds` | `${number} millis`,
  name: string,
  pass: Effect.Effect<void, never, R>
): Worker<R> =>
  pass.pipe(
    Effect.catchCause((cause) => Effect.logError(`${name} failed and will be tried again`, cause)),
    Effect.repeat(Schedule.spaced(interval)),
    Effect.forkScoped
  )

/** A worker that waits for its work by itself. */
export const forever = <R>(work: Effect.Effect<unknown, never, R>): Worker<R> => Effect.forkScoped(work)
