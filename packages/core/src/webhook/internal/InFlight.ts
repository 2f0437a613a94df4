/**
 * How many attempts this process is making, by subscription, by store and in all. An endpoint that does not respond
 * uses up the share of its subscription and no more. A store with many such endpoints uses up its own share. A store
 * that has few attempts under way always gets a few, however busy the other stores are.
 */

export interface InFlightLimits {
  readonly perSubscription: number
  readonly perStore: number
  /** In all, for stores that have more than `assured`. */
  readonly shared: number
  /** In all. */
  readonly most: number
  /** How many a store may have beyond `shared`. */
  readonly assured: number
}

export const inFlightLimits: InFlightLimits = {
  perSubscription: 32,
  perStore: 96,
  shared: 256,
  most: 384,
  assured: 8
}

/** How many deliveries of a store may be claimed. */
export interface Allotment {
  readonly storeId: string
  readonly subscriptions: ReadonlyArray<{ readonly subscriptionId: string; readonly most: number }>
}

interface Place {
  readonly storeId: string
  readonly subscriptionId: string
}

const keyOf = ({ storeId, subscriptionId }: Place): string => `${storeId} ${subscriptionId}`

export class InFlight {
  readonly #limits: InFlightLimits
  /** By store id, and by store and subscription id. */
  readonly #counts = new Map<string, number>()
  #total = 0
  #turn = 0

  constructor(limits: InFlightLimits) {
    this.#limits = limits
  }

  /**
   * Reserves what may be claimed for these subscriptions: one delivery for each in turn, until nothing is free. Begins
   * with another store each time.
   */
  allot(due: ReadonlyArray<Place>): ReadonlyArray<Allotment> {
    const stores = [...Map.groupBy(due, ({ storeId }) => storeId)].map(([storeId, places]) => ({
      storeId,
      subscriptions: places.map(({ subscriptionId }) => ({ storeId, subscriptionId, most: 0 }))
    }))
    const first = this.#turn++ % Math.max(1, stores.length)
    let open = [...stores.slice(first), ...stores.slice(0, first)].flatMap(({ subscriptions }) => subscriptions)
    while (open.length > 0) {
      open = open.filter((one) => this.#hasRoom(one))
      for (const one of open) {
        if (!this.#hasRoom(one)) continue
        this.#add(one, 1)
        one.most++
      }
    }
    return stores
      .map(({ storeId, subscriptions }) => ({ storeId, subscriptions: subscriptions.filter(({ most }) => most > 0) }))
      .filter(({ subscriptions }) => subscriptions.length > 0)
  }

  /** Attempts that ended, or that were reserved and not needed. */
  free(place: Place, count = 1): void {
    this.#add(place, -count)
  }

  /** Whether at least half of a subscription's share is free: then it is worth claiming more. */
  isHalfFree(place: Place): boolean {
    return this.#count(keyOf(place)) <= this.#limits.perSubscription / 2
  }

  /** In all. */
  get total(): number {
    return this.#total
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  #hasRoom(place: Place): boolean {
    const { perSubscription, perStore, shared, most, assured } = this.#limits
    const ofStore = this.#count(place.storeId)
    const isRoomInAll = this.#total < shared || (this.#total < most && ofStore < assured)
    return isRoomInAll && ofStore < perStore && this.#count(keyOf(place)) < perSubscription
  }

  #add(place: Place, by: number): void {
    this.#total += by
    for (const key of [place.storeId, keyOf(place)]) {
      const count = this.#count(key) + by
      if (count === 0) this.#counts.delete(key)
      else this.#counts.set(key, count)
    }
  }
}
