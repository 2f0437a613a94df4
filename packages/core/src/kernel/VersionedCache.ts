/**
 * A small map from a key to the value of its newest known version, least recently used out first: what compiled
 * evaluators are kept in. A version never goes back, so whoever asks with an older one is given the newer value, and a
 * slow reader cannot put an old value back. Inside a host's open transaction it is empty and stays as it is: a version
 * taken back there comes again with other content.
 */
import { isJoined } from "./JoinedTransaction.ts"

export class VersionedCache<A> {
  readonly #entries = new Map<string, { readonly version: bigint; readonly value: A }>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
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
    this.#entries.delete(key)
    this.#entries.set(key, { version, value })
    if (this.#entries.size <= this.#capacity) return
    const oldest = this.#entries.keys().next()
    if (!oldest.done) this.#entries.delete(oldest.value)
  }
}
