/**
 * Retries transactions after serialization failures and deadlocks, once where this process was stopped for a while
 * and the database has ended its session before the commit was sent, and after nothing else.
 */
import { Cause, Effect, Random } from "effect"
import { SqlError } from "effect/sql"
import { isEndedWhileStopped } from "./pooledConnection.ts"

const mostRetries = 3
const firstPauseMillis = 10

/**
 * Runs a whole transaction, at most four times in all, with growing, jittered pauses. An SqlError that stays is a
 * defect.
 */
export const retryTransaction = <A, E, R>(
  transaction: Effect.Effect<A, E | SqlError.SqlError, R>,
  retried = 0
): Effect.Effect<A, E, R> =>
  Effect.catchCause(transaction, (cause) =>
    (retried < mostRetries && isTransient(cause)) || (retried === 0 && wasStopped(cause))
      ? Effect.flatMap(Random.nextBetween(0.5, 1.5), (jitter) =>
          Effect.andThen(
            pause(firstPauseMillis * 2 ** retried * jitter),
            retryTransaction<A, E, R>(transaction, retried + 1)
          )
        )
      : Effect.failCause(withoutSqlFailures(cause))
  )

/** In real time, whatever clock is provided: another process has to finish. */
const pause = (millis: number) =>
  Effect.callback<void>((resume) => {
    const timer = setTimeout(() => resume(Effect.void), millis)
    return Effect.sync(() => clearTimeout(timer))
  })

/** Repositories have turned their SqlErrors into defects by now, so both failures and defects are checked. */
const isTransient = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    return (
      SqlError.isSqlError(error) &&
      (error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError")
    )
  })

const wasStopped = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) =>
      (Cause.isFailReason(reason) && isEndedWhileStopped(reason.error)) ||
      (Cause.isDieReason(reason) && isEndedWhileStopped(reason.defect))
  )

/** Turns SqlErrors that were not mapped to domain errors into defects. */
export const sqlFailuresToDefects = <A, E, R>(
  self: Effect.Effect<A, E | SqlError.SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R> =>
  Effect.catchCause(self, (cause) => Effect.failCause(withoutSqlFailures(cause)))

const withoutSqlFailures = <E>(cause: Cause.Cause<E>): Cause.Cause<Exclude<E, SqlError.SqlError>> =>
  Cause.fromReasons(
    cause.reasons.map((reason) =>
      Cause.isFailReason(reason) && SqlError.isSqlError(reason.error)
        ? Cause.makeDieReason(reason.error).annotate(Cause.reasonAnnotations(reason))
        : (reason as Cause.Reason<Exclude<E, SqlError.SqlError>>)
    )
  )
