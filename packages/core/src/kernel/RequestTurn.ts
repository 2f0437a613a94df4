/**
 * The turn that a request has among those of its store (handler/middleware/RequestTurns.ts). Whoever waits for what is
 * neither this process's thread nor its database (a payment provider, a password's hash, a decoder, another server)
 * gives it back first, so that other requests of the store do not wait for the same.
 */
import { Context, Effect } from "effect"

/** Gives the turn of this fiber's request back; does nothing where it has none. */
export const LeaveTurn = Context.Reference<Effect.Effect<void>>("@effect-commerce/core/kernel/LeaveTurn", {
  defaultValue: () => Effect.void
})

/** Waits without a turn. What follows has none either: it would wait behind whoever waits for it. */
export const outOfTurn = <A, E, R>(wait: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(LeaveTurn, (leave) => Effect.andThen(leave, wait))
