/** One counted window of a rate limit, and what taking from several came to (RateLimits.ts). */

/**
 * `limit` requests in each window of `ms` milliseconds; windows begin at multiples of `ms` since the epoch.
 * `readOnly` counts nothing and refuses once `limit` has been reached.
 */
export interface RateWindow {
  readonly bucket: string
  readonly limit: number
  readonly ms: number
  readonly readOnly?: boolean
}

export interface RateTaken {
  /** Counts after taking, one per window (of the windows before the refusal, when refused). */
  readonly counts: ReadonlyArray<number>
  /** Index of the window that refused, or -1. */
  readonly refused: number
  readonly now: number
}
