/**
 * A relay's memory of failures: the batch size of each store, and events that are set aside for a while because they
 * failed by themselves. It is not shared with other processes and is lost at a restart.
 */

/** The first retry is at once, then after 1 s, 2 s, 4 s … */
const firstPauseMillis = 1_000
const longestPauseMillis = 10 * 60_000

/**
 * Most events of one store that are set aside at the same time: if more of them fail, the events are not to blame.
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

  /** Doubles the batch size, and clears the failures of these events. */
  succeeded(storeId: string, ids: ReadonlyArray<string>): void {
    const wider = this.most(storeId) * 2
    if (wider >= this.#usual) this.#narrowed.delete(storeId)
    else this.#narrowed.set(storeId, wider)
    const failures = this.#failures.get(storeId)
    if (failures === undefined) return
    for (const id of ids) failures.delete(id)
    if (failures.size === 0) this.#failures.delete(storeId)
  }

  /** The events that are set aside now. */
  aside(storeId: string, now: number): ReadonlyArray<string> {
    return [...(this.#failures.get(storeId) ?? [])].flatMap(([id, { until }]) => (until > now ? [id] : []))
  }

  /**
   * Sets an event aside, each time for longer; returns until when, or undefined if too many are set aside already.
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
