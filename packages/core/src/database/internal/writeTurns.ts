/**
 * Who may open the next write transaction. A transaction has a connection to itself, and one that waits for a lock
 * keeps it: so a store has at most three quarters of the connections at a time, and the stores that wait are served
 * round robin, however many writes one of them brings.
 */
import { Effect, PartitionedSemaphore, Semaphore } from "effect"

interface Share {
  readonly permits: Semaphore.Semaphore
  /** Writes under way or waiting. */
  users: number
}

/** The most write transactions that one store has open at a time, of so many connections. */
export const shareOf = (connections: number): number => Math.max(1, Math.floor((connections * 3) / 4))

export const makeWriteTurns = (connections: number) => {
  const turns = PartitionedSemaphore.makeUnsafe<string>({ permits: connections })
  const shares = new Map<string, Share>()

  const enter = (storeId: string): Share => {
    const share = shares.get(storeId) ?? { permits: Semaphore.makeUnsafe(shareOf(connections)), users: 0 }
    shares.set(storeId, share)
    share.users += 1
    return share
  }
  const leave = (storeId: string, share: Share): void => {
    share.users -= 1
    if (share.users === 0) shares.delete(storeId)
  }

  return (storeId: string) =>
    <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.acquireUseRelease(
        Effect.sync(() => enter(storeId)),
        ({ permits }) => permits.withPermit(turns.withPermit(storeId)(transaction)),
        (share) => Effect.sync(() => leave(storeId, share))
      )
}
