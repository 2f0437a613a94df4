/**
 * The worker that sends deliveries. It claims what is due, shared fairly between stores and subscriptions, posts it
 * outside of any transaction, and records the results, many results of a store in one transaction. It looks for due
 * deliveries when this process has queued some, when the next one is due, and twice a second, because another process
 * may have queued some and a test may have moved the clock.
 */
import { Clock, Context, Effect, FiberSet, Layer } from "effect"
import { type Allotment, InFlight, inFlightLimits } from "./internal/InFlight.ts"
import { makeResultRecorder } from "./internal/resultRecorder.ts"
import type { ClaimedDelivery } from "./WebhookDelivery.ts"
import { WebhookDeliveries } from "./WebhookDeliveries.ts"
import { WebhookSender } from "./WebhookSender.ts"

const pollMillis = 500
const graceMillis = 1_000
/** The pause between two claims while deliveries are due: meanwhile attempts end, and one claim takes more. */
const gatherMillis = 5
/** Stores that are claimed for at the same time. */
const claimsAtOnce = 3

export class WebhookDispatcher extends Context.Service<WebhookDispatcher>()(
  "@effect-commerce/core/webhook/WebhookDispatcher",
  {
    make: Effect.gen(function* () {
      const deliveries = yield* WebhookDeliveries
      const sender = yield* WebhookSender

      /**
       * Sends for as long as it runs. When it is stopped it waits a second for attempts under way; the deliveries that
       * are left are released, and may arrive twice.
       */
      const run = Effect.gen(function* () {
        const inFlight = new InFlight(inFlightLimits)
        /** Claimed by this process and not recorded yet, by id. */
        const held = new Map<string, ClaimedDelivery>()
        /** Whether the last look found anything due. */
        let wasDue = false

        const recorder = yield* makeResultRecorder(deliveries.settle, ({ id }) => held.delete(id))
        const giveBackAll = Effect.suspend(() =>
          Effect.forEach(
            Map.groupBy(held.values(), ({ storeId }) => storeId),
            ([storeId, rest]) =>
              Effect.catchCause(deliveries.release(storeId, rest), (cause) =>
                Effect.logWarning("Deliveries could not be given back and wait for the end of their lease", cause)
              ),
            { discard: true }
          )
        )
        yield* Effect.addFinalizer(() => Effect.andThen(recorder.flush, giveBackAll))
        const attempts = yield* FiberSet.make<void>()
        // Runs before the attempts are interrupted.
        yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(FiberSet.awaitEmpty(attempts), graceMillis)))
        const fork = yield* FiberSet.runtime(attempts)<never>()

        const attempt = (delivery: ClaimedDelivery) =>
          Effect.flatMap(sender.send(delivery), (sent) => {
            inFlight.free(delivery)
            if (wasDue && inFlight.isHalfFree(delivery)) deliveries.queued.openUnsafe()
            return recorder.add({ delivery, sent })
          })

        const claim = Effect.fnUntraced(function* (allotment: Allotment) {
          const { storeId, subscriptions } = allotment
          const now = yield* Clock.currentTimeMillis
          const overdue = [...held.values()].filter((one) => one.storeId === storeId && one.leaseEnds.getTime() <= now)
          const claimed = yield* Effect.catchCause(
            deliveries.claim(
              allotment,
              overdue.map(({ id }) => id)
            ),
            (cause) => Effect.as(Effect.logError("Deliveries could not be claimed and will be tried again", cause), [])
          )
          for (const { subscriptionId, most } of subscriptions) {
            const used = claimed.filter((one) => one.subscriptionId === subscriptionId).length
            inFlight.free({ storeId, subscriptionId }, most - used)
          }
          for (const delivery of claimed) {
            held.set(delivery.id, delivery)
            fork(attempt(delivery))
          }
        })

        const look = Effect.gen(function* () {
          yield* deliveries.queued.close
          const soon = yield* deliveries.due(pollMillis)
          const now = yield* Clock.currentTimeMillis
          const due = soon.filter(({ dueAt }) => dueAt.getTime() <= now)
          wasDue = due.length > 0
          yield* Effect.forEach(inFlight.allot(due), claim, { concurrency: claimsAtOnce, discard: true })
          if (wasDue) yield* Effect.sleep(gatherMillis)
          const waits = soon.map(({ dueAt }) => dueAt.getTime() - now).filter((wait) => wait > 0)
          yield* Effect.timeoutOption(deliveries.queued.await, Math.min(pollMillis, ...waits))
        })
        const looking = Effect.catchCause(look, (cause) =>
          Effect.andThen(
            Effect.logError("Looking for deliveries failed and will be tried again", cause),
            Effect.sleep(pollMillis)
          )
        )
        return yield* Effect.forever(looking)
      }).pipe(Effect.scoped)

      return { run }
    })
  }
) {
  static readonly layer = Layer.effect(WebhookDispatcher, WebhookDispatcher.make)
}
