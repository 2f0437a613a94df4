/**
 * How a read is declared that may cost much: a search, a list found for the first time, facets, whatever looks through
 * all rows of a store. Such reads run on a few connections of their own (decision 0028), some of them for each store,
 * so that no other read waits behind them; and they end earlier than other statements. Inside a transaction nothing of
 * this applies: it has a connection of its own.
 */
import { Context, Effect } from "effect"

/** The store that the heavy read of this fiber is for. */
export const HeavyReadOf = Context.Reference<string | undefined>("@effect-commerce/core/database/HeavyReadOf", {
  defaultValue: () => undefined
})

/**
 * Runs the read among the heavy ones of the store. It is a defect (HeavyReadRefused) where too many of the store wait
 * already, where none of the connections comes free in time, and where it takes too long.
 */
export const heavyRead =
  (storeId: string) =>
  <A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(read, HeavyReadOf, storeId)
