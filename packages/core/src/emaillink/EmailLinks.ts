/**
 * What the links of mails do: who unsubscribes gets no marketing mail of the store any more, and a customer's agreement
 * to them is taken back; a counted link counts and leads on. A link does the same however often it is followed.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Customers } from "../customer/Customers.ts"
import { Database } from "../database/Database.ts"
import { EmailLinkUnknown } from "./EmailLinkErrors.ts"
import { EmailLinkRepository } from "./EmailLinkRepository.ts"
import { MailLinkTokens } from "./MailLinkTokens.ts"
import { Suppressions } from "./Suppressions.ts"

export class EmailLinks extends Context.Service<EmailLinks>()("@effect-commerce/core/emaillink/EmailLinks", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* EmailLinkRepository
    const customers = yield* Customers
    const suppressions = yield* Suppressions
    const links = yield* MailLinkTokens

    return {
      /** The language to ask in; undefined for a link that was not made here. */
      languageOf: (token: string) => Effect.map(links.subscriber(token), (subscriber) => subscriber?.language),

      /** Does nothing for a link that was not made here: the answer is the same, so that none can be guessed. */
      unsubscribe: Effect.fn("EmailLinks.unsubscribe")(function* (token: string) {
        const subscriber = yield* links.subscriber(token)
        if (subscriber === undefined) return
        const { storeId, email } = subscriber
        const at = new Date(yield* Clock.currentTimeMillis)
        yield* database.write(storeId)(
          Effect.gen(function* () {
            // A customer is locked before anything that is kept of them.
            yield* customers.lockByEmail(storeId, email)
            // Who is suppressed stays so since the first time: a mail that was made since then was a mistake.
            if (!(yield* suppressions.has(storeId, email))) yield* repository.suppress(storeId, email, at)
            yield* customers.setAcceptsMarketing(storeId, email, false)
          })
        )
      }),

      /** Where a counted link leads. A click of a mail that is not kept any more is not counted. */
      follow: Effect.fn("EmailLinks.follow")(function* (token: string) {
        const click = links.clicked(token)
        if (click === undefined) return yield* new EmailLinkUnknown()
        const at = new Date(yield* Clock.currentTimeMillis)
        yield* database
          .write(click.storeId)(repository.count(click.storeId, click, at))
          .pipe(Effect.catchCause((cause) => Effect.logError("A click could not be counted", cause)))
        return click.url
      })
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(EmailLinkRepository.layer))
}
