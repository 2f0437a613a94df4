/**
 * What one process has taken from the queue: deliveries that wait for a free attempt, and those under way. Counts and
 * memory only; what is done with them is the dispatcher's.
 */
import type { ClaimedDelivery } from "../WebhookDelivery.ts"
import { attemptLimits, type Grant, laneKey, Slots, takenLimits } from "./Slots.ts"
import type { Lane } from "../WebhookDeliveryRepository.ts"

/**
 * Milliseconds that an attempt takes at most at a subscription that counts as quick: what it may have taken is then
 * sent within a second.
 */
const quickMillis = 50
/** Bodies in hand, in bytes, from which on nothing is taken ahead. */
const muchMemory = 32 * 1_024 * 1_024

const muchStarted = 64

export class Courier {
  readonly #held = new Map<string, ClaimedDelivery>()
  #bytes = 0
  readonly #waiting = new Map<string, Waiting>()
  readonly #taken = new Slots(takenLimits)
  readonly #attempts = new Slots(attemptLimits)
  readonly #start: (delivery: ClaimedDelivery) => void

  /** `start` begins an attempt; it ends with `ended`. */
  constructor(start: (delivery: ClaimedDelivery) => void) {
    this.#start = start
  }

  grant(due: ReadonlyArray<Lane>): ReadonlyArray<Grant> {
    return this.#taken.grant(due)
  }

  /** How many new deliveries of a subscription this process would take past the queue. */
  room(storeId: string, subscriptionId: string): number {
    return this.#taken.roomPastQueue(storeId, subscriptionId)
  }

  /**
   * Takes new deliveries past the queue, as many as there was room for; `queued` are subscriptions of which some had to
   * be queued.
   */
  takeNew(storeId: string, deliveries: ReadonlyArray<ClaimedDelivery>, queued: ReadonlyArray<string>): void {
    for (const [subscriptionId, theirs] of Map.groupBy(deliveries, (one) => one.subscriptionId))
      this.#taken.force(storeId, subscriptionId, theirs.length)
    for (const subscriptionId of queued) this.#taken.queued(storeId, subscriptionId)
    this.#accept(deliveries)
  }

  /** What a grant has yielded. */
  claimed({ storeId, lanes }: Grant, deliveries: ReadonlyArray<ClaimedDelivery>): void {
    const counts = Map.groupBy(deliveries, ({ subscriptionId }) => subscriptionId)
    for (const { subscriptionId, most } of lanes)
      this.#taken.unused(storeId, subscriptionId, most - (counts.get(subscriptionId)?.length ?? 0))
    this.#accept(deliveries)
  }

  #accept(deliveries: ReadonlyArray<ClaimedDelivery>): void {
    for (const delivery of deliveries) {
      this.#held.set(delivery.id, delivery)
      this.#bytes += delivery.event.body.length
      const key = laneKey(delivery.storeId, delivery.subscriptionId)
      const queue = this.#waiting.get(key)
      if (queue === undefined) this.#waiting.set(key, { deliveries: [delivery], next: 0 })
      else queue.deliveries.push(delivery)
    }
    this.#taken.isTight = this.#bytes > muchMemory
    this.#begin()
  }

  /** Taken by this process and not recorded yet. */
  get held(): Iterable<ClaimedDelivery> {
    return this.#held.values()
  }

  /** It is recorded, or given back. */
  forget({ id, event }: ClaimedDelivery): void {
    if (!this.#held.delete(id)) return
    this.#bytes -= event.body.length
    this.#taken.isTight = this.#bytes > muchMemory
  }

  /** An attempt ended, after `millis`; undefined where none was made. Answers whether it is time to look for more. */
  ended({ storeId, subscriptionId }: ClaimedDelivery, millis: number | undefined): boolean {
    if (millis !== undefined) this.#taken.pace(storeId, subscriptionId, millis < quickMillis)
    this.#attempts.ended(storeId, subscriptionId)
    const isTime = this.#taken.ended(storeId, subscriptionId)
    this.#begin()
    return isTime
  }

  /** Starts nothing any more: what waits is left in `held`. */
  stop(): void {
    this.#waiting.clear()
  }

  /** What is taken of this store although its lease has ended: nobody of this process shall take it a second time. */
  overdueOf(storeId: string, now: number): ReadonlyArray<ClaimedDelivery> {
    return [...this.#held.values()].filter((one) => one.storeId === storeId && one.leaseEnds.getTime() <= now)
  }

  /** Starts what waits, each subscription in turn. */
  #begin(): void {
    for (const [key, queue] of this.#waiting) {
      const started: Array<ClaimedDelivery> = []
      for (let next = queue.deliveries[queue.next]; next !== undefined; next = queue.deliveries[queue.next]) {
        if (!this.#attempts.take(next.storeId, next.subscriptionId)) break
        started.push(next)
        queue.next++
      }
      if (started.length === 0) continue
      this.#waiting.delete(key)
      if (queue.next < queue.deliveries.length) this.#waiting.set(key, shortened(queue))
      for (const delivery of started) this.#start(delivery)
    }
  }
}

/** Deliveries of a subscription that wait, from `next` on. */
interface Waiting {
  readonly deliveries: Array<ClaimedDelivery>
  next: number
}

/** What has been started is let go when there is much of it: not at each step, which would copy the rest each time. */
const shortened = (queue: Waiting): Waiting =>
  queue.next < muchStarted ? queue : { deliveries: queue.deliveries.slice(queue.next), next: 0 }
