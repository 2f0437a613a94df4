/**
 * An index of the postal patterns of one country: looking up a code costs the number of patterns that match it, not the
 * number stored. Exact codes and prefixes are hashed (a prefix look-up per prefix length in use); ranges are kept per
 * code length, sorted by their low end with the running maximum of the high ends, so that a search can stop early.
 */
import type { PostalPattern } from "../PostalPattern.ts"

interface RangeEntry<T> {
  readonly low: string
  readonly high: string
  readonly value: T
}

interface RangeList<T> {
  readonly entries: ReadonlyArray<RangeEntry<T>>
  /** highest[i] is the greatest `high` of entries 0 … i. */
  readonly highest: ReadonlyArray<string>
}

const DIGITS = /^[0-9]+$/

const sortRanges = <T>(entries: Array<RangeEntry<T>>): RangeList<T> => {
  entries.sort((a, b) => (a.low < b.low ? -1 : a.low > b.low ? 1 : 0))
  let top = ""
  const highest = entries.map(({ high }) => (top = high > top ? high : top))
  return { entries, highest }
}

/** The number of entries whose low end is at most `code`. */
const countStarted = <T>(entries: ReadonlyArray<RangeEntry<T>>, code: string): number => {
  let from = 0
  let to = entries.length
  while (from < to) {
    const middle = (from + to) >>> 1
    const entry = entries[middle]
    if (entry !== undefined && entry.low <= code) from = middle + 1
    else to = middle
  }
  return from
}

const collectRanges = <T>(list: RangeList<T>, code: string, visit: (value: T) => void): void => {
  for (let i = countStarted(list.entries, code) - 1; i >= 0; i--) {
    if ((list.highest[i] ?? "") < code) return
    const entry = list.entries[i]
    if (entry !== undefined && entry.high >= code) visit(entry.value)
  }
}

const push = <K, T>(map: Map<K, Array<T>>, key: K, value: T): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

export interface PostalIndex<T> {
  /** Calls `visit` for every pattern that holds the normalised code, in no particular order. */
  readonly each: (code: string, visit: (value: T) => void) => void
}

/** Builds the index. Patterns of kind `none` are left out. */
export const makePostalIndex = <T>(rows: Iterable<readonly [PostalPattern, T]>): PostalIndex<T> => {
  const any: Array<T> = []
  const exact = new Map<string, Array<T>>()
  const prefixes = new Map<string, Array<T>>()
  const prefixLengths = new Set<number>()
  const ranges = new Map<number, Array<RangeEntry<T>>>()
  for (const [pattern, value] of rows) {
    if (pattern.kind === "any") any.push(value)
    if (pattern.kind === "exact") push(exact, pattern.code, value)
    if (pattern.kind === "range") push(ranges, pattern.low.length, { low: pattern.low, high: pattern.high, value })
    if (pattern.kind === "prefix") {
      push(prefixes, pattern.prefix, value)
      prefixLengths.add(pattern.prefix.length)
    }
  }
  const sorted = new Map([...ranges].map(([length, entries]) => [length, sortRanges(entries)]))
  const each = (code: string, visit: (value: T) => void): void => {
    any.forEach(visit)
    exact.get(code)?.forEach(visit)
    for (const length of prefixLengths) if (length <= code.length) prefixes.get(code.slice(0, length))?.forEach(visit)
    const list = sorted.get(code.length)
    if (list !== undefined && DIGITS.test(code)) collectRanges(list, code, visit)
  }
  return { each }
}
