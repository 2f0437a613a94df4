/**
 * The worker that sends deliveries: takes what is due, in turns over stores and subscriptions, posts it outside of any transaction, and records what came
 * of it, many results of a store in one transaction. Woken when this process queues something; otherwise it looks when the next delivery is due, and at
 * least twice a second, because another process may have queued it and a test may have moved the clock.
 */
import { Cause, Context, Effect, FiberSet, Layer, Schedule, Semaphore } from "effect"
import { Slots } from "./internal/Slots.ts"
import type { ClaimedDelivery } from "./WebhookDelivery.ts"
import { type Finished, WebhookDeliveries } from "./WebhookDeliveries.ts"
import { WebhookSender } from "./WebhookSender.ts"

export interface WebhookDispatcherMethods {
  /** Sends for as long as it runs. What is under way when it is stopped is given back, and may arrive twice. */
  readonly run: Effect.Effect<never>
}

const pollMillis = 500
/** Transactions that claim or record at the same time. */
const transactionsAtOnce = 3
/** How long results that cannot be recorded are kept: then the lease has ended, and another attempt will be made. */
const keepTrying = { schedule: Schedule.spaced("250 millis"), times: 100 }

export class WebhookDispatcher extends Context.Service<WebhookDispatcher, WebhookDispatcherMethods>()("@effect-commerce/core/webhook/WebhookDispatcher") {
  static readonly layer = Layer.effect(
    WebhookDispatcher,
    Effect.gen(function* () {
      const deliveries = yield* WebhookDeliveries
      const sender = yield* WebhookSender

      const run = Effect.gen(function* () {
        const slots = new Slots()
        /** Claimed by this process and not recorded yet. */
        const held = new Map<string, ClaimedDelivery>()
        const results = new Map<string, Array<Finished>>()
        const recording = yield* Semaphore.make(transactionsAtOnce)

        /** Records what has gathered for a store, again until nothing is left; one at a time for each store. */
        const record = (storeId: string): Effect.Effect<void> =>
          Effect.suspend(() => {
            const gathered = results.get(storeId) ?? []
            if (gathered.length === 0) return Effect.sync(() => void results.delete(storeId))
            results.set(storeId, [])
            return deliveries.settle(storeId, gathered).pipe(
              Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.fail(cause))),
              Effect.retry(keepTrying),
              Effect.catch((cause) => Effect.logError("Attempts of deliveries could not be recorded and will be made again", cause)),
              Effect.andThen(Effect.sync(() => gathered.forEach(({ delivery }) => held.delete(delivery.id)))),
              Effect.andThen(record(storeId))
            )
          })

        const giveBack = Effect.suspend(() =>
          Effect.forEach(
            Map.groupBy(held.values(), ({ storeId }) => storeId),
            ([storeId, rest]) => Effect.ignore(Effect.catchDefect(deliveries.release(storeId, rest), () => Effect.void)),
            { discard: true }
          )
        )
        const recordAll = Effect.suspend(() =>
          Effect.forEach([...results.keys()], (storeId) => Effect.ignore(Effect.timeout(record(storeId), "1 second")), { discard: true })
        )
        yield* Effect.addFinalizer(() => Effect.andThen(recordAll, giveBack))
        const fork = yield* FiberSet.runtime(yield* FiberSet.make<void>())<never>()

        const finish = (finished: Finished) =>
          Effect.suspend(() => {
            const { storeId, subscriptionId } = finished.delivery
            if (slots.ended(storeId, subscriptionId)) deliveries.queued.openUnsafe()
            const gathered = results.get(storeId)
            if (gathered !== undefined) return Effect.sync(() => void gathered.push(finished))
            results.set(storeId, [finished])
            return Semaphore.withPermit(recording, record(storeId))
          })

        const send = (delivery: ClaimedDelivery) => {
          const { storeId, subscriptionId, url, secret, eventId: id, eventType: type, data, eventCreatedAt: createdAt } = delivery
          return Effect.flatMap(sender.send({ storeId, subscriptionId, url, secret, event: { id, type, data, createdAt } }), (sent) =>
            finish({ delivery, sent })
          )
        }

        const claimOf = (storeId: string, lanes: ReadonlyArray<{ readonly subscriptionId: string; readonly most: number }>) =>
          deliveries.claim({ storeId, lanes, except: [...held.values()].flatMap((one) => (one.storeId === storeId ? [one.id] : [])) }).pipe(
            Effect.catchCause((cause) => Effect.as(Effect.logError("Deliveries could not be claimed and will be tried again", cause), [])),
            Effect.map((claimed: ReadonlyArray<ClaimedDelivery>) => {
              const counts = Map.groupBy(claimed, ({ subscriptionId }) => subscriptionId)
              for (const { subscriptionId, most } of lanes) slots.unused(storeId, subscriptionId, most - (counts.get(subscriptionId)?.length ?? 0))
              for (const delivery of claimed) {
                held.set(delivery.id, delivery)
                fork(send(delivery))
              }
            })
          )

        const look = Effect.gen(function* () {
          const lanes = yield* deliveries.lanes(pollMillis)
          const grants = slots.grant(lanes)
          yield* Effect.forEach(grants, (grant) => claimOf(grant.storeId, grant.lanes), { concurrency: transactionsAtOnce, discard: true })
          yield* Effect.timeoutOption(deliveries.queued.await, pollMillis)
          yield* deliveries.queued.close
        })
        const looking = Effect.catchCause(look, (cause) =>
          Effect.andThen(Effect.logError("Looking for deliveries failed and will be tried again", cause), Effect.sleep(pollMillis))
        )
        return yield* Effect.forever(looking)
      }).pipe(Effect.scoped)

      return WebhookDispatcher.of({ run })
    })
  )
}
