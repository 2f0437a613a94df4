/**
 * A small cache whose entries live for a fixed time, so that a warm process identifies callers without asking the
 * database. A change in another process takes effect when the entry expires; a change in this process calls `delete`.
 * Inside a host's open transaction it is neither read nor filled: data read there may be rolled back.
 */
import { isJoined } from "../kernel/JoinedTransaction.ts"

export class TimedCache<A> {
  readonly #entries = new Map<string, { readonly value: A; readonly until: number }>()
  readonly #ttlMillis: number
  readonly #capacity: number
  #generation = 0

  constructor(ttlMillis: number, capacity: number) {
    this.#ttlMillis = ttlMillis
    this.#capacity = capacity
  }

  /** The live entry, or undefined. `now` in milliseconds of the instance's clock. */
  get(key: string, now: number): A | undefined {
    const entry = this.#entries.get(key)
    return entry !== undefined && now < entry.until && entry.until - now <= this.#ttlMillis && !isJoined()
      ? entry.value
      : undefined
  }

  /** Another number once something was taken out. */
  get generation(): number {
    return this.#generation
  }

  /**
   * `read` is the generation from before the value was read: if a change was announced meanwhile, the value may be
   * older than the change and is not kept.
   */
  set(key: string, value: A, now: number, read = this.#generation): void {
    if (isJoined() || read !== this.#generation) return
    if (this.#entries.size >= this.#capacity) {
      const oldest = this.#entries.keys().next()
      if (!oldest.done) this.#entries.delete(oldest.value)
    }
    this.#entries.delete(key)
    this.#entries.set(key, { value, until: now + this.#ttlMillis })
  }

  /** Whether it has no entries, live or not, so that no key need be made. */
  isEmpty(): boolean {
    return this.#entries.size === 0
  }

  delete(key: string): void {
    this.#generation += 1
    this.#entries.delete(key)
  }

  clear(): void {
    this.#generation += 1
    this.#entries.clear()
  }
}

/**
 * How long, in milliseconds, a process may use cached data that another process has changed: below the promised 5 s.
 */
export const crossProcessDelay = 4_000

/**
 * How long, in milliseconds, a process caches that something does not exist: a flood of requests for it reads the
 * database once a second.
 */
export const absenceDelay = 1_000
