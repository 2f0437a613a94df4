/** Keeps the failure of one payment, notice or store from the others of a pass. */
import { Cause, Effect } from "effect"

/** Logs a failure as `what`, and says by an error that there was one. */
export const apart = <A, E, R>(what: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, void, R> =>
  Effect.catchCause(work, (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.andThen(Effect.logError(what, cause), Effect.fail(undefined))
  )
