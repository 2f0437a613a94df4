/**
 * The life of deliveries in the database: from the outbox into the queue, out of it with a lease, back with what an attempt came to. The subscription's
 * row is the one truth about its circuit: every judgement holds it, so two processes never disagree. Locks are taken subscription first, then delivery.
 */
import { Clock, Context, Effect, Latch, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { OutboxConsumer, RelayedEvent } from "../database/OutboxRelay.ts"
import { makeId } from "../kernel/Ids.ts"
import { admit, type Circuit, judge } from "./Circuit.ts"
import { hears } from "./EventCatalog.ts"
import type { Courier } from "./internal/Courier.ts"
import { EncodedEvents } from "./internal/EncodedEvents.ts"
import type { ClaimedDelivery } from "./WebhookDelivery.ts"
import { type Lane, type NewDelivery, type RecordedAttempt, WebhookDeliveryRepository } from "./WebhookDeliveryRepository.ts"
import { CurrentWebhookPolicy } from "./WebhookPolicy.ts"
import type { Sent } from "./WebhookSender.ts"
import { circuitOf } from "./WebhookSubscription.ts"
import { type CircuitChange, WebhookSubscriptionRepository } from "./WebhookSubscriptionRepository.ts"

/** A claimed delivery and what its attempt came to. */
export interface Finished {
  readonly delivery: ClaimedDelivery
  readonly sent: Sent
}

export interface Wanted {
  readonly storeId: string
  readonly lanes: ReadonlyArray<{ readonly subscriptionId: string; readonly most: number }>
  /** Epoch milliseconds. */
  readonly now: number
  /** Deliveries this process has in hand although their lease has ended. */
  readonly except: ReadonlyArray<string>
}

export interface WebhookDeliveriesMethods {
  /** Writes a delivery for each subscription that hears an event and whose circuit lets it through. */
  readonly consumer: OutboxConsumer
  /** Opened when this process has queued something that nobody here took. */
  readonly queued: Latch.Latch
  /** Who sends in this process, if anybody: what there is room for is handed over as it is queued, taken already, without being looked for. */
  readonly couriers: { current: Courier | undefined }
  /** Subscriptions with deliveries due within `aheadMillis`. */
  readonly lanes: (aheadMillis: number) => Effect.Effect<ReadonlyArray<Lane>>
  /** Takes due deliveries of one store; nobody else takes them while the lease lasts. */
  readonly claim: (wanted: Wanted) => Effect.Effect<ReadonlyArray<ClaimedDelivery>>
  /** Judges attempts of one store in the order in which they ended. What a lease has lost meanwhile is not recorded. */
  readonly settle: (storeId: string, finished: ReadonlyArray<Finished>) => Effect.Effect<void>
  /** Gives back what will not be attempted. */
  readonly release: (storeId: string, deliveries: ReadonlyArray<ClaimedDelivery>) => Effect.Effect<void>
}

export class WebhookDeliveries extends Context.Service<WebhookDeliveries, WebhookDeliveriesMethods>()("@effect-commerce/core/webhook/WebhookDeliveries") {
  static readonly layer = Layer.effect(
    WebhookDeliveries,
    Effect.gen(function* () {
      const database = yield* Database
      const subscriptions = yield* WebhookSubscriptionRepository
      const repository = yield* WebhookDeliveryRepository
      const policy = yield* CurrentWebhookPolicy
      const queued = yield* Latch.make(false)
      const encoded = new EncodedEvents()
      const couriers: { current: Courier | undefined } = { current: undefined }

      /** Subscriptions as they are; one of them that an event may probe is locked and read again, so that a circuit has one probe. */
      const hearing = Effect.fnUntraced(function* (storeId: string, events: ReadonlyArray<RelayedEvent>) {
        const active = yield* subscriptions.holdActive(storeId)
        const mayProbe = active.filter((row) =>
          events.some((event) => hears(row.events, event.type) && admit(circuitOf(row), event.createdAt.getTime(), policy) === "probe")
        )
        if (mayProbe.length === 0) return active
        const locked = yield* subscriptions.lock(
          storeId,
          mayProbe.map(({ id }) => id)
        )
        const byId = new Map(locked.map((row) => [row.id, row]))
        return active.map((row) => byId.get(row.id) ?? row)
      })

      const consume = Effect.fn("WebhookDeliveries.consume")(function* (storeId: string, events: ReadonlyArray<RelayedEvent>) {
        const now = yield* Clock.currentTimeMillis
        const taken = { lease: makeId("lease", now), leaseEnds: new Date(now + policy.lease) }
        const rows: Array<NewDelivery> = []
        const handed: Array<ClaimedDelivery> = []
        const queuedFor: Array<string> = []
        const changes: Array<CircuitChange> = []
        for (const { id, events: names, url, secret, ...row } of yield* hearing(storeId, events)) {
          const admitted = admittedOf(circuitOf(row), names, events)
          const room = couriers.current?.room(storeId, id) ?? 0
          // In the order of the events: deliveries of one moment are sent, and listed, by their ids.
          const ids = admitted.events.map(() => makeId("whd", now)).toSorted()
          admitted.events.forEach(({ event, isProbe }, i) => {
            const delivery = { id: ids[i] ?? "", subscriptionId: id, eventId: event.id, isProbe }
            const isHanded = i < room
            rows.push(isHanded ? { ...delivery, taken } : delivery)
            if (!isHanded) return
            handed.push({ storeId, id: delivery.id, subscriptionId: id, isProbe, ...taken, attemptCount: 0, url, secret, event: encoded.add(event) })
          })
          if (admitted.events.length > room) queuedFor.push(id)
          if (admitted.circuit.probing !== (row.probingSince !== null)) {
            changes.push({ id, circuit: admitted.circuit, lastSuccessAt: undefined, lastFailureAt: undefined })
          }
        }
        if (rows.length === 0) return
        const at = new Date(now)
        yield* Effect.all([repository.insert(storeId, rows, at), subscriptions.saveCircuits(storeId, changes, at)], { concurrency: "unbounded" })
        yield* database.afterCommit(
          Effect.sync(() => {
            couriers.current?.takeNew(storeId, handed, queuedFor)
            if (queuedFor.length > 0) queued.openUnsafe()
          })
        )
      })

      /** Those of the events that a subscription gets, and its circuit after them. */
      const admittedOf = (before: Circuit, names: ReadonlyArray<string>, events: ReadonlyArray<RelayedEvent>) => {
        let circuit = before
        const admitted: Array<{ readonly event: RelayedEvent; readonly isProbe: boolean }> = []
        for (const event of events) {
          const admission = hears(names, event.type) ? admit(circuit, event.createdAt.getTime(), policy) : "lose"
          if (admission === "lose") continue
          admitted.push({ event, isProbe: admission === "probe" })
          if (admission === "probe") circuit = { ...circuit, probing: true }
        }
        return { circuit, events: admitted }
      }

      const claim = Effect.fn("WebhookDeliveries.claim")(function* ({ storeId, lanes, now, except }: Wanted) {
        const lease = makeId("lease", now)
        const times = { now: new Date(now), leaseEnds: new Date(now + policy.lease) }
        const claimed = Effect.all([repository.asWorker, repository.claim({ storeId, lanes, except, lease, ...times })], { concurrency: "unbounded" })
        const rows = yield* database.write(storeId)(Effect.map(claimed, ([, found]) => found))
        const unknown = [...new Set(rows.map(({ eventId }) => eventId))].filter((id) => encoded.get(id) === undefined)
        const read = unknown.length === 0 ? [] : yield* repository.events(storeId, unknown)
        const events = new Map(read.map((event) => [event.id, encoded.add(event)]))
        return rows.flatMap(({ eventId, ...row }) => {
          const event = events.get(eventId) ?? encoded.get(eventId)
          return event === undefined ? [] : [{ ...row, event }]
        })
      })

      const settle = Effect.fn("WebhookDeliveries.settle")(function* (storeId: string, finished: ReadonlyArray<Finished>) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const ordered = finished.toSorted((a, b) => a.sent.at - b.sent.at)
        const subscriptionIds = [...new Set(ordered.map(({ delivery }) => delivery.subscriptionId))]
        const leases = ordered.map(({ delivery: { id, lease } }) => ({ id, lease }))
        yield* database.write(storeId)(
          Effect.gen(function* () {
            const [, rows, held] = yield* Effect.all(
              [repository.asWorker, subscriptions.lock(storeId, subscriptionIds), repository.lockHeld(storeId, leases)],
              {
                concurrency: "unbounded"
              }
            )
            const changes = new Map(rows.map((row) => [row.id, { id: row.id, circuit: circuitOf(row) } as Changing]))
            const heldById = new Map(held.map((row) => [row.id, row]))
            const recorded: Array<RecordedAttempt> = []
            for (const { delivery, sent } of ordered) {
              const row = heldById.get(delivery.id)
              const change = changes.get(delivery.subscriptionId)
              if (row === undefined || change === undefined) continue
              const verdict = judge(change.circuit, { result: sent.result, number: row.attemptCount + 1, isProbe: row.isProbe, at: sent.at }, policy)
              change.circuit = verdict.circuit
              if (sent.result === "delivered") change.lastSuccessAt = new Date(sent.at)
              if (sent.result === "failed") change.lastFailureAt = new Date(sent.at)
              const { status } = verdict.delivery
              const dueAt = verdict.delivery.status === "pending" ? new Date(verdict.delivery.dueAt) : null
              const { statusCode, error, durationMs } = sent
              recorded.push({ id: row.id, status, dueAt, attempt: { at: new Date(sent.at).toISOString(), statusCode, error, durationMs } })
            }
            const judged = [...changes.values()].map(({ lastSuccessAt, lastFailureAt, ...change }) => ({ ...change, lastSuccessAt, lastFailureAt }))
            yield* Effect.all([subscriptions.saveCircuits(storeId, judged, now), repository.record(storeId, recorded, now)], { concurrency: "unbounded" })
          })
        )
      })

      return WebhookDeliveries.of({
        consumer: { name: "webhooks", consume },
        queued,
        couriers,
        lanes: (aheadMillis) => Effect.flatMap(Clock.currentTimeMillis, (now) => repository.lanes(new Date(now + aheadMillis))),
        claim,
        settle,
        release: (storeId, deliveries) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            database.write(storeId)(
              repository.release(
                storeId,
                deliveries.map(({ id, lease }) => ({ id, lease })),
                new Date(now)
              )
            )
          )
      })
    })
  )
}

interface Changing {
  readonly id: string
  circuit: CircuitChange["circuit"]
  lastSuccessAt?: Date
  lastFailureAt?: Date
}
