/**
 * Declares reads that may be expensive: a search, a list that is not cached, facets, anything that reads all rows of a
 * store. Such reads run on a few connections of their own (decision 0028), with a limit for each store, so that no
 * other read waits behind them, and with a shorter timeout than other statements. Inside a transaction none of this
 * applies: it has its own connection.
 */
import { Context, Effect } from "effect"

/** The store that the heavy read of this fiber is for. */
export const HeavyReadOf = Context.Reference<string | undefined>("@effect-commerce/core/database/HeavyReadOf", {
  defaultValue: () => undefined
})

/**
 * Runs the read as a heavy read of the store. Dies with HeavyReadRefused if too many of the store wait already, if no
 * connection is free in time, or if it takes too long.
 */
export const heavyRead =
  (storeId: string) =>
  <A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(read, HeavyReadOf, storeId)
