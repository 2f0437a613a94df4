/** Faults of the counters of rate limits, in Redis and beside it. */
import type { Fault } from "../plantedFaults.ts"

const stores = ["packages/core/test/guard/RateLimits.pg.test.ts"]
const redis = ["packages/core/test/guard/RedisCounters.pg.test.ts"]
const handler = (path: string) => [`packages/handler/test/${path}.test.ts`]

export const limitFaults: ReadonlyArray<Fault> = [
  {
    id: "limits.redis-partly",
    breaks: "In Redis a refused request uses up the windows before the full one",
    file: "packages/core/src/guard/internal/takeScript.ts",
    find: `  if counts[i] >= math.abs(tonumber(ARGV[3 * i - 2])) then`,
    replace: `  redis.call('INCR', keys[i])
  if counts[i] >= math.abs(tonumber(ARGV[3 * i - 2])) then`,
    tests: stores
  },
  {
    id: "limits.redis-for-ever",
    breaks: "Redis keeps the counter of every address for ever",
    file: "packages/core/src/guard/internal/takeScript.ts",
    find: `if counts[i] == 1 then redis.call(`,
    replace: `if counts[i] == 0 then redis.call(`,
    tests: redis,
    noticedBy: "keeps no key for longer than its window and a minute"
  },
  {
    id: "limits.redis-lift",
    breaks: "A customer who has reset the password by e-mail stays locked out where limits are counted in Redis",
    file: "packages/core/src/guard/internal/redisWindows.ts",
    find: `group: window.group === undefined ? "" : groupKey(window.group)`,
    replace: `group: ""`,
    tests: stores,
    noticedBy: "forgets the windows of a group"
  },
  {
    id: "limits.redis-shared",
    breaks: "Two installations on one Redis use up each other's limits",
    file: "packages/core/src/guard/RateLimits.ts",
    find: "makeRedisWindows(server, `commerce:${mark}:`)",
    replace: "makeRedisWindows(server, `commerce:`)",
    tests: redis,
    noticedBy: "counts the callers of two installations apart"
  },
  {
    id: "limits.guess-without-store",
    breaks: "While Redis is away passwords and gift cards can be guessed at every process alone",
    file: "packages/core/src/guard/RateLimits.ts",
    find: "if (asked.some(({ needsStore }) => needsStore === true)) {",
    replace: "if (asked.length === 0) {",
    tests: redis,
    noticedBy: "what guards a secret is refused"
  },
  {
    id: "limits.alone-unlimited",
    breaks: "While Redis is away nothing is limited",
    file: "packages/core/src/guard/RateLimits.ts",
    find: "return Effect.succeed(refusals.remember(asked, alone.take(asked, now)))",
    replace: "return Effect.succeed({ counts: asked.map(() => 1), refused: -1, now })",
    tests: redis,
    noticedBy: "each process counts for itself"
  },
  {
    id: "limits.alone-reads",
    breaks: "While Redis is away a caller over a limit costs the database a statement for each request",
    file: "packages/core/src/guard/RateLimits.ts",
    find: "refusals.remember(asked, alone.take(asked, now))",
    replace: "alone.take(asked, now)",
    tests: redis,
    noticedBy: "a caller over a limit reads nothing"
  },
  {
    id: "limits.memory-reads",
    breaks: "Where rates are counted in memory a caller over a limit costs the database a statement for each request",
    file: "packages/core/src/guard/RateLimits.ts",
    find: "refusals.remember(asked, windows.take(asked, now)))\n      return {\n        take,\n        takeWithWrite: (asked)",
    replace: "windows.take(asked, now))\n      return {\n        take,\n        takeWithWrite: (asked)",
    tests: stores,
    noticedBy: "reads nothing for a caller whom it has just refused"
  },
  {
    id: "limits.redis-cluster",
    breaks: "A Redis in cluster mode is tried for every request, and each is an error",
    file: "packages/core/src/guard/internal/redisLink.ts",
    find: "tries(`${probe}:a`, `${probe}:b`)",
    replace: "tries(`${probe}:a`)",
    tests: redis,
    noticedBy: "one in cluster mode is not reached"
  },
  {
    id: "limits.redis-hangs",
    breaks: "Every request waits for a Redis that says nothing",
    file: "packages/core/src/guard/internal/redisClient.ts",
    find: "ms`))), millis)",
    replace: "ms`))), millis * 1_000)",
    tests: redis,
    noticedBy: "one that says nothing costs the requests under way two seconds"
  },
  {
    id: "limits.redis-gone-for-good",
    breaks: "A Redis that was away once is not asked again until the server restarts",
    file: "packages/core/src/guard/internal/redisLink.ts",
    find: "Effect.andThen(Effect.sleep(retryMillis)),\n    Effect.forever",
    replace: "Effect.andThen(Effect.never)",
    tests: redis,
    noticedBy: "it counts for all again by itself"
  },
  {
    id: "limits.cap-needs-store",
    breaks: "While Redis is away, coupon codes are tried at each process alone",
    file: "packages/handler/src/middleware/Limits.ts",
    find: "return buckets.map((bucket) => ({ ...bucket, needsStore: true }))",
    replace: "return buckets",
    tests: handler("middleware/LimitsInRedis.pg"),
    noticedBy: "a route with a limit of its own is refused"
  },
  {
    id: "limits.memory-unbounded",
    breaks: "Requests from many addresses use up the memory of a process",
    file: "packages/core/src/guard/internal/memoryWindows.ts",
    find: "if (counters.size <= most) return",
    replace: "if (counters.size > 0) return",
    tests: ["packages/core/test/guard/MemoryWindows.test.ts"],
    noticedBy: "are at most so many"
  },
  {
    id: "limits.counted-when-refused",
    breaks: "X-RateLimit-Remaining counts a request that was refused and not counted",
    file: "packages/core/src/guard/internal/postgresWindows.ts",
    find: "windows[i]?.readOnly === true ? count : count - 1",
    replace: "windows[i]?.readOnly === true ? count : count",
    tests: stores,
    noticedBy: "which window is full with the counts before it"
  },
  {
    id: "limits.undone-write",
    breaks: "An invitation that comes to nothing uses up the mails of the day",
    file: "packages/core/src/guard/RateLimits.ts",
    find: `takeWithWrite: (asked) => Effect.flatMap(Clock.currentTimeMillis, (now) => stored.take(asked, now)),
          takeReading: readingWith(sql, take, refusals.find),
          // A Redis`,
    replace: `takeWithWrite: take,
          takeReading: readingWith(sql, take, refusals.find),
          // A Redis`,
    tests: stores,
    noticedBy: "what comes to nothing does not count"
  },
  {
    id: "limits.cap-of-login",
    breaks: "A customer's password is guessed as often as the address may ask",
    file: "packages/handler/src/customer/CustomerApi.ts",
    find: "const signingIn = { cap: { limit: 5, ms: minute } }",
    replace: "const signingIn = { cap: { limit: 50, ms: minute } }",
    tests: handler("middleware/RouteCaps"),
    noticedBy: "are these, each with this many requests of an address in a minute"
  }
]
