/**
 * What a transaction went by turns out not to be so any more: it is taken back, and tried again as after a deadlock.
 */
import { Effect } from "effect"
import { SqlError } from "effect/sql"

/** Inside `Database.write` or `Database.platform`, not in a host's transaction, which is not tried again. */
export const tryAgain = (reason: string): Effect.Effect<never> =>
  Effect.die(
    new SqlError.SqlError({
      reason: new SqlError.SerializationError({ cause: new Error(reason), message: reason, operation: "write" })
    })
  )
