/**
 * The database with a streaming replica beside it. Reads of requests that say so (ReplicaReads.ts) go to the replica
 * while it is fit; everything else, and everything while it is not, goes to the primary. It never has to be there: a
 * replica that lags, is away or is none is a line of the log, and is read again by itself once it is fit.
 */
import { Context, Effect, Latch, Layer } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { ConnectionOptions } from "../database/ConnectionOptions.ts"
import { Database, type DatabaseOptions, postgresDriver, readsOf } from "../database/Database.ts"
import { besideReplica } from "./internal/besideReplica.ts"
import { pause } from "./internal/realTime.ts"
import { replicaLook } from "./internal/replicaLook.ts"
import { lookEvery, type ReplicaState, ReplicaWatch } from "./internal/ReplicaWatch.ts"

export type { ReplicaState }

export interface ReplicaOptions {
  readonly connection: ConnectionOptions
  /** How far behind the primary the replica may be, milliseconds; 1,000 by default. */
  readonly maxLagMillis?: number | undefined
}

export const defaultMaxLag = 1_000
/** The most that `maxLagMillis` may be. */
export const mostLag = 60_000

export interface ReadReplicaMethods {
  /** Undefined: there is none. */
  readonly state: () => ReplicaState | undefined
  /**
   * The store's readers in this process see what is committed by now: they read from the primary until the replica has
   * it. For writes of merchants; those of shoppers come too often, and change nothing that the replica is read for.
   */
  readonly wrote: (storeId: string) => void
  /** Looks at both servers now; the process does so by itself every second. */
  readonly look: Effect.Effect<void>
}

export class ReadReplica extends Context.Reference<ReadReplicaMethods>("@effect-commerce/core/replica/ReadReplica", {
  defaultValue: () => ({ state: () => undefined, wrote: () => undefined, look: Effect.void })
}) {}

/**
 * Looks begin a second apart: with the bound on the lag, that is how old an answer may be. One that takes longer is
 * followed by the next at once, and so is one during or after which a connection was lost.
 */
const lookingAgain = (look: Effect.Effect<void>, lost: Latch.Latch): Effect.Effect<never> =>
  Effect.forever(
    Effect.suspend(() => {
      const next = globalThis.performance.now() + lookEvery
      const untilThen = Effect.suspend(() => pause(Math.max(0, next - globalThis.performance.now())))
      return Effect.andThen(Effect.andThen(lost.close, look), Effect.raceFirst(untilThen, lost.await))
    })
  )

/** `Database`, and the `ReadReplica` beside it. */
export const layer = (options: DatabaseOptions, { connection, maxLagMillis = defaultMaxLag }: ReplicaOptions) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const watch = new ReplicaWatch(maxLagMillis)
      const lost = yield* Latch.make(false)
      const primary = yield* postgresDriver(options)
      const { bounds, direct, maxConnections, statementLog } = options
      // Behind a pooler sessions begin bare, and so they do on the replica: it may have a pooler too.
      const copy = readsOf(yield* postgresDriver({ ...connection, bounds, direct, maxConnections, statementLog }))
      const database = yield* Database.make({
        ...primary,
        beside: besideReplica(copy, watch, Effect.asVoid(lost.open))
      })
      const look = replicaLook(readsOf(primary), copy, watch)
      yield* Effect.forkScoped(lookingAgain(look, lost))
      return Context.make(Database, database).pipe(
        Context.add(ReadReplica, {
          state: () => watch.state(globalThis.performance.now()),
          wrote: (storeId) => watch.wrote(storeId, globalThis.performance.now()),
          look
        })
      )
    })
  ).pipe(Layer.provide(Reactivity.layer))
