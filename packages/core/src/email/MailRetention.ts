/**
 * How long the record of mails is kept: thirty days, as events are, whatever became of them. Mails hold names,
 * addresses and what was bought; nobody looks for one after a month, and a mail that could not leave in a month says
 * nothing any more.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { EmailMessageRepository } from "./EmailMessageRepository.ts"

/** Milliseconds. */
export const keptMillis = 30 * 86_400_000

/** Mails removed by one transaction. */
const batch = 500

export class MailRetention extends Context.Service<
  MailRetention,
  {
    /** Removes what is older, in batches. Any number of processes may run it. */
    readonly sweep: Effect.Effect<void>
  }
>()("@effect-commerce/core/email/MailRetention") {
  static readonly layer = Layer.effect(
    MailRetention,
    Effect.gen(function* () {
      const database = yield* Database
      const messages = yield* EmailMessageRepository

      const sweepStore = (storeId: string, before: Date): Effect.Effect<void> =>
        Effect.flatMap(database.write(storeId)(messages.removeOlder(storeId, before, batch)), ({ removed, unsent }) => {
          const rest = removed === batch ? sweepStore(storeId, before) : Effect.void
          return unsent === 0
            ? rest
            : Effect.andThen(
                Effect.annotateLogs(Effect.logWarning("Mails that never left were removed"), { storeId, unsent }),
                rest
              )
        })

      const sweep = Effect.gen(function* () {
        const before = new Date((yield* Clock.currentTimeMillis) - keptMillis)
        yield* Effect.forEach(yield* messages.storesWithOlder(before), (storeId) => sweepStore(storeId, before), {
          discard: true
        })
      })

      return MailRetention.of({ sweep })
    })
  )
}
