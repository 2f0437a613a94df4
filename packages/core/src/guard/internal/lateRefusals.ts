/**
 * Rejections of the last second, by their windows. A full window stays full to its end, so a rejection is repeated from
 * here, and a flood of rejected requests costs the store nothing.
 */
import { TimedCache } from "../../cache/TimedCache.ts"
import { type RateTaken, type RateWindow, windowStart } from "../RateWindow.ts"

/** How long, in milliseconds, a rejection is repeated from memory, and how many are remembered. */
const refusalMillis = 1_000
const refusalCapacity = 10_000

export const makeLateRefusals = () => {
  const lately = new TimedCache<RateTaken>(refusalMillis, refusalCapacity)
  const nameOf = (windows: ReadonlyArray<RateWindow>, now: number) =>
    windows.map((window) => `${window.bucket} ${windowStart(window, now)}`).join(" ")
  return {
    find: (windows: ReadonlyArray<RateWindow>, now: number): RateTaken | undefined => {
      if (lately.isEmpty()) return undefined
      const taken = lately.get(nameOf(windows, now), now)
      return taken === undefined ? undefined : { ...taken, now }
    },
    /** Returns what was taken. */
    remember: (windows: ReadonlyArray<RateWindow>, taken: RateTaken): RateTaken => {
      if (taken.refused >= 0) lately.set(nameOf(windows, taken.now), taken, taken.now)
      return taken
    },
    forget: (): void => lately.clear()
  }
}
