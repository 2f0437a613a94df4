/**
 * The script by which Redis counts a request in all of its windows or, if one is full, in none: what `rate_take` does
 * in PostgreSQL, in one round trip. Redis runs one script at a time, so that it is exact whichever process asks.
 */
import type { CommandParser } from "@redis/client"

export interface CountedKey {
  /** The counter of one window of one bucket. */
  readonly key: string
  /** Below zero where the window is only read. */
  readonly limit: number
  /** Milliseconds for which a counter is kept, from its first request. */
  readonly keptMillis: number
  /** The key of the number of the group's lifts, or "". */
  readonly group: string
}

/**
 * A counter of a group has the number of lifts in its name: a lift leaves the counters from before behind, which end by
 * themselves.
 */
const text = `
local keys, counts = {}, {}
for i, key in ipairs(KEYS) do
  local group = ARGV[3 * i]
  keys[i] = group == '' and key or key .. ':' .. (redis.call('GET', group) or '0')
  counts[i] = tonumber(redis.call('GET', keys[i]) or '0')
  if counts[i] >= math.abs(tonumber(ARGV[3 * i - 2])) then
    counts[i] = -i
    return counts
  end
end
for i, key in ipairs(keys) do
  if tonumber(ARGV[3 * i - 2]) > 0 then
    counts[i] = redis.call('INCR', key)
    if counts[i] == 1 then redis.call('PEXPIRE', key, ARGV[3 * i - 1]) end
  end
end
return counts
`

export const takeScript = {
  SCRIPT: text,
  parseCommand: (parser: CommandParser, counted: ReadonlyArray<CountedKey>) => {
    parser.pushKeysLength(counted.map(({ key }) => key))
    for (const { limit, keptMillis, group } of counted) parser.push(String(limit), String(keptMillis), group)
  },
  transformReply: (counts: ReadonlyArray<number>) => counts
}
