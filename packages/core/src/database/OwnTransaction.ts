/**
 * What asks somebody over the network begins with this: inside a host's open transaction it cannot be done, because
 * what was asked there could not be taken back when the host's ROLLBACK takes everything else.
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
