/**
 * How long the log of mails is kept: thirty days, as events are, whatever their status. Mails hold names, addresses and
 * purchases; nobody looks for one after a month, and a mail that could not be sent in a month is obsolete.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { removedInTurn } from "../database/StoreTurns.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"

/** Milliseconds. */
export const keptMillis = 30 * 86_400_000

/** Mails removed by one transaction. */
const batch = 500

export class MailRetention extends Context.Service<MailRetention>()("@effect-commerce/core/email/MailRetention", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const messages = yield* EmailMessageRepository

    const sweepSome = Effect.fnUntraced(function* (storeId: string, before: Date, after: bigint) {
      const { last, unsent } = yield* database.write(storeId)(
        messages.removeOlder(storeId, { after, before, most: batch })
      )
      if (unsent > 0)
        yield* Effect.annotateLogs(Effect.logWarning("Mails that never left were removed"), { storeId, unsent })
      return last
    })

    return {
      /** Removes older mails, in batches. Any number of processes may run it. */
      sweep: Effect.gen(function* () {
        const before = new Date((yield* Clock.currentTimeMillis) - keptMillis)
        yield* removedInTurn("Sweeping old mails", messages.storesWithOlder(before), (storeId, after) =>
          sweepSome(storeId, before, after)
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
