/** Fixed windows counted in Redis: exact over all processes of an installation, one round trip a call. */
import { Effect } from "effect"
import { type RateTaken, type RateWindow, signedLimit, takenOf, windowStart } from "../RateWindow.ts"
import type { RedisServer } from "../RedisServer.ts"
import type { RedisSilent } from "./redisClient.ts"
import { makeRedisLink } from "./redisLink.ts"

export interface RedisWindows {
  readonly take: (windows: ReadonlyArray<RateWindow>, now: number) => Effect.Effect<RateTaken, RedisSilent>
  /** Forgets the windows of a group. */
  readonly lift: (group: string) => Effect.Effect<void, RedisSilent>
  readonly isReached: () => boolean
}

/** A counter outlives its window by this, for processes whose clocks are behind. */
const graceMillis = 60_000
/** A lift is remembered for longer than the windows that it ended: they are a day long at most. */
const liftMillis = 2 * 86_400_000

/** `prefix` begins every key: installations that share a Redis share no counter. */
export const makeRedisWindows = Effect.fnUntraced(function* (server: RedisServer, prefix: string) {
  const link = yield* makeRedisLink(server, `${prefix}probe`)
  const groupKey = (group: string): string => `${prefix}lifts:${group}`

  const countedKey = (window: RateWindow, now: number) => {
    const start = windowStart(window, now)
    return {
      key: `${prefix}${window.bucket}:${start}`,
      limit: signedLimit(window),
      keptMillis: start + window.ms - now + graceMillis,
      group: window.group === undefined ? "" : groupKey(window.group)
    }
  }

  return {
    take: (windows, now) =>
      Effect.map(link.take(windows.map((window) => countedKey(window, now))), (answer) => takenOf(answer, now)),
    lift: (group) => link.lift(groupKey(group), liftMillis),
    isReached: link.isReached
  } satisfies RedisWindows
})
