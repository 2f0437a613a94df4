/** The stores of rate limits, each opened as two processes of one installation have it, with a clock that tests move. */
import { createClient } from "@redis/client"
import { Clock, Effect, Exit, Layer, Logger, Result, Scope } from "effect"
import { RootSecret } from "../../src/crypto/RootSecret.ts"
import { Database } from "../../src/database/Database.ts"
import { RateLimits, type RateWindow } from "../../src/guard/RateLimits.ts"
import { redisServerOf } from "../../src/guard/RedisServer.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

export type Counting = RateLimits["Service"]

/** Ten seconds into a minute and an hour. */
export const noon = Date.UTC(2030, 0, 1, 12) + 10_000

export const minute = 60_000

export const window = (bucket: string, limit: number, more: Partial<RateWindow> = {}): RateWindow => ({
  bucket,
  limit,
  ms: minute,
  ...more
})

let now = noon
const system = Effect.runSync(Clock.Clock)
const nanos = () => BigInt(now) * 1_000_000n
const clock: Clock.Clock = {
  currentTimeMillisUnsafe: () => now,
  currentTimeMillis: Effect.sync(() => now),
  currentTimeNanosUnsafe: nanos,
  currentTimeNanos: Effect.sync(nanos),
  monotonicTimeNanosUnsafe: () => system.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: system.monotonicTimeNanos,
  sleep: (duration) => system.sleep(duration)
}
export const moveTo = (millis: number): void => {
  now = millis
}
/** Under the tests' clock. */
export const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.provideService(effect, Clock.Clock, clock))

export const take = (limits: Counting, ...windows: ReadonlyArray<RateWindow>) => run(limits.take(windows))

type Shared = Layer.Layer<RateLimits, never, Database | RootSecret>

export const layerRedis = (url: string): Shared => RateLimits.layerRedis(Result.getOrThrow(redisServerOf(url)))

export interface Opened {
  readonly limits: Counting
  readonly sql: Database["Service"]["sql"]
  readonly write: Database["Service"]["write"]
}

export interface Installation {
  readonly database: TestDatabase.TestDatabaseMethods
  /** One process of it. `log` gets each line. */
  readonly open: (store: Shared, log?: Array<string>, secret?: typeof TestDatabase.testSecret) => Promise<Opened>
  /** Ends its processes. */
  readonly end: () => Promise<void>
  readonly close: () => Promise<void>
}

export const openInstallation = async (): Promise<Installation> => {
  const database = await TestDatabase.open()
  const opened: Array<() => Promise<void>> = []
  const end = async () => {
    for (const one of opened.splice(0)) await one()
  }
  return {
    database,
    open: async (store, log = [], secret = TestDatabase.testSecret) => {
      const scope = await Effect.runPromise(Scope.make())
      const logger = Logger.make(({ message }) => void log.push([message].flat().join(" ")))
      const layer = store.pipe(
        Layer.provideMerge(Layer.merge(Database.layer(database.connection), RootSecret.layer(secret))),
        Layer.provideMerge(Logger.layer([logger]))
      )
      const services = await Effect.runPromise(Scope.provide(Layer.build(layer), scope))
      opened.push(() => Effect.runPromise(Scope.close(scope, Exit.void)))
      const found = await Effect.runPromise(
        Effect.provideContext(Effect.all({ limits: RateLimits, database: Database }), services)
      )
      return { limits: found.limits, sql: found.database.sql, write: found.database.write }
    },
    end,
    close: async () => {
      await end()
      await database.close()
    }
  }
}

/** A client of the test's own. */
export const lookInto = async (url: string) => {
  const client = createClient({ url })
  client.on("error", () => undefined)
  await client.connect()
  return client
}
