/**
 * The life of deliveries in the database: from the outbox into the queue, out of it with a lease, back with what an
 * attempt came to. New ones travel in parcels; each has a row of its own from its first attempt on. The subscription's
 * row is the one truth about its circuit: every judgement holds it, so two processes never disagree. Locks are taken
 * subscription first, then parcel, then delivery.
 */
import { Clock, Context, Effect, Latch, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { OutboxConsumer, RelayedEvent } from "../database/OutboxRelay.ts"
import { makeId } from "../kernel/Ids.ts"
import { admit } from "./Circuit.ts"
import { hears } from "./EventCatalog.ts"
import type { Courier } from "./internal/Courier.ts"
import { EncodedEvents } from "./internal/EncodedEvents.ts"
import { type Finished, type Held, judgeAll } from "./internal/judgeAll.ts"
import { byParcel, pack, parcelSize } from "./internal/parcels.ts"
import type { ClaimedDelivery, Parcel } from "./WebhookDelivery.ts"
import { type Claim, type Lane, WebhookDeliveryRepository } from "./WebhookDeliveryRepository.ts"
import { deliveryIdOf, type FirstRecord, type NewParcel, WebhookParcelRepository } from "./WebhookParcelRepository.ts"
import { CurrentWebhookPolicy } from "./WebhookPolicy.ts"
import { circuitOf } from "./WebhookSubscription.ts"
import { type CircuitChange, WebhookSubscriptionRepository } from "./WebhookSubscriptionRepository.ts"

export interface Wanted {
  readonly storeId: string
  readonly lanes: ReadonlyArray<{ readonly subscriptionId: string; readonly most: number }>
  /** Epoch milliseconds. */
  readonly now: number
  /** What this process has in hand although its lease has ended. */
  readonly except: ReadonlyArray<ClaimedDelivery>
}

export interface WebhookDeliveriesMethods {
  /** Queues a delivery for each subscription that hears an event and whose circuit lets it through. */
  readonly consumer: OutboxConsumer
  /** Opened when this process has queued something that nobody here took. */
  readonly queued: Latch.Latch
  /**
   * Who sends in this process, if anybody: what there is room for is handed over as it is queued, taken already,
   * without being looked for.
   */
  readonly couriers: { current: Courier | undefined }
  /** Subscriptions with deliveries due within `aheadMillis`. */
  readonly lanes: (aheadMillis: number) => Effect.Effect<ReadonlyArray<Lane>>
  /**
   * Takes due deliveries of one store; nobody else takes them while the lease lasts. The last parcel may hold more than
   * was wanted; of large events fewer are taken, and those that memory has no room for are given back.
   */
  readonly claim: (wanted: Wanted) => Effect.Effect<ReadonlyArray<ClaimedDelivery>>
  /** Judges attempts of one store in the order in which they ended. What a lease has lost meanwhile is not recorded. */
  readonly settle: (storeId: string, finished: ReadonlyArray<Finished>) => Effect.Effect<void>
  /** Gives back what will not be attempted. */
  readonly release: (storeId: string, deliveries: ReadonlyArray<ClaimedDelivery>) => Effect.Effect<void>
}

export class WebhookDeliveries extends Context.Service<WebhookDeliveries, WebhookDeliveriesMethods>()(
  "@effect-commerce/core/webhook/WebhookDeliveries"
) {
  static readonly layer = Layer.effect(
    WebhookDeliveries,
    Effect.gen(function* () {
      const database = yield* Database
      const subscriptions = yield* WebhookSubscriptionRepository
      const repository = yield* WebhookDeliveryRepository
      const parcels = yield* WebhookParcelRepository
      const policy = yield* CurrentWebhookPolicy
      const queued = yield* Latch.make(false)
      const encoded = new EncodedEvents()
      const couriers: { current: Courier | undefined } = { current: undefined }

      /**
       * Subscriptions as they are; one of them that an event may probe is locked and read again, so that a circuit has
       * one probe.
       */
      const hearing = Effect.fnUntraced(function* (storeId: string, events: ReadonlyArray<RelayedEvent>) {
        const active = yield* subscriptions.holdActive(storeId)
        const mayProbe = active.filter((row) =>
          events.some(
            (event) =>
              hears(row.events, event.type) && admit(circuitOf(row), event.createdAt.getTime(), policy) === "probe"
          )
        )
        if (mayProbe.length === 0) return active
        const locked = yield* subscriptions.lock(
          storeId,
          mayProbe.map(({ id }) => id)
        )
        const byId = new Map(locked.map((row) => [row.id, row]))
        return active.map((row) => byId.get(row.id) ?? row)
      })

      const consume = Effect.fn("WebhookDeliveries.consume")(function* (
        storeId: string,
        events: ReadonlyArray<RelayedEvent>
      ) {
        const now = yield* Clock.currentTimeMillis
        const at = new Date(now)
        const taken = { lease: makeId("lease", now), leaseEnds: new Date(now + policy.lease) }
        const queuing: Array<NewParcel> = []
        const handed: Array<ClaimedDelivery> = []
        const queuedFor: Array<string> = []
        const changes: Array<CircuitChange> = []
        for (const { id: subscriptionId, events: names, url, secret, ...row } of yield* hearing(storeId, events)) {
          const packed = pack(circuitOf(row), names, events, policy)
          let room = couriers.current?.room(storeId, subscriptionId) ?? 0
          // In the order of the events: deliveries of one moment are sent, and listed, by their ids.
          const ids = packed.parcels.map(() => makeId("whp", now)).toSorted()
          packed.parcels.forEach(({ events: theirs, isProbe }, i) => {
            const parcel: Parcel = { id: ids[i] ?? "", createdAt: at, open: theirs.length }
            room = theirs.length <= room ? room - theirs.length : -1
            const isHanded = room >= 0
            queuing.push({
              id: parcel.id,
              subscriptionId,
              isProbe,
              events: theirs.map(({ id }) => id),
              taken: isHanded ? taken : undefined
            })
            if (!isHanded) return
            theirs.forEach((event, place) => {
              const id = deliveryIdOf(parcel, place)
              handed.push({
                storeId,
                id,
                subscriptionId,
                isProbe,
                ...taken,
                url,
                secret,
                event: encoded.add(event),
                parcel
              })
            })
          })
          if (room < 0) queuedFor.push(subscriptionId)
          if (packed.circuit.probing !== (row.probingSince !== null)) {
            changes.push({
              id: subscriptionId,
              circuit: packed.circuit,
              lastSuccessAt: undefined,
              lastFailureAt: undefined
            })
          }
        }
        if (queuing.length === 0) return
        yield* Effect.all([parcels.insert(storeId, queuing, at), subscriptions.saveCircuits(storeId, changes, at)], {
          concurrency: "unbounded"
        })
        yield* database.afterCommit(
          Effect.sync(() => {
            couriers.current?.takeNew(storeId, handed, queuedFor)
            if (queuedFor.length > 0) queued.openUnsafe()
          })
        )
      })

      /**
       * Takes parcels until there are as many deliveries as wanted of each subscription: more at a time, the smaller
       * they turn out to be.
       */
      const claimParcels = Effect.fnUntraced(function* (claim: Claim) {
        const taken: Array<Unread> = []
        let lanes = claim.lanes
        for (let factor = 1; lanes.length > 0; factor *= 4) {
          const asked = lanes.map(({ subscriptionId, most }) => ({
            subscriptionId,
            most: Math.min(most, factor * Math.ceil(most / parcelSize))
          }))
          const found = yield* parcels.claim({ ...claim, lanes: asked })
          if (found.length === 0) break
          const ids = found.map(({ id }) => id)
          const open = Map.groupBy(yield* parcels.open(claim.storeId, ids), ({ parcelId }) => parcelId)
          // All of it was recorded by whom a crash of the server has made forget it.
          yield* parcels.remove(
            claim.storeId,
            ids.filter((id) => !open.has(id))
          )
          for (const { id: parcelId, createdAt, ...rest } of found) {
            const theirs = open.get(parcelId) ?? []
            const parcel = { id: parcelId, createdAt, open: theirs.length }
            for (const { id, eventId } of theirs)
              taken.push({
                ...rest,
                storeId: claim.storeId,
                id,
                eventId,
                parcel,
                lease: claim.lease,
                leaseEnds: claim.leaseEnds
              })
          }
          lanes = lanes.flatMap(({ subscriptionId, most }, i) => {
            const theirs = found.filter((parcel) => parcel.subscriptionId === subscriptionId)
            const left = most - theirs.reduce((sum, { id }) => sum + (open.get(id)?.length ?? 0), 0)
            return left <= 0 || theirs.length < (asked[i]?.most ?? 0) ? [] : [{ subscriptionId, most: left }]
          })
        }
        return taken
      })

      const claim = Effect.fn("WebhookDeliveries.claim")(function* ({ storeId, lanes, now, except }: Wanted) {
        const lease = makeId("lease", now)
        const common = { storeId, lease, now: new Date(now), leaseEnds: new Date(now + policy.lease) }
        const excepted = except.flatMap(({ id, parcel }) => (parcel === undefined ? [id] : []))
        const taken = yield* database.write(storeId)(
          Effect.gen(function* () {
            const [, rows] = yield* Effect.all(
              [repository.asWorker, repository.claim({ ...common, lanes, except: excepted })],
              { concurrency: "unbounded" }
            )
            const counts = Map.groupBy(rows, ({ subscriptionId }) => subscriptionId)
            const rest = lanes.flatMap(({ subscriptionId, most }) => {
              const left = most - (counts.get(subscriptionId)?.length ?? 0)
              return left <= 0 ? [] : [{ subscriptionId, most: left }]
            })
            const inParcels = yield* claimParcels({
              ...common,
              lanes: rest,
              except: [...byParcel(except).keys()].map(({ id }) => id)
            })
            return [...rows.map((row): Unread => ({ ...row, parcel: undefined })), ...inParcels]
          })
        )
        const unknown = [...new Set(taken.map(({ eventId }) => eventId))].filter((id) => encoded.get(id) === undefined)
        const read = unknown.length === 0 ? [] : yield* repository.events(storeId, unknown)
        const events = new Map(read.flatMap((event) => (event.data === null ? [] : [[event.id, encoded.add(event)]])))
        const tooMuch = new Set(read.flatMap(({ id, data }) => (data === null ? [id] : [])))
        const rest = taken.filter(({ eventId }) => tooMuch.has(eventId))
        if (rest.length > 0) yield* release(storeId, rest.map(unsent))
        return taken.flatMap(({ eventId, ...row }) => {
          const event = events.get(eventId) ?? encoded.get(eventId)
          return event === undefined ? [] : [{ ...row, event }]
        })
      })

      /**
       * Locks subscriptions, parcels and rows of deliveries, and tells which of these are still held under their
       * leases.
       */
      const hold = Effect.fnUntraced(function* (storeId: string, deliveries: ReadonlyArray<ClaimedDelivery>) {
        const subscriptionIds = [...new Set(deliveries.map(({ subscriptionId }) => subscriptionId))]
        const leases = new Map(
          deliveries.flatMap(({ parcel, lease }) =>
            parcel === undefined ? [] : [[parcel.id, { id: parcel.id, lease }] as const]
          )
        )
        const ids = deliveries.map(({ id }) => id)
        const [, rows, heldParcels, locked] = yield* Effect.all(
          [
            repository.asWorker,
            subscriptions.lock(storeId, subscriptionIds),
            parcels.lockHeld(storeId, [...leases.values()]),
            repository.lock(storeId, ids)
          ],
          { concurrency: "unbounded" }
        )
        const known = new Map(locked.map((row) => [row.id, row]))
        const held = new Map<string, Held>()
        for (const { id, lease, isProbe, parcel } of deliveries) {
          const row = known.get(id)
          if (row === undefined && parcel !== undefined && heldParcels.has(parcel.id))
            held.set(id, { attemptCount: 0, isProbe })
          if (row?.status === "pending" && row.lease === lease) held.set(id, row)
        }
        return { circuits: new Map(rows.map((row) => [row.id, circuitOf(row)])), held, heldParcels }
      })

      /** Parcels that are done with once these deliveries are recorded. */
      const emptied = (deliveries: ReadonlyArray<ClaimedDelivery>, held: ReadonlySet<string>): ReadonlyArray<string> =>
        [...byParcel(deliveries)].flatMap(([{ id, open }, count]) => (open === count && held.has(id) ? [id] : []))
      const forgetIn = (deliveries: ReadonlyArray<ClaimedDelivery>) =>
        Effect.sync(() => byParcel(deliveries).forEach((count, parcel) => (parcel.open -= count)))

      const settle = Effect.fn("WebhookDeliveries.settle")(function* (
        storeId: string,
        finished: ReadonlyArray<Finished>
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const deliveries = finished.map(({ delivery }) => delivery)
        yield* database.write(storeId)(
          Effect.gen(function* () {
            const { circuits, held, heldParcels } = yield* hold(storeId, deliveries)
            const { changes, judged } = judgeAll(finished, circuits, held, policy)
            yield* Effect.all(
              [
                subscriptions.saveCircuits(storeId, changes, now),
                parcels.record(storeId, judged.filter(isFirst), now),
                repository.record(
                  storeId,
                  judged.flatMap(({ delivery: { id, parcel }, ...rest }) =>
                    parcel === undefined ? [{ id, ...rest }] : []
                  ),
                  now
                ),
                parcels.remove(storeId, emptied(deliveries, heldParcels))
              ],
              { concurrency: "unbounded" }
            )
          })
        )
        yield* forgetIn(deliveries)
      })

      const release = Effect.fn("WebhookDeliveries.release")(function* (
        storeId: string,
        deliveries: ReadonlyArray<ClaimedDelivery>
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* database.write(storeId)(
          Effect.gen(function* () {
            const { held, heldParcels } = yield* hold(storeId, deliveries)
            const given = deliveries
              .filter(({ id }) => held.has(id))
              .map((delivery) => ({ delivery, status: "pending" as const, dueAt: now, attempt: null }))
            const rows = given.flatMap(({ delivery: { id, parcel } }) => (parcel === undefined ? [id] : []))
            yield* parcels.record(storeId, given.filter(isFirst), now)
            yield* repository.release(storeId, rows, now)
            yield* parcels.remove(storeId, emptied(deliveries, heldParcels))
          })
        )
        yield* forgetIn(deliveries)
      })

      return WebhookDeliveries.of({
        consumer: { name: "webhooks", consume },
        queued,
        couriers,
        lanes: (aheadMillis) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => repository.lanes(new Date(now + aheadMillis))),
        claim,
        settle,
        release
      })
    })
  )
}

/** A claimed delivery whose event has not been read. */
type Unread = Omit<ClaimedDelivery, "event"> & { readonly eventId: string }

/** As much of it as giving it back needs. */
const unsent = ({ eventId, ...row }: Unread): ClaimedDelivery => ({
  ...row,
  event: { id: eventId, type: "", body: new Uint8Array() }
})

const isFirst = <A extends { readonly delivery: ClaimedDelivery }>(one: A): one is A & Pick<FirstRecord, "delivery"> =>
  one.delivery.parcel !== undefined
