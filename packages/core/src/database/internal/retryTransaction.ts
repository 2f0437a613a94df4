/** Serialization failures and deadlocks are the database's way to say "once more"; nothing else is tried again. */
import { Cause, Effect, Random } from "effect"
import { SqlError } from "effect/sql"

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
    retried < mostRetries && isTransient(cause)
      ? Effect.flatMap(Random.nextBetween(0.5, 1.5), (jitter) =>
          Effect.andThen(
            pause(firstPauseMillis * 2 ** retried * jitter),
            retryTransaction<A, E, R>(transaction, retried + 1)
          )
        )
      : Effect.failCause(withoutSqlFailures(cause))
  )

/** In real time, whatever clock is provided: what is waited for is another process. */
const pause = (millis: number) =>
  Effect.callback<void>((resume) => {
    const timer = setTimeout(() => resume(Effect.void), millis)
    return Effect.sync(() => clearTimeout(timer))
  })

/** Repositories have turned their SqlErrors into defects by now, so both channels are looked at. */
const isTransient = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    return (
      SqlError.isSqlError(error) &&
      (error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError")
    )
  })

/** An SqlError that is no domain error by now is a defect. */
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
