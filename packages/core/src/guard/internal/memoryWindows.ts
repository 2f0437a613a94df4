/**
 * Fixed windows counted in this process: for `RateLimits.layerMemory`, and while a Redis does not answer. The caller
 * passes the time, in milliseconds.
 */
import { type RateTaken, type RateWindow, windowStart } from "../RateWindow.ts"

export interface MemoryWindows {
  readonly take: (windows: ReadonlyArray<RateWindow>, now: number) => RateTaken
  /** Forgets the windows of buckets that begin so. */
  readonly lift: (prefix: string) => void
  readonly sweep: (now: number) => void
  /** The number of counters. */
  readonly size: () => number
}

/** How often ended windows are removed here: an instance without workers has no other sweep. */
const sweepMillis = 60_000

/** Beyond these the counters that began first are forgotten: callers of any number of addresses fill nothing. */
const mostCounters = 100_000

export const makeMemoryWindows = (most = mostCounters): MemoryWindows => {
  const counters = new Map<string, { count: number; readonly endsAt: number }>()
  let sweptAt = 0

  const sweep = (now: number) => {
    sweptAt = now
    for (const [key, slot] of counters) if (slot.endsAt < now) counters.delete(key)
  }

  const slotOf = (window: RateWindow, now: number) => {
    const start = windowStart(window, now)
    const key = `${window.bucket}\n${start}`
    const found = counters.get(key)
    if (found !== undefined) return found
    const slot = { count: 0, endsAt: start + window.ms }
    counters.set(key, slot)
    return slot
  }

  const makeRoom = () => {
    for (const key of counters.keys()) {
      if (counters.size <= most) return
      counters.delete(key)
    }
  }

  return {
    take: (windows, now) => {
      if (Math.abs(now - sweptAt) >= sweepMillis) sweep(now)
      const slots = windows.map((window) => slotOf(window, now))
      makeRoom()
      const refused = windows.findIndex((window, i) => (slots[i]?.count ?? 0) >= window.limit)
      if (refused >= 0) return { counts: slots.slice(0, refused).map((slot) => slot.count), refused, now }
      for (const [i, slot] of slots.entries()) if (windows[i]?.readOnly !== true) slot.count += 1
      return { counts: slots.map((slot) => slot.count), refused: -1, now }
    },
    lift: (prefix) => {
      for (const key of counters.keys()) if (key.startsWith(prefix)) counters.delete(key)
    },
    sweep,
    size: () => counters.size
  }
}
