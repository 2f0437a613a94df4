/**
 * How many deliveries one process has in hand, by subscription, by store and in all. A subscription that does not
 * answer fills its own share and no more; a store with many such fills its share; and a store with next to nothing in
 * hand always gets some, however busy the others are.
 */
import type { Lane } from "../WebhookDeliveryRepository.ts"

export interface SlotLimits {
  readonly perSubscription: number
  readonly perStore: number
  /** In all, for stores that have more than a few. */
  readonly shared: number
  /** In all. */
  readonly most: number
  /** How many a store may have beyond `shared`. */
  readonly assured: number
}

/** Attempts under way. */
export const attemptLimits: SlotLimits = { perSubscription: 32, perStore: 96, shared: 256, most: 384, assured: 8 }

/**
 * Deliveries taken from the queue, those under way included. A subscription that answers quickly may have four times
 * its share taken: of more, most would outlive the young generation of a process that has a small one.
 */
export const takenLimits: SlotLimits = { perSubscription: 32, perStore: 1_536, shared: 2_048, most: 2_560, assured: 8 }
export const quickFactor = 4

export interface Grant {
  readonly storeId: string
  readonly lanes: ReadonlyArray<{ readonly subscriptionId: string; readonly most: number }>
}

export const laneKey = (storeId: string, subscriptionId: string): string => `${storeId} ${subscriptionId}`

export class Slots {
  readonly #limits: SlotLimits
  readonly #bySubscription = new Map<string, number>()
  readonly #byStore = new Map<string, number>()
  /** Subscriptions that may have more due than they were granted. */
  readonly #wanting = new Set<string>()
  readonly #quick = new Set<string>()
  #isTight = false
  #all = 0
  #turn = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /**
   * What may be taken now of these due lanes: one at a time for each in turn, beginning with another store every time.
   */
  grant(due: ReadonlyArray<Lane>): ReadonlyArray<Grant> {
    const stores = [...Map.groupBy(due, (lane) => lane.storeId)]
    const first = stores.length === 0 ? 0 : this.#turn++ % stores.length
    const turns = [...stores.slice(first), ...stores.slice(0, first)]
    const granted = new Map<string, Map<string, number>>(turns.map(([storeId]) => [storeId, new Map()]))
    let anyLeft = true
    while (anyLeft) {
      anyLeft = false
      for (const [storeId, lanes] of turns) {
        for (const { subscriptionId } of lanes) {
          if (!this.take(storeId, subscriptionId)) continue
          const ofStore = granted.get(storeId)
          ofStore?.set(subscriptionId, (ofStore.get(subscriptionId) ?? 0) + 1)
          anyLeft = true
        }
      }
    }
    for (const { storeId, subscriptionId } of due) this.#wanting.add(laneKey(storeId, subscriptionId))
    return [...granted].flatMap(([storeId, lanes]) =>
      lanes.size === 0
        ? []
        : [{ storeId, lanes: [...lanes].map(([subscriptionId, most]) => ({ subscriptionId, most })) }]
    )
  }

  /** Takes one, where there is room for it. */
  take(storeId: string, subscriptionId: string): boolean {
    const hasRoom = this.#room(storeId, subscriptionId) > 0
    if (hasRoom) this.#add(storeId, subscriptionId, 1)
    return hasRoom
  }

  /** How many more of a subscription could be taken past the queue: none while older ones may wait in it. */
  roomPastQueue(storeId: string, subscriptionId: string): number {
    return this.#wanting.has(laneKey(storeId, subscriptionId)) ? 0 : Math.max(0, this.#room(storeId, subscriptionId))
  }

  /** Takes `count`, room or not. */
  force(storeId: string, subscriptionId: string, count: number): void {
    this.#add(storeId, subscriptionId, count)
  }

  /** Some were queued that nobody took. */
  queued(storeId: string, subscriptionId: string): void {
    this.#wanting.add(laneKey(storeId, subscriptionId))
  }

  /** A grant that yielded less than it allowed: the rest is free again, and there is no more to be had. */
  unused(storeId: string, subscriptionId: string, count: number): void {
    this.#add(storeId, subscriptionId, -count)
    if (count > 0) this.#wanting.delete(laneKey(storeId, subscriptionId))
  }

  /** One ended. Answers whether it is time to look for more: its subscription has more, and has run half empty. */
  ended(storeId: string, subscriptionId: string): boolean {
    this.#add(storeId, subscriptionId, -1)
    const key = laneKey(storeId, subscriptionId)
    if (this.#all >= this.#limits.shared / 2) return this.#wanting.size > 0
    return this.#wanting.has(key) && (this.#bySubscription.get(key) ?? 0) <= this.#shareOf(key) / 2
  }

  /** Whether a subscription answers quickly. */
  pace(storeId: string, subscriptionId: string, isQuick: boolean): void {
    const key = laneKey(storeId, subscriptionId)
    if (isQuick) this.#quick.add(key)
    else this.#quick.delete(key)
  }

  /** While memory is short nobody has more than the plain share. */
  set isTight(isTight: boolean) {
    this.#isTight = isTight
  }

  /** In hand in all. */
  get count(): number {
    return this.#all
  }

  #shareOf(key: string): number {
    return this.#limits.perSubscription * (this.#quick.has(key) && !this.#isTight ? quickFactor : 1)
  }

  #room(storeId: string, subscriptionId: string): number {
    const { perStore, shared, most, assured } = this.#limits
    const key = laneKey(storeId, subscriptionId)
    const ofStore = this.#byStore.get(storeId) ?? 0
    const inAll = Math.max(shared - this.#all, Math.min(most - this.#all, assured - ofStore))
    return Math.min(inAll, perStore - ofStore, this.#shareOf(key) - (this.#bySubscription.get(key) ?? 0))
  }

  #add(storeId: string, subscriptionId: string, count: number): void {
    this.#all += count
    change(this.#byStore, storeId, count)
    change(this.#bySubscription, laneKey(storeId, subscriptionId), count)
  }
}

const change = (counts: Map<string, number>, key: string, by: number): void => {
  const next = (counts.get(key) ?? 0) + by
  if (next === 0) counts.delete(key)
  else counts.set(key, next)
}
