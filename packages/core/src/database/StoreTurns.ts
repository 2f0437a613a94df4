/**
 * Background work of many stores: a piece of each in turn, so that neither a store with very much work nor a store
 * whose work fails delays the others.
 */
import { Cause, Effect } from "effect"

/**
 * One pass. `waiting` is read again before each round, so a store that comes later has its turn before the others' next
 * turns. `piece` does a bounded part of a store's work and returns whether there may be more. A piece that fails is
 * logged as `what`, and its store waits for the next pass. Work is done for `storesAtOnce` stores at a time, by default
 * for one.
 */
export const storesInTurn = Effect.fnUntraced(function* <E, R>(
  what: string,
  waiting: Effect.Effect<ReadonlyArray<string>>,
  piece: (storeId: string) => Effect.Effect<boolean, E, R>,
  storesAtOnce = 1
): Effect.fn.Return<void, never, R> {
  const done = new Set<string>()
  const guarded = (storeId: string) =>
    Effect.catchCause(piece(storeId), (cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.as(
            Effect.annotateLogs(Effect.logError(`${what} failed and will be tried again`, cause), { storeId }),
            false
          )
    )
  for (;;) {
    const round = (yield* waiting).filter((storeId) => !done.has(storeId))
    if (round.length === 0) return
    yield* Effect.forEach(
      round,
      (storeId) => Effect.map(guarded(storeId), (isMore) => (isMore ? undefined : done.add(storeId))),
      { concurrency: storesAtOnce, discard: true }
    )
  }
})

/**
 * One pass that removes what is old, oldest first, in batches of one transaction. `remove` begins after a place in the
 * order of an index, 0 at first, and returns the place that it came to, or undefined where nothing is left to remove.
 * Going on from there it does not read again what it has just removed, which stays in the index until VACUUM has been
 * there: each batch would take longer than the one before.
 */
export const removedInTurn = Effect.fnUntraced(function* <E, R>(
  what: string,
  stores: Effect.Effect<ReadonlyArray<string>>,
  remove: (storeId: string, after: bigint) => Effect.Effect<bigint | undefined, E, R>
): Effect.fn.Return<void, never, R> {
  const places = new Map((yield* stores).map((storeId) => [storeId, 0n]))
  const waiting = Effect.sync(() => [...places.keys()])
  yield* storesInTurn(what, waiting, (storeId) =>
    Effect.map(remove(storeId, places.get(storeId) ?? 0n), (place) => {
      if (place !== undefined) places.set(storeId, place)
      return place !== undefined
    })
  )
})
