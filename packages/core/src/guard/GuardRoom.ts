/** The layers of the guard room: records of Idempotency-Keys, and the counters of rate limits. */
import { Layer, type Redacted, Result } from "effect"
import type { RootSecret } from "../crypto/RootSecret.ts"
import type { Database } from "../database/Database.ts"
import type { Room } from "../database/Room.ts"
import { readText } from "../kernel/OneEffect.ts"
import { IdempotencyRecords } from "./IdempotencyRecords.ts"
import { RateLimits, type RateStore } from "./RateLimits.ts"
import { guardLaws } from "./guardLaws.ts"
import { redisServerOf } from "./RedisServer.ts"

export interface RateLimitOptions {
  /** `redis` where a URL of one is given, else `postgres`. `memory` counts in this process alone. */
  readonly store?: RateStore | undefined
  /** `redis(s)://user:password@host:port/database` */
  readonly redisUrl?: string | Redacted.Redacted | undefined
}

const countersOf = ({ store, redisUrl }: RateLimitOptions): Layer.Layer<RateLimits, never, Database | RootSecret> => {
  const chosen = store ?? (redisUrl === undefined ? "postgres" : "redis")
  if (chosen === "memory") return RateLimits.layerMemory
  if (chosen === "postgres") return RateLimits.layer
  const server = redisServerOf(readText("the URL of the Redis of the rate limits", redisUrl ?? ""))
  return RateLimits.layerRedis(
    Result.getOrThrowWith(server, (must) => new TypeError(`the URL of the Redis of the rate limits ${must}`))
  )
}

export const guardRoom = {
  layer: (rateLimits: RateLimitOptions = {}) => Layer.merge(IdempotencyRecords.layer, countersOf(rateLimits)),
  laws: guardLaws
} as const satisfies Room
