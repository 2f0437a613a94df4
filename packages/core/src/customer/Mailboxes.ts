/**
 * Proofs that a mailbox is a customer's: the link of a verification mail, the link of a mail for a new password, or a
 * login provider that vouches for the address. All of them end here, so that each has the same consequences: the
 * address is verified, customer.created is emitted if it was not before, and the rooms above give the customer what was
 * kept under the address. What a merchant writes into a profile is no proof.
 */
import { Context, Effect, Layer } from "effect"
import { Outbox } from "../outbox/Outbox.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CustomerState } from "./Customer.ts"
import { CustomerNotFound } from "./CustomerErrors.ts"
import { customerSnapshot, customerUpdated, signedUp } from "./CustomerEvents.ts"
import { CustomerRepository } from "./CustomerRepository.ts"
import { MailboxProofs, type ProofPlace } from "./MailboxProofs.ts"

export class Mailboxes extends Context.Service<Mailboxes>()("@effect-commerce/core/customer/Mailboxes", {
  make: Effect.gen(function* () {
    const repository = yield* CustomerRepository
    const proofs = yield* MailboxProofs
    const outbox = yield* Outbox

    /** What follows once the proof is recorded: `before` and `after` are the customer before and after that. */
    const proved = Effect.fnUntraced(function* (
      store: StoreContext,
      { before, after }: { readonly before: CustomerState; readonly after: CustomerState },
      place: ProofPlace
    ) {
      if (!before.announced) yield* outbox.appendAll(store.id, signedUp(after))
      else if (!before.emailVerified) yield* outbox.append(store.id, customerUpdated, customerSnapshot(after))
      yield* Effect.forEach(proofs, (give) => give(store, after, place), { discard: true })
    })

    return {
      proved,
      /**
       * Records that the customer's present address is theirs, and returns the customer. Inside `Database.write`; the
       * customer is locked before anything else.
       */
      prove: Effect.fnUntraced(function* (store: StoreContext, id: string, place: ProofPlace) {
        yield* repository.lock(store.id, id)
        const before = yield* repository.find(store.id, id)
        if (before === undefined) return yield* new CustomerNotFound({ id })
        const isKnown = before.emailVerified && before.announced
        const after = isKnown
          ? before
          : yield* Effect.orDie(repository.update(store.id, id, { emailVerified: true, announced: true }, place.now))
        if (after === undefined) return yield* new CustomerNotFound({ id })
        yield* proved(store, { before, after }, place)
        return after
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Mailboxes, Mailboxes.make).pipe(Layer.provide(CustomerRepository.layer))
}
