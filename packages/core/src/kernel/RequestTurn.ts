/**
 * A request's turn among the requests of its store (handler/middleware/RequestTurns.ts). Code that waits for something
 * other than this process's thread or its database (a payment provider, a password hash, a decoder, another server)
 * gives the turn back first, so that other requests of the store need not wait too.
 */
import { Context, Effect } from "effect"

/** Gives back the turn of this fiber's request, if it has one. */
export const LeaveTurn = Context.Reference<Effect.Effect<void>>("@effect-commerce/core/kernel/LeaveTurn", {
  defaultValue: () => Effect.void
})

/**
 * Waits without a turn. The code after it has no turn either: waiting for one again could deadlock with requests that
 * wait for this one.
 */
export const outOfTurn = <A, E, R>(wait: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(LeaveTurn, (leave) => Effect.andThen(leave, wait))
