/** For rooms above: addresses that want no marketing mail any more, inside whatever transaction is open. */
import { Context, Effect, Layer } from "effect"
import { ConsentView } from "./ConsentView.ts"
import { EmailLinkRepository } from "./EmailLinkRepository.ts"

export class Suppressions extends Context.Service<Suppressions>()("@effect-commerce/core/emaillink/Suppressions", {
  make: Effect.gen(function* () {
    const repository = yield* EmailLinkRepository
    const consents = yield* ConsentView
    return {
      /** Those of these addresses, normalised, whose owners have unsubscribed. */
      among: consents.suppressed,
      has: (storeId: string, email: string) =>
        Effect.map(consents.suppressed(storeId, [email]), (found) => found.has(email)),
      /** Whether a marketing mail to the address is against what its owner has said as a customer. */
      isRefused: consents.isRefused,
      /** The owners of these addresses have asked for mails again. Inside `Database.write(storeId)`. */
      lift: repository.lift
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(
    Layer.provide([EmailLinkRepository.layer, ConsentView.layer])
  )
}
