/** Reads in two lanes: those that are declared heavy (HeavyReads.ts), and all others. */
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { HeavyReadRefused } from "../DatabaseErrors.ts"
import { FairTurns } from "../FairTurns.ts"
import { HeavyReadOf } from "../HeavyReads.ts"
import type { Reads } from "../DatabaseDriver.ts"

/** Heavy reads of one store that may wait; a further one fails at once. */
export const heavyReadsWaiting = 50
/** How long a heavy read waits for its turn, milliseconds. */
const heavyReadPatience = 2_000

const tooSlow = (error: unknown): boolean => SqlError.isSqlError(error) && error.reason._tag === "StatementTimeoutError"

const explained = <A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catch(read, (error) =>
    tooSlow(error) ? Effect.die(new HeavyReadRefused({ reason: "slow" })) : Effect.fail(error)
  )

/** `connections` is the size of the heavy lane. Half of them, or the only one, may work for the same store. */
export const heavyTurns = (connections: number): FairTurns<HeavyReadRefused> => {
  const bounds = {
    atOnce: connections,
    ofOwner: Math.max(1, Math.floor(connections / 2)),
    waiting: heavyReadsWaiting,
    patience: heavyReadPatience
  }
  return new FairTurns(bounds, () => new HeavyReadRefused({ reason: "busy" }))
}

export const inTwoLanes = (light: Reads, heavy: Reads, turns: FairTurns<HeavyReadRefused>): Reads => ({
  // No heavy read uses streams.
  acquirer: light.acquirer,
  borrower: (use) =>
    Effect.flatMap(HeavyReadOf, (storeId) =>
      storeId === undefined
        ? light.borrower(use)
        : Effect.catch(turns.run(storeId)(explained(heavy.borrower(use))), (error) =>
            error instanceof HeavyReadRefused ? Effect.die(error) : Effect.fail(error)
          )
    )
})
