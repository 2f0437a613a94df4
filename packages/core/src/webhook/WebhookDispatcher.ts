/**
 * The worker that sends deliveries: takes what is due, in turns over stores and subscriptions, posts it outside of any
 * transaction, and records what came of it, many results of a store in one transaction. Woken when this process queues
 * something; otherwise it looks when the next delivery is due, and at least twice a second, because another process may
 * have queued it and a test may have moved the clock.
 */
import { Cause, Clock, Context, Effect, FiberSet, Layer, Schedule, Semaphore } from "effect"
import { classify } from "../database/SqlErrors.ts"
import { Courier } from "./internal/Courier.ts"
import type { Finished } from "./internal/judgeAll.ts"
import type { Grant } from "./internal/Slots.ts"
import type { ClaimedDelivery } from "./WebhookDelivery.ts"
import { WebhookDeliveries } from "./WebhookDeliveries.ts"
import { CurrentWebhookPolicy } from "./WebhookPolicy.ts"
import { WebhookSender } from "./WebhookSender.ts"

export interface WebhookDispatcherMethods {
  /**
   * Sends for as long as it runs. When it is stopped it waits a second for what is under way; the rest is given back,
   * and may arrive twice.
   */
  readonly run: Effect.Effect<never>
}

const pollMillis = 500
const graceMillis = 1_000
/** Transactions that claim or record at the same time. */
const transactionsAtOnce = 3
/** How long results that cannot be recorded are kept: then the lease has ended, and another attempt will be made. */
const keepTrying = { schedule: Schedule.spaced("250 millis"), times: 100 }

const isAway = (cause: Cause.Cause<unknown>): boolean => classify(Cause.squash(cause)) === "unavailable"

export class WebhookDispatcher extends Context.Service<WebhookDispatcher, WebhookDispatcherMethods>()(
  "@effect-commerce/core/webhook/WebhookDispatcher"
) {
  static readonly layer = Layer.effect(
    WebhookDispatcher,
    Effect.gen(function* () {
      const deliveries = yield* WebhookDeliveries
      const sender = yield* WebhookSender
      const policy = yield* CurrentWebhookPolicy

      const run = Effect.gen(function* () {
        const results = new Map<string, Array<Finished>>()
        const recording = yield* Semaphore.make(transactionsAtOnce)

        /**
         * Records these, and keeps trying while the database is away. Where it refuses them they are recorded apart:
         * whatever is wrong with one harms no other.
         */
        const settle = (storeId: string, finished: ReadonlyArray<Finished>): Effect.Effect<void> =>
          deliveries.settle(storeId, finished).pipe(
            Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.fail(cause))),
            Effect.retry({ ...keepTrying, while: isAway }),
            Effect.catch((cause) => {
              if (finished.length === 1 || isAway(cause))
                return Effect.logError("Attempts of deliveries could not be recorded and will be made again", cause)
              const half = Math.ceil(finished.length / 2)
              return Effect.forEach([finished.slice(0, half), finished.slice(half)], (part) => settle(storeId, part), {
                discard: true
              })
            })
          )

        /** Records what has gathered for a store, again until nothing is left; one at a time for each store. */
        const record = (storeId: string): Effect.Effect<void> =>
          Effect.suspend(() => {
            const gathered = results.get(storeId) ?? []
            if (gathered.length === 0) return Effect.sync(() => void results.delete(storeId))
            results.set(storeId, [])
            return settle(storeId, gathered).pipe(
              Effect.andThen(Effect.sync(() => gathered.forEach(({ delivery }) => courier.forget(delivery)))),
              Effect.andThen(record(storeId))
            )
          })

        /** What cannot be given back comes back by itself, when its lease ends. */
        const giveBack = (storeId: string, rest: ReadonlyArray<ClaimedDelivery>) =>
          Effect.catchCause(deliveries.release(storeId, rest), (cause) =>
            Effect.logWarning("Deliveries could not be given back", cause)
          )
        const giveBackAll = Effect.suspend(() =>
          Effect.forEach(
            Map.groupBy(courier.held, (one) => one.storeId),
            ([storeId, rest]) => giveBack(storeId, rest),
            { discard: true }
          )
        )
        const recordAll = Effect.suspend(() =>
          Effect.forEach([...results.keys()], (storeId) => Effect.ignore(Effect.timeout(record(storeId), "1 second")), {
            discard: true
          })
        )
        yield* Effect.addFinalizer(() => Effect.andThen(recordAll, giveBackAll))
        const senders = yield* FiberSet.make<void>()
        // Runs before the senders are interrupted.
        yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(FiberSet.awaitEmpty(senders), graceMillis)))
        const fork = yield* FiberSet.runtime(senders)<never>()

        const finish = (finished: Finished) =>
          Effect.suspend(() => {
            const { storeId } = finished.delivery
            if (courier.ended(finished.delivery, finished.sent.durationMs)) deliveries.queued.openUnsafe()
            const gathered = results.get(storeId)
            if (gathered !== undefined) return Effect.sync(() => void gathered.push(finished))
            results.set(storeId, [finished])
            return Semaphore.withPermit(recording, record(storeId))
          })

        /**
         * An attempt, unless the delivery has waited so long that another worker may have it by the time the attempt
         * ends.
         */
        const send = (delivery: ClaimedDelivery) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const { storeId, subscriptionId, url, secret, event, leaseEnds } = delivery
            if (leaseEnds.getTime() - now < policy.timeout) {
              courier.forget(delivery)
              courier.ended(delivery, undefined)
              return giveBack(storeId, [delivery])
            }
            return Effect.flatMap(sender.send({ storeId, subscriptionId, url, secret, event }), (sent) =>
              finish({ delivery, sent })
            )
          })
        const courier: Courier = new Courier((delivery) => void fork(send(delivery)))
        deliveries.couriers.current = courier
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            deliveries.couriers.current = undefined
            courier.stop()
          })
        )

        const claimOf = (grant: Grant) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            deliveries.claim({ ...grant, now, except: courier.overdueOf(grant.storeId, now) })
          ).pipe(
            Effect.catchCause((cause) =>
              Effect.as(Effect.logError("Deliveries could not be claimed and will be tried again", cause), [])
            ),
            Effect.map((claimed: ReadonlyArray<ClaimedDelivery>) => courier.claimed(grant, claimed))
          )

        const look = Effect.gen(function* () {
          const lanes = yield* deliveries.lanes(pollMillis)
          const now = yield* Clock.currentTimeMillis
          const grants = courier.grant(lanes.filter(({ dueAt }) => dueAt.getTime() <= now))
          yield* Effect.forEach(grants, claimOf, { concurrency: transactionsAtOnce, discard: true })
          const ahead = lanes.flatMap(({ dueAt }) => (dueAt.getTime() > now ? [dueAt.getTime() - now] : []))
          yield* Effect.timeoutOption(deliveries.queued.await, Math.min(pollMillis, ...ahead))
          yield* deliveries.queued.close
        })
        const looking = Effect.catchCause(look, (cause) =>
          Effect.andThen(
            Effect.logError("Looking for deliveries failed and will be tried again", cause),
            Effect.sleep(pollMillis)
          )
        )
        return yield* Effect.forever(looking)
      }).pipe(Effect.scoped)

      return WebhookDispatcher.of({ run })
    })
  )
}
