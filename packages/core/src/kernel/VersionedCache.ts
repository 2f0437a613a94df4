/**
 * A small map from a key to the value of its newest known version, least recently used out first: what compiled
 * evaluators are kept in. Its capacity is a number of values, or what they weigh together. A version never goes back,
 * so a reader with an older one gets the newer value, and a slow reader cannot put an old value back. Inside a host's
 * open transaction it is neither read nor filled: a version that is rolled back is used again for other content. What
 * has no version is kept as of 0n, and is then simply the newest value.
 */
import { isJoined } from "./JoinedTransaction.ts"

export class VersionedCache<A> {
  readonly #entries = new Map<string, { readonly version: bigint; readonly value: A; readonly weight: number }>()
  readonly #capacity: number
  readonly #weigh: (value: A, key: string) => number
  #weight = 0

  constructor(capacity: number, weigh: (value: A, key: string) => number = () => 1) {
    this.#capacity = capacity
    this.#weigh = weigh
  }

  /** The value, where it is of `version` or a later one. */
  get(key: string, version: bigint): A | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || entry.version < version || isJoined()) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Keeps a value unless a later version is there already. */
  set(key: string, version: bigint, value: A): void {
    if (isJoined()) return
    const known = this.#entries.get(key)
    if (known !== undefined && known.version > version) return
    const weight = this.#weigh(value, key)
    this.#remove(key)
    this.#entries.set(key, { version, value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0
    this.#entries.delete(key)
  }
}
