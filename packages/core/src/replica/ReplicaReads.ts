/**
 * Declares that a request may be answered by the read replica: with data that may be as old as the bound on its lag. A
 * request keeps to the order of time: it begins on the replica or on the primary, may go on from the replica to the
 * primary, and never the other way, so that no later statement of it sees an earlier state. Inside a transaction none
 * of this applies.
 */
import { Context, Effect } from "effect"

/** A request that the replica may answer. */
export interface ReplicaRequest {
  readonly storeId: string
  /** It has read from the primary: what follows is read there too. */
  isOnPrimary: boolean
}

export const CurrentReplicaRequest = Context.Reference<ReplicaRequest | undefined>(
  "@effect-commerce/core/replica/CurrentReplicaRequest",
  { defaultValue: () => undefined }
)

/** Statements of `read`, outside of transactions, go to the replica while it is fit to be read for this store. */
export const fromReplica =
  (storeId: string) =>
  <A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => Effect.provideService(read, CurrentReplicaRequest, { storeId, isOnPrimary: false }))

/** From here on the request reads from the primary: what it has found makes it write, or asks for the newest state. */
export const goToPrimary: Effect.Effect<void> = Effect.map(CurrentReplicaRequest, (request) => {
  if (request !== undefined) request.isOnPrimary = true
})
