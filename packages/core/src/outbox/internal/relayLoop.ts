/**
 * Relays for as long as it runs: at once when a commit wakes it, and at least twice a second. After a pass it rests for
 * a moment, so that what is committed meanwhile shares the next one: a pass costs much more than an event.
 */
import { Effect, Latch, Stream } from "effect"

const pollMillis = 500
const restMillis = 50

/**
 * `woken` gives the stores that have committed events, and undefined where notifications may have been missed;
 * `relayed` gives each store a turn and returns those that have more.
 */
export const relayForever = (
  woken: Stream.Stream<string | undefined>,
  pendingStores: Effect.Effect<ReadonlyArray<string>>,
  relayed: (storeIds: Iterable<string>) => Effect.Effect<ReadonlyArray<string>>
): Effect.Effect<never> =>
  Effect.gen(function* () {
    const waiting = new Set<string>()
    const wake = yield* Latch.make(true)
    let allStoresAt = 0
    const hear = (storeId: string | undefined) =>
      Effect.suspend(() => {
        if (storeId === undefined) allStoresAt = 0
        else waiting.add(storeId)
        return wake.open
      })
    yield* Effect.forkScoped(Stream.runForEach(woken, hear))
    const look = Effect.gen(function* () {
      yield* Effect.timeoutOption(wake.await, pollMillis)
      yield* wake.close
      const now = performance.now()
      if (now >= allStoresAt) {
        allStoresAt = now + pollMillis
        for (const storeId of yield* pendingStores) waiting.add(storeId)
      }
      const turn = [...waiting]
      waiting.clear()
      const more = yield* relayed(turn)
      for (const storeId of more) waiting.add(storeId)
      if (more.length > 0) yield* wake.open
      else if (turn.length > 0) yield* Effect.sleep(restMillis)
    })
    const looking = Effect.catchCause(look, (cause) =>
      Effect.andThen(
        Effect.logError("Looking for events failed and will be tried again", cause),
        Effect.sleep(pollMillis)
      )
    )
    return yield* Effect.forever(looking)
  }).pipe(Effect.scoped)
