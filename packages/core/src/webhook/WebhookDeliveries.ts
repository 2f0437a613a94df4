/**
 * The life of a delivery in the database: queued when its event is relayed, claimed under a lease, and updated with the
 * result of each attempt. The row of the subscription holds the state of its circuit. Every result is judged while that
 * row is locked, so two processes never disagree. Locks are taken on the subscription first, then the delivery.
 */
import { Clock, Context, Effect, Latch, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { RelayedEvent } from "../outbox/OutboxConsumer.ts"
import { lockThenRead } from "../database/Repository.ts"
import { makeId } from "../kernel/Ids.ts"
import { admitAll } from "./Circuit.ts"
import { hears } from "./EventCatalog.ts"
import { encodeEvent, type EncodedEvent } from "./EventEnvelope.ts"
import type { Allotment } from "./internal/InFlight.ts"
import { type Finished, type HeldDeliveries, judgeAttempts } from "./internal/judgeAttempts.ts"
import type { ClaimedDelivery } from "./WebhookDelivery.ts"
import { type NewDelivery, WebhookDeliveryRepository } from "./WebhookDeliveryRepository.ts"
import { circuitOpened } from "./WebhookEvents.ts"
import { CurrentWebhookPolicy } from "./WebhookPolicy.ts"
import { circuitOf, type WebhookSubscriptionState } from "./WebhookSubscription.ts"
import { type CircuitChange, WebhookSubscriptionRepository } from "./WebhookSubscriptionRepository.ts"

export class WebhookDeliveries extends Context.Service<WebhookDeliveries>()(
  "@effect-commerce/core/webhook/WebhookDeliveries",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const subscriptions = yield* WebhookSubscriptionRepository
      const repository = yield* WebhookDeliveryRepository
      const policy = yield* CurrentWebhookPolicy
      const outbox = yield* Outbox
      /** Opens when this process has queued deliveries. */
      const queued = yield* Latch.make(false)

      /**
       * Which of these events each active subscription receives. A subscription whose circuit would allow a probe is
       * first locked and read again, so that a circuit has only one probe.
       */
      const admissions = Effect.fnUntraced(function* (storeId: string, events: ReadonlyArray<RelayedEvent>) {
        const admit = (row: WebhookSubscriptionState) => {
          const heard = events.filter(({ type }) => hears(row.events, type))
          return { id: row.id, ...admitAll(circuitOf(row), heard, policy) }
        }
        const active = (yield* subscriptions.holdActive(storeId)).map(admit)
        const probing = active.filter(({ admitted }) => admitted.some(({ isProbe }) => isProbe))
        if (probing.length === 0) return active
        const ids = probing.map(({ id }) => id)
        const locked = new Map((yield* subscriptions.lock(storeId, ids)).map((row) => [row.id, admit(row)]))
        return active.map((one) => locked.get(one.id) ?? one)
      })

      const consume = Effect.fn("WebhookDeliveries.consume")(function* (
        storeId: string,
        events: ReadonlyArray<RelayedEvent>
      ) {
        const now = yield* Clock.currentTimeMillis
        const rows: Array<NewDelivery> = []
        const changes: Array<CircuitChange> = []
        for (const { id, admitted, circuit } of yield* admissions(storeId, events)) {
          // In the order of the events: deliveries of one moment are sent, and listed, in the order of their ids.
          const ids = admitted.map(() => makeId("whd", now)).toSorted()
          admitted.forEach(({ event, isProbe }, i) =>
            rows.push({ id: ids[i] ?? "", subscriptionId: id, eventId: event.id, isProbe })
          )
          if (admitted.some(({ isProbe }) => isProbe))
            changes.push({ id, circuit, lastSuccessAt: undefined, lastFailureAt: undefined })
        }
        if (rows.length === 0) return
        const at = new Date(now)
        yield* Effect.all([repository.insert(storeId, rows, at), subscriptions.saveCircuits(storeId, changes, at)], {
          concurrency: "unbounded"
        })
        yield* database.afterCommit(queued.open)
      })

      /**
       * Claims due deliveries of one store; no other worker claims them while the lease lasts. `except` are ids of
       * deliveries that the caller still holds although their lease has ended.
       */
      const claim = Effect.fn("WebhookDeliveries.claim")(function* (
        allotment: Allotment,
        except: ReadonlyArray<string>
      ) {
        const { storeId } = allotment
        const now = yield* Clock.currentTimeMillis
        const held = { storeId, lease: makeId("lease", now), leaseEnds: new Date(now + policy.lease) }
        const [, rows] = yield* database.write(storeId)(
          Effect.all([repository.asWorker, repository.claim({ ...allotment, ...held, except, now: new Date(now) })], {
            concurrency: "unbounded"
          })
        )
        const events = new Map<string, EncodedEvent>()
        for (const { eventId, type, data, createdAt, sequence } of rows)
          if (data !== null) events.set(eventId, encodeEvent({ id: eventId, type, data, createdAt, sequence }))
        return rows.flatMap(({ id, subscriptionId, url, secret, standardHeaders, eventId }) => {
          const event = events.get(eventId)
          return event === undefined ? [] : [{ ...held, id, subscriptionId, url, secret, standardHeaders, event }]
        })
      })

      /** Locks the subscriptions and rows of deliveries; returns those whose lease still holds. */
      const hold = Effect.fnUntraced(function* (storeId: string, deliveries: ReadonlyArray<ClaimedDelivery>) {
        const subscriptionIds = [...new Set(deliveries.map(({ subscriptionId }) => subscriptionId))]
        const ids = deliveries.map(({ id }) => id)
        const [owners, , locked] = yield* lockThenRead(
          subscriptions.lock(storeId, subscriptionIds),
          repository.asWorker,
          repository.lock(storeId, ids)
        )
        const leases = new Map(deliveries.map(({ id, lease }) => [id, lease]))
        const held = locked.filter((row) => row.status === "pending" && row.lease === leases.get(row.id))
        return {
          rows: new Map(held.map((row) => [row.id, row])),
          circuits: new Map(owners.map((row) => [row.id, circuitOf(row)]))
        } satisfies HeldDeliveries
      })

      /**
       * Judges and records attempts of one store in the order in which they ended, except those that lost their lease.
       * A circuit that opens appends its event in the same transaction, so that the merchant gets one mail about it.
       */
      const settle = Effect.fn("WebhookDeliveries.settle")(function* (
        storeId: string,
        finished: ReadonlyArray<Finished>
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* database.write(storeId)(
          Effect.gen(function* () {
            const deliveries = finished.map(({ delivery }) => delivery)
            const { changes, attempts, opened } = judgeAttempts(finished, yield* hold(storeId, deliveries), policy)
            yield* Effect.all(
              [subscriptions.saveCircuits(storeId, changes, now), repository.record(storeId, attempts, now)],
              { concurrency: "unbounded" }
            )
            yield* outbox.appendAll(
              storeId,
              opened.map((data) => circuitOpened.of(data))
            )
          })
        )
      })

      /** Releases claimed deliveries of one store that will not be attempted: they are due at once. */
      const release = Effect.fn("WebhookDeliveries.release")(function* (
        storeId: string,
        deliveries: ReadonlyArray<ClaimedDelivery>
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* database.write(storeId)(
          Effect.flatMap(hold(storeId, deliveries), ({ rows }) => repository.release(storeId, [...rows.keys()], now))
        )
      })

      return {
        /** Queues a delivery for each subscription to the event's type whose circuit lets it through. */
        consumer: { name: "webhooks", consume },
        queued,
        /** Subscriptions with deliveries due within `aheadMillis`. */
        due: (aheadMillis: number) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => repository.due(new Date(now + aheadMillis))),
        claim,
        settle,
        release
      }
    })
  }
) {
  static readonly layer = Layer.effect(WebhookDeliveries, WebhookDeliveries.make)
}
