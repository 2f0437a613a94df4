/** Statements outside of transactions, to the replica or the primary. */
import { Cause, Effect } from "effect"
import { SqlError } from "effect/sql"
import type { Reads } from "../../database/DatabaseDriver.ts"
import { HeavyReadRefused } from "../../database/DatabaseErrors.ts"
import { HeavyReadOf } from "../../database/HeavyReads.ts"
import { CurrentReplicaRequest, type ReplicaRequest } from "../ReplicaReads.ts"
import { within } from "./realTime.ts"
import type { ReplicaWatch } from "./ReplicaWatch.ts"

/** How long a read by key may take on the replica; one that is declared heavy has its bounds beside. */
const patienceMillis = 2_000
const heavyPatienceMillis = 6_000

const failures = (cause: Cause.Cause<unknown>): ReadonlyArray<unknown> =>
  cause.reasons.flatMap((reason) =>
    Cause.isFailReason(reason) ? [reason.error] : Cause.isDieReason(reason) ? [reason.defect] : []
  )

/** What the primary would answer no better: the caller has left, or the read costs too much. */
const isFinal = (cause: Cause.Cause<unknown>): boolean =>
  Cause.hasInterruptsOnly(cause) || failures(cause).some((failure) => failure instanceof HeavyReadRefused)

const isLost = (failure: unknown): boolean => SqlError.isSqlError(failure) && failure.reason._tag === "ConnectionError"

/** Of a request that has not read yet, where it begins. */
const mayAskReplica = (request: ReplicaRequest, watch: ReplicaWatch): boolean => {
  if (!request.isOnPrimary && !watch.serves(request.storeId, globalThis.performance.now())) request.isOnPrimary = true
  return !request.isOnPrimary
}

/**
 * What fails on the replica (a conflict with recovery, a lost connection, no answer in time) is asked of the primary
 * once more: a read changes nothing. Where a connection was lost, both servers are looked at now (`lookNow`): one
 * session may have been ended, or the replica be away.
 */
export const besideReplica =
  (replica: Reads, watch: ReplicaWatch, lookNow: Effect.Effect<void>) =>
  (primary: Reads): Reads => ({
    // No storefront reads a stream.
    acquirer: primary.acquirer,
    borrower: (use) => {
      const again = (request: ReplicaRequest, cause: Cause.Cause<unknown>) => {
        request.isOnPrimary = true
        watch.askedAgain()
        watch.answeredByPrimary()
        const looked = failures(cause).some(isLost) ? lookNow : Effect.void
        const told = Effect.logDebug("A read failed on the replica, and is asked of the primary", cause)
        return Effect.andThen(Effect.andThen(looked, told), primary.borrower(use))
      }
      return Effect.flatMap(Effect.all([CurrentReplicaRequest, HeavyReadOf]), ([request, heavy]) => {
        if (request === undefined) return primary.borrower(use)
        if (!mayAskReplica(request, watch)) {
          watch.answeredByPrimary()
          return primary.borrower(use)
        }
        const patience = heavy === undefined ? patienceMillis : heavyPatienceMillis
        const read = Effect.tap(replica.borrower(use), () => Effect.sync(() => watch.answeredByReplica()))
        return Effect.catchCause(within(patience)(read), (cause) =>
          isFinal(cause) ? Effect.failCause(cause as Cause.Cause<never>) : again(request, cause)
        )
      })
    }
  })
