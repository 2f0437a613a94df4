/** Waiting in real time, whatever clock is provided: another server has to answer. */
import { Effect, Schema } from "effect"

/** A server has not answered in time. */
export class NotInTime extends Schema.TaggedError<NotInTime>()("NotInTime", {}) {}

export const pause = (millis: number): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const timer = setTimeout(() => resume(Effect.void), millis)
    return Effect.sync(() => clearTimeout(timer))
  })

/** Interrupts what has no answer after this time. */
export const within =
  (millis: number) =>
  <A, E, R>(asked: Effect.Effect<A, E, R>): Effect.Effect<A, E | NotInTime, R> =>
    Effect.raceFirst(asked, Effect.andThen(pause(millis), Effect.fail(new NotInTime())))
