/**
 * The time of a simulated world. It moves only when the scheduler moves it: what sleeps, times out or is sent wakes one
 * after another, in the order of its time, so that a history is the same whenever it is repeated.
 */
import { type Clock, Duration, Effect } from "effect"

interface Timer {
  readonly at: number
  readonly order: number
  readonly fire: () => void
}

export interface SimulatedTime {
  readonly clock: Clock.Clock
  readonly now: () => number
  /** Calls `fire` at a time of its own. The returned function takes that back. */
  readonly at: (millis: number, fire: () => void) => () => void
  /** When the next timer is due; undefined where there is none. */
  readonly next: () => number | undefined
  /** Moves the time to `millis` and fires the first timer that is due by then. Returns whether there was one. */
  readonly step: (millis: number) => boolean
  /** Nothing that was set is to happen any more. */
  readonly clear: () => void
  /** Counts what was set and fired: nothing has happened while it stays the same. */
  readonly activity: () => number
}

export const makeSimulatedTime = (start: number): SimulatedTime => {
  let now = start
  let order = 0
  let activity = 0
  const timers = new Set<Timer>()

  const first = (): Timer | undefined => {
    let found: Timer | undefined
    for (const timer of timers)
      if (found === undefined || timer.at < found.at || (timer.at === found.at && timer.order < found.order))
        found = timer
    return found
  }
  const at: SimulatedTime["at"] = (millis, fire) => {
    const timer = { at: Math.max(now, millis), order: order++, fire }
    timers.add(timer)
    activity += 1
    return () => void timers.delete(timer)
  }
  const nanos = () => BigInt(now) * 1_000_000n
  return {
    now: () => now,
    at,
    next: () => first()?.at,
    step: (millis) => {
      const timer = first()
      if (timer === undefined || timer.at > millis) {
        now = Math.max(now, millis)
        return false
      }
      now = timer.at
      timers.delete(timer)
      activity += 1
      timer.fire()
      return true
    },
    clear: () => timers.clear(),
    activity: () => activity,
    clock: {
      currentTimeMillisUnsafe: () => now,
      currentTimeMillis: Effect.sync(() => now),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: nanos,
      monotonicTimeNanos: Effect.sync(nanos),
      sleep: (duration) =>
        Effect.callback<void>((resume) => {
          const cancel = at(now + Duration.toMillis(duration), () => resume(Effect.void))
          return Effect.sync(cancel)
        })
    }
  }
}
