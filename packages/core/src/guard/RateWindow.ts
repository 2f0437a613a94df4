/** One counted window of a rate limit, and the result of counting in several (RateLimits.ts). */

/**
 * `limit` requests in each window of `ms` milliseconds; windows begin at multiples of `ms` since the epoch.
 * `readOnly` counts nothing and rejects once `limit` has been reached.
 */
export interface RateWindow {
  readonly bucket: string
  readonly limit: number
  readonly ms: number
  readonly readOnly?: boolean
  /**
   * Guards a secret or something expensive: while the store of the counters does not answer, the request is refused
   * rather than counted in this process alone.
   */
  readonly needsStore?: boolean
  /** What `lift` forgets together. The bucket begins with it, and the window is a day long at most. */
  readonly group?: string
}

export interface RateTaken {
  /** Counts afterwards, one per window (after a rejection only of the windows before the full one). */
  readonly counts: ReadonlyArray<number>
  /** Index of the full window, or -1. */
  readonly refused: number
  readonly now: number
}

/** Windows begin at multiples of their length since the epoch. */
export const windowStart = (window: RateWindow, now: number): number => now - (now % window.ms)

/** A limit as the stores take it: below zero where the window is only read. */
export const signedLimit = ({ limit, readOnly }: RateWindow): number => (readOnly === true ? -limit : limit)

/**
 * What a store has answered: the counts after taking, or, where window i is full (from 1), the counts before it and
 * -i as the last element. A rejected request is counted in no window.
 */
export const takenOf = (answer: ReadonlyArray<number>, now: number): RateTaken => {
  const last = answer.at(-1) ?? 0
  return last < 0 ? { counts: answer.slice(0, -1), refused: -last - 1, now } : { counts: answer, refused: -1, now }
}
