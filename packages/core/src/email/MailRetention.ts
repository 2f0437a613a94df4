/**
 * How long the log of mails is kept: thirty days, as events are, whatever their status. Mails hold names, addresses and
 * purchases; nobody looks for one after a month, and a mail that could not be sent in a month is obsolete.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"

/** Milliseconds. */
export const keptMillis = 30 * 86_400_000

/** Mails removed by one transaction. */
const batch = 500

export class MailRetention extends Context.Service<MailRetention>()("@effect-commerce/core/email/MailRetention", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const messages = yield* EmailMessageRepository

    const sweepSome = Effect.fnUntraced(function* (storeId: string, before: Date) {
      const { removed, unsent } = yield* database.write(storeId)(messages.removeOlder(storeId, before, batch))
      if (unsent > 0)
        yield* Effect.annotateLogs(Effect.logWarning("Mails that never left were removed"), { storeId, unsent })
      return removed === batch
    })

    return {
      /** Removes older mails, in batches. Any number of processes may run it. */
      sweep: Effect.gen(function* () {
        const before = new Date((yield* Clock.currentTimeMillis) - keptMillis)
        yield* storesInTurn("Sweeping old mails", messages.storesWithOlder(before), (storeId) =>
          sweepSome(storeId, before)
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
