/**
 * A small LRU cache from a key to the value of its newest known version, for compiled evaluators. Its capacity is a
 * number of values, or their total weight. A version never decreases, so a reader with an older version gets the newer
 * value, and a slow reader cannot put an old value back. Inside a host's open transaction it is neither read nor
 * filled: a version that is rolled back is used again for other content. Values without a version have version 0n: the
 * latest one set is returned.
 */
import { isJoined } from "../kernel/JoinedTransaction.ts"

export class VersionedCache<A> {
  readonly #entries = new Map<string, { readonly version: bigint; readonly value: A; readonly weight: number }>()
  readonly #capacity: number
  readonly #weigh: (value: A, key: string) => number
  #weight = 0

  constructor(capacity: number, weigh: (value: A, key: string) => number = () => 1) {
    this.#capacity = capacity
    this.#weigh = weigh
  }

  /** The value, if its version is `version` or later. */
  get(key: string, version: bigint): A | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || entry.version < version || isJoined()) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Stores a value unless a later version is there already. */
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
