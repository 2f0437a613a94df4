/**
 * What a relay remembers of its failures, in memory: how many events of a store it takes at a time, and which events it
 * leaves alone for a while because they failed by themselves. Another process finds out for itself, and so does this
 * one when it is started again.
 */

/** After the first failure at once, then 1 s, 2 s, 4 s … */
const firstPauseMillis = 1_000
const longestPauseMillis = 10 * 60_000

/**
 * Events of one store that are left alone at the same time: where more of them fail, it is not the events that are
 * wrong.
 */
const mostAside = 100

interface Failure {
  readonly count: number
  readonly until: number
}

export class RelayPatience {
  readonly #usual: number
  readonly #narrowed = new Map<string, number>()
  readonly #failures = new Map<string, Map<string, Failure>>()

  constructor(usual: number) {
    this.#usual = usual
  }

  /** How many events are taken at a time. */
  most(storeId: string): number {
    return this.#narrowed.get(storeId) ?? this.#usual
  }

  narrow(storeId: string, to: number): void {
    this.#narrowed.set(storeId, to)
  }

  /** Twice as many the next time, and forgets the failures of what went well. */
  succeeded(storeId: string, ids: ReadonlyArray<string>): void {
    const wider = this.most(storeId) * 2
    if (wider >= this.#usual) this.#narrowed.delete(storeId)
    else this.#narrowed.set(storeId, wider)
    const failures = this.#failures.get(storeId)
    if (failures === undefined) return
    for (const id of ids) failures.delete(id)
    if (failures.size === 0) this.#failures.delete(storeId)
  }

  /** Those that are left alone now. */
  aside(storeId: string, now: number): ReadonlyArray<string> {
    return [...(this.#failures.get(storeId) ?? [])].flatMap(([id, { until }]) => (until > now ? [id] : []))
  }

  /**
   * Leaves an event alone, each time for longer; answers until when, or undefined where too many are left alone
   * already.
   */
  setAside(storeId: string, id: string, now: number): number | undefined {
    const failures = this.#failures.get(storeId) ?? new Map<string, Failure>()
    if (!failures.has(id) && failures.size >= mostAside) return undefined
    const count = (failures.get(id)?.count ?? 0) + 1
    const until = count === 1 ? now : now + Math.min(longestPauseMillis, firstPauseMillis * 2 ** (count - 2))
    this.#failures.set(storeId, failures.set(id, { count, until }))
    return until
  }
}
