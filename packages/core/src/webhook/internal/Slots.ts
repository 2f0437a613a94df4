/**
 * How many deliveries one process has under way, by subscription, by store and in all. A subscription that does not answer fills its own share and no
 * more; a store with many such fills its share; and a store with next to nothing under way always gets some, however busy the others are.
 */
import type { Lane } from "../WebhookDeliveryRepository.ts"

export interface SlotLimits {
  readonly perSubscription: number
  readonly perStore: number
  /** In all, for stores that have more than a few under way. */
  readonly shared: number
  /** In all. */
  readonly most: number
  /** How many a store may have beyond `shared`. */
  readonly assured: number
}

export const slotLimits: SlotLimits = { perSubscription: 32, perStore: 96, shared: 256, most: 384, assured: 8 }

export interface Grant {
  readonly storeId: string
  readonly lanes: ReadonlyArray<{ readonly subscriptionId: string; readonly most: number }>
}

const keyOf = (storeId: string, subscriptionId: string): string => `${storeId} ${subscriptionId}`

export class Slots {
  readonly #limits: SlotLimits
  readonly #bySubscription = new Map<string, number>()
  readonly #byStore = new Map<string, number>()
  /** Subscriptions that may have more due than they were granted. */
  readonly #wanting = new Set<string>()
  #all = 0
  #turn = 0

  constructor(limits: SlotLimits = slotLimits) {
    this.#limits = limits
  }

  /** What may be taken now of these due lanes: one at a time for each in turn, beginning with another store every time. */
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
          if (!this.#hasRoom(storeId, subscriptionId)) continue
          this.#add(storeId, subscriptionId, 1)
          const ofStore = granted.get(storeId)
          ofStore?.set(subscriptionId, (ofStore.get(subscriptionId) ?? 0) + 1)
          anyLeft = true
        }
      }
    }
    for (const { storeId, subscriptionId } of due) this.#wanting.add(keyOf(storeId, subscriptionId))
    return [...granted].flatMap(([storeId, lanes]) =>
      lanes.size === 0 ? [] : [{ storeId, lanes: [...lanes].map(([subscriptionId, most]) => ({ subscriptionId, most })) }]
    )
  }

  /** A grant that yielded less than it allowed: the rest is free again, and there is no more to be had. */
  unused(storeId: string, subscriptionId: string, count: number): void {
    this.#add(storeId, subscriptionId, -count)
    if (count > 0) this.#wanting.delete(keyOf(storeId, subscriptionId))
  }

  /** One ended. Answers whether it is time to look for more: its subscription has more, and has run half empty. */
  ended(storeId: string, subscriptionId: string): boolean {
    this.#add(storeId, subscriptionId, -1)
    const key = keyOf(storeId, subscriptionId)
    if (this.#all >= this.#limits.shared / 2) return this.#wanting.size > 0
    return this.#wanting.has(key) && (this.#bySubscription.get(key) ?? 0) <= this.#limits.perSubscription / 2
  }

  /** Under way in all. */
  get count(): number {
    return this.#all
  }

  #hasRoom(storeId: string, subscriptionId: string): boolean {
    const ofStore = this.#byStore.get(storeId) ?? 0
    const most = ofStore < this.#limits.assured ? this.#limits.most : this.#limits.shared
    return this.#all < most && ofStore < this.#limits.perStore && (this.#bySubscription.get(keyOf(storeId, subscriptionId)) ?? 0) < this.#limits.perSubscription
  }

  #add(storeId: string, subscriptionId: string, count: number): void {
    this.#all += count
    change(this.#byStore, storeId, count)
    change(this.#bySubscription, keyOf(storeId, subscriptionId), count)
  }
}

const change = (counts: Map<string, number>, key: string, by: number): void => {
  const next = (counts.get(key) ?? 0) + by
  if (next === 0) counts.delete(key)
  else counts.set(key, next)
}
