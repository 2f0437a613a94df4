/**
 * Records the results of attempts: while one transaction of a store is under way, further results of that store
 * gather for the next one.
 */
import { Cause, Effect, Schedule, Semaphore } from "effect"
import { classify } from "../../database/SqlErrors.ts"
import type { ClaimedDelivery } from "../WebhookDelivery.ts"
import type { WebhookDeliveries } from "../WebhookDeliveries.ts"
import type { Finished } from "./judgeAttempts.ts"

/** How long the first result of a store waits for others. */
const gatherMillis = 10
/** Transactions that record at the same time. */
const transactionsAtOnce = 3
/**
 * How long results are kept while the database is down. After that their lease has ended, and the attempt is repeated.
 */
const whileAway = { schedule: Schedule.spaced("250 millis"), times: 100 }

const isAway = (cause: Cause.Cause<unknown>): boolean => classify(Cause.squash(cause)) === "unavailable"

/** Calls `recorded` with each delivery whose result was recorded or given up. */
export const makeResultRecorder = Effect.fnUntraced(function* (
  settle: WebhookDeliveries["Service"]["settle"],
  recorded: (delivery: ClaimedDelivery) => void
) {
  const gathered = new Map<string, Array<Finished>>()
  const recording = yield* Semaphore.make(transactionsAtOnce)

  /**
   * When the database rejects a batch, its halves are tried separately, so that one bad result does not block the
   * others.
   */
  const settleOrHalve = (storeId: string, finished: ReadonlyArray<Finished>): Effect.Effect<void> =>
    settle(storeId, finished).pipe(
      Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.fail(cause))),
      Effect.retry({ ...whileAway, while: isAway }),
      Effect.catch((cause) => {
        if (finished.length === 1 || isAway(cause))
          return Effect.logError("Attempts of deliveries could not be recorded and will be made again", cause)
        const half = Math.ceil(finished.length / 2)
        return Effect.andThen(
          settleOrHalve(storeId, finished.slice(0, half)),
          settleOrHalve(storeId, finished.slice(half))
        )
      })
    )

  /** Records the waiting results of a store, batch by batch, until none is left. */
  const recordStore = (storeId: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const finished = gathered.get(storeId) ?? []
      if (finished.length === 0) return Effect.sync(() => void gathered.delete(storeId))
      gathered.set(storeId, [])
      return settleOrHalve(storeId, finished).pipe(
        Effect.andThen(Effect.sync(() => finished.forEach(({ delivery }) => recorded(delivery)))),
        Effect.andThen(recordStore(storeId))
      )
    })

  return {
    /** Returns when this and all results of the store have been recorded, or at once when another caller does that. */
    add: (finished: Finished): Effect.Effect<void> =>
      Effect.suspend(() => {
        const { storeId } = finished.delivery
        const waiting = gathered.get(storeId)
        if (waiting !== undefined) return Effect.sync(() => void waiting.push(finished))
        gathered.set(storeId, [finished])
        return Effect.delay(Semaphore.withPermit(recording, recordStore(storeId)), gatherMillis)
      }),
    /** Records what is left when the callers of `add` were interrupted; a second for each store. */
    flush: Effect.suspend(() =>
      Effect.forEach(
        [...gathered.keys()],
        (storeId) => Effect.ignore(Effect.timeout(recordStore(storeId), "1 second")),
        { discard: true }
      )
    )
  }
})
