/**
 * The end of an instance: running requests are awaited before anything they use is closed, and later ones get a 503
 * instead of being cut off.
 */
import { Context, Effect } from "effect"

export interface RequestGate {
  readonly isOpen: () => boolean
  /** Counts a request as under way until it ends, however it does. */
  readonly around: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Rejects requests from now on; completes when none is running any more, after `patience` at the latest. */
  readonly shut: Effect.Effect<void>
}

/** How long, in milliseconds of real time, running requests may take at the shutdown. */
const patience = 10_000

export const makeRequestGate = (): RequestGate => {
  let open = true
  let underWay = 0
  const waiting = new Set<() => void>()
  const left = Effect.sync(() => {
    underWay -= 1
    if (underWay === 0) for (const go of waiting) go()
  })

  return {
    isOpen: () => open,
    around: (request) =>
      Effect.suspend(() => {
        underWay += 1
        return Effect.ensuring(request, left)
      }),
    shut: Effect.callback<void>((resume) => {
      open = false
      const go = () => {
        clearTimeout(timer)
        waiting.delete(go)
        resume(Effect.void)
      }
      const timer = setTimeout(go, patience)
      waiting.add(go)
      if (underWay === 0) go()
    })
  }
}

export const RequestGate = Context.Reference<RequestGate>("@effect-commerce/handler/middleware/RequestGate", {
  defaultValue: makeRequestGate
})
