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
}

export interface RateTaken {
  /** Counts afterwards, one per window (after a rejection only of the windows before the full one). */
  readonly counts: ReadonlyArray<number>
  /** Index of the full window, or -1. */
  readonly refused: number
  readonly now: number
}
