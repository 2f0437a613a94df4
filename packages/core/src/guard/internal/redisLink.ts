/**
 * The connection of this process to its Redis, kept up for as long as the scope lives. While there is none, `take`
 * fails at once and costs nobody a wait. Any failure ends the connection, and a new one counts as reached once a
 * counter was written over it: a Redis that is loading, full, a replica or of another password is not reached.
 */
import { Deferred, Effect } from "effect"
import { redisName, type RedisServer } from "../RedisServer.ts"
import { answered, openRedis, type RedisClient, RedisSilent, silent } from "./redisClient.ts"
import type { CountedKey } from "./takeScript.ts"

export interface RedisLink {
  readonly take: (counted: ReadonlyArray<CountedKey>) => Effect.Effect<ReadonlyArray<number>, RedisSilent>
  /** Counts one more lift of a group. */
  readonly lift: (group: string, keptMillis: number) => Effect.Effect<void, RedisSilent>
  readonly isReached: () => boolean
}

/** Between two attempts to reach it. */
const retryMillis = 500
/** How often a connection is tried that nobody uses. */
const watchMillis = 1_000

interface Connection {
  readonly client: RedisClient
  /** From now on nobody uses it. */
  readonly lose: (error: RedisSilent) => void
}

/** `probe` begins the names of the counters for trying a connection. */
export const makeRedisLink = Effect.fnUntraced(function* (server: RedisServer, probe: string) {
  const name = redisName(server)
  const tried = yield* Deferred.make<void>()
  let connection: Connection | undefined
  /** Why it is not reached, as it was told last. */
  let told: string | undefined

  const found = Effect.suspend(() => {
    const again = told !== undefined
    told = undefined
    return again ? Effect.logInfo(`The Redis of the rate limits at ${name} answers again`) : Effect.void
  })
  const missed = ({ reason }: RedisSilent) => {
    if (reason === told) return Effect.void
    told = reason
    return Effect.logWarning(
      `The Redis of the rate limits at ${name} cannot be used: ${reason}. Until it can, each process counts for ` +
        `itself, and routes with a limit of their own are refused`
    )
  }

  /** A connection from its beginning to its end. */
  const connected: Effect.Effect<never, RedisSilent> = Effect.scoped(
    Effect.gen(function* () {
      const lost = yield* Deferred.make<never, RedisSilent>()
      const lose = (error: RedisSilent) => {
        // What was asked of an earlier connection may fail after its successor was opened.
        if (connection?.lose === lose) connection = undefined
        Deferred.doneUnsafe(lost, Effect.fail(error))
      }
      const client = yield* openRedis(server, lose)
      const tries = (...keys: ReadonlyArray<string>) =>
        answered(() => client.take(keys.map((key) => ({ key, limit: unreached, keptMillis: watchMillis, group: "" }))))
      const counts = tries(probe)
      yield* counts
      // Two of different slots: in cluster mode it does not count the counters of a request together.
      yield* tries(`${probe}:a`, `${probe}:b`)
      connection = { client, lose }
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          connection = undefined
        })
      )
      yield* found
      yield* Deferred.succeed(tried, undefined)
      const watched = Effect.forever(Effect.andThen(Effect.sleep(watchMillis), counts))
      return yield* Effect.raceFirst(Deferred.await(lost), watched)
    })
  )
  // A mistake of the client's is told like any other reason: nobody may wait for the first attempt for ever.
  const ended = Effect.catchDefect(connected, (defect) => Effect.fail(silent(defect)))
  const kept = Effect.flip(ended).pipe(
    Effect.flatMap(missed),
    Effect.andThen(Deferred.succeed(tried, undefined)),
    Effect.andThen(Effect.sleep(retryMillis)),
    Effect.forever
  )
  yield* Effect.forkScoped(kept)
  yield* Deferred.await(tried)

  const asked = <A>(ask: (client: RedisClient) => Promise<A>): Effect.Effect<A, RedisSilent> =>
    Effect.suspend(() => {
      const current = connection
      if (current === undefined) return Effect.fail(new RedisSilent({ reason: told ?? "it is being connected to" }))
      return Effect.tapError(
        answered(() => ask(current.client)),
        (error) => Effect.sync(() => current.lose(error))
      )
    })

  return {
    take: (counted) => asked((client) => client.take(counted)),
    lift: (group, keptMillis) => Effect.asVoid(asked((client) => client.increase(group, keptMillis))),
    isReached: () => connection !== undefined
  } satisfies RedisLink
})

/** Above every count. */
const unreached = 1_000_000_000
