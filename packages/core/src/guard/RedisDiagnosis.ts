/** What the Redis of the rate limits says of itself. Changes nothing. */
import { Effect } from "effect"
import { answered, openRedis, type RedisSilent } from "./internal/redisClient.ts"
import type { RedisServer } from "./RedisServer.ts"

export interface RedisFacts {
  readonly version: string
  readonly isReplica: boolean
  /** In cluster mode it does not count several keys together, though it may have all of them. */
  readonly isCluster: boolean
  /** What it does once its memory is full; undefined: it has no bound, and never comes to that. */
  readonly policyWhenFull: string | undefined
}

const linesOf = (info: string): ReadonlyMap<string, string> =>
  new Map(
    info.split("\r\n").flatMap((line) => {
      const at = line.indexOf(":")
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const]
    })
  )

export const lookAtRedis = (server: RedisServer): Effect.Effect<RedisFacts, RedisSilent> =>
  Effect.scoped(
    Effect.gen(function* () {
      const client = yield* openRedis(server, () => undefined)
      const info = linesOf(yield* answered(() => client.info()))
      return {
        version: info.get("redis_version") ?? "of an unknown version",
        isReplica: info.get("role") === "slave",
        isCluster: info.get("cluster_enabled") === "1",
        policyWhenFull: info.get("maxmemory") === "0" ? undefined : info.get("maxmemory_policy")
      }
    })
  )
