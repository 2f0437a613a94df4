/**
 * Turns at what a process has little of: stores are served round robin, so that a store waits for one piece of work of
 * each other store at most, however much they bring. What may wait is bounded for each store and in all.
 */
import { Effect, type Option, PartitionedSemaphore } from "effect"

export interface TurnBounds {
  readonly atOnce: number
  /** Of one store, waiting or at work. */
  readonly ofStore: number
  readonly inAll: number
}

export const makeStoreTurns = ({ atOnce, ofStore, inAll }: TurnBounds) => {
  const turns = PartitionedSemaphore.makeUnsafe<string>({ permits: atOnce })
  const counts = new Map<string, number>()
  let all = 0

  const count = (storeId: string, by: 1 | -1): void => {
    const left = (counts.get(storeId) ?? 0) + by
    if (left === 0) counts.delete(storeId)
    else counts.set(storeId, left)
    all += by
  }

  /** None, at once, where too much waits already. Whoever is interrupted leaves when its work has ended. */
  return <A, E, R>(storeId: string, work: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E, R> =>
    Effect.uninterruptibleMask((restore) => {
      if (all >= inAll || (counts.get(storeId) ?? 0) >= ofStore) return Effect.succeedNone
      count(storeId, 1)
      return restore(turns.withPermit(storeId)(work)).pipe(
        Effect.asSome,
        Effect.ensuring(Effect.sync(() => count(storeId, -1)))
      )
    })
}
