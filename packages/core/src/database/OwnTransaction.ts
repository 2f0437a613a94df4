/**
 * Every use case that calls out over the network begins with this check. It fails inside a host's open
 * transaction: the host's ROLLBACK would undo what was written about the call, but not the call.
 */
import { Effect } from "effect"
import { JoinedTransaction } from "../kernel/JoinedTransaction.ts"
import { NeedsOwnTransaction } from "./DatabaseErrors.ts"

/**
 * Dies with NeedsOwnTransaction inside a host's transaction. `operation` is the subject of the sentence: "a payment
 * through stripe".
 */
export const refuseInHostTransaction = (operation: string): Effect.Effect<void> =>
  Effect.flatMap(JoinedTransaction, (joined) =>
    joined ? Effect.die(new NeedsOwnTransaction({ operation })) : Effect.void
  )
