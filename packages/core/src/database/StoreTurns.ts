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
