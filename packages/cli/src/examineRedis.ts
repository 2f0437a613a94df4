/** What `commerce doctor` says of the Redis that counts rate limits. */
import { lookAtRedis, type RedisFacts } from "@effect-commerce/core/guard/RedisDiagnosis"
import { redisName, redisServerOf } from "@effect-commerce/core/guard/RedisServer"
import type { Examined } from "@effect-commerce/core/migration/Diagnosis"
import { Effect, Redacted, Result } from "effect"
import type { Settings } from "./Settings.ts"

/** The oldest major version that the tests would have to be run on; older ones know no users. */
const oldest = 6

const check = "limits.redis"
const unreached = "until then each process counts for itself, and routes with a limit of their own answer 503"

const judged = (name: string, { version, isReplica, isCluster, policyWhenFull }: RedisFacts): Examined => {
  if (Number.parseInt(version, 10) < oldest)
    return { check, says: `${name} is Redis ${version}`, remedy: `Redis ${oldest} or newer is needed` }
  if (isReplica)
    return { check, says: `${name} is a replica and takes no counts`, remedy: "name its primary in COMMERCE_REDIS_URL" }
  if (isCluster)
    return {
      check,
      says: `${name} is in cluster mode and does not count the limits of a request together`,
      remedy: `name a Redis without cluster mode in COMMERCE_REDIS_URL; ${unreached}`
    }
  if (policyWhenFull !== undefined && policyWhenFull !== "noeviction")
    return {
      check,
      says: `${name} forgets counters when its memory is full (maxmemory-policy ${policyWhenFull})`,
      remedy: "set its maxmemory-policy to noeviction, or give the limits a Redis of their own"
    }
  return { check, says: `rates are counted in the Redis ${version} at ${name}`, remedy: null }
}

/** Nothing where rates are counted elsewhere. */
export const examineRedis = ({ rateLimitStore, redisUrl }: Settings): Effect.Effect<ReadonlyArray<Examined>> => {
  if (rateLimitStore !== "redis" || redisUrl === undefined) return Effect.succeed([])
  const server = Result.getOrThrow(redisServerOf(Redacted.value(redisUrl)))
  const name = redisName(server)
  return lookAtRedis(server).pipe(
    Effect.map((facts) => [judged(name, facts)]),
    Effect.catch(({ reason }) =>
      Effect.succeed([
        {
          check,
          says: `${name}: ${reason}`,
          remedy: `start it, or mend COMMERCE_REDIS_URL: host, port, user, password, database; ${unreached}`
        }
      ])
    )
  )
}
