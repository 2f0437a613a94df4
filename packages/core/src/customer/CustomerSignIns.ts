/**
 * Customers who sign in without a password, for the room that knows who they are: they are created, or their address
 * counts as proved, and they get a token. Everything but `answer` runs inside the caller's write. The rules of a store
 * that requires verification are those of CustomerAccounts.
 */
import { Context, Effect, Layer } from "effect"
import { makeId } from "../kernel/Ids.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CustomerState } from "./Customer.ts"
import { signedUp } from "./CustomerEvents.ts"
import { CustomerRepository } from "./CustomerRepository.ts"
import { CustomerTokenRepository } from "./CustomerTokenRepository.ts"
import { CustomerTokens } from "./CustomerTokens.ts"
import { toAuthResult } from "./CustomerView.ts"
import { Mailboxes } from "./Mailboxes.ts"
import { makeMailedTokens, type Visit } from "./MailedTokens.ts"

/** Who signs up without a password. `email` is normalised. */
export type SignUp = Pick<CustomerState, "email" | "firstName" | "lastName" | "emailVerified">

const waitsFor = (store: StoreContext, emailVerified: boolean): boolean =>
  store.customerVerification === "required" && !emailVerified

export class CustomerSignIns extends Context.Service<CustomerSignIns>()(
  "@effect-commerce/core/customer/CustomerSignIns",
  {
    make: Effect.gen(function* () {
      const repository = yield* CustomerRepository
      const tokens = yield* CustomerTokens
      const outbox = yield* Outbox
      const mailboxes = yield* Mailboxes
      const { mailWith } = yield* makeMailedTokens

      /** Creates the customer. An address that is not verified gets the mail that verifies it. */
      const create = Effect.fnUntraced(function* (
        store: StoreContext,
        visit: Visit,
        { email, emailVerified, firstName, lastName }: SignUp,
        now: Date
      ) {
        const announced = !waitsFor(store, emailVerified)
        const customer: CustomerState = {
          id: makeId("cust", now.getTime()),
          email,
          firstName,
          lastName,
          phone: null,
          passwordHash: null,
          passwordVersion: 1,
          emailVerified,
          acceptsMarketing: false,
          birthMonth: null,
          birthDay: null,
          locale: visit.locale,
          announced,
          createdAt: now,
          updatedAt: now,
          addresses: []
        }
        yield* repository.insert(store.id, { ...customer, referralCode: null, privacyPolicyAcceptedAt: null })
        if (emailVerified) {
          const before = { ...customer, announced: false }
          yield* mailboxes.proved(store, { before, after: customer }, { salesChannelId: visit.channelId, now })
          return customer
        }
        const mail = yield* mailWith(store, visit, customer, "verification")
        yield* outbox.appendAll(store.id, [...(announced ? signedUp(customer) : []), ...mail])
        return customer
      })

      /**
       * The customer, who is locked, as they are after signing in: verified, where the address was proved now, and
       * announced, where that was awaited.
       */
      const signedIn = Effect.fnUntraced(function* (
        store: StoreContext,
        { channelId, locale }: Visit,
        customer: CustomerState,
        isProved: boolean,
        now: Date
      ) {
        if (locale !== null && locale !== customer.locale && store.languages.includes(locale))
          yield* repository.setLocale(store.id, customer.id, locale)
        if (isProved)
          return yield* Effect.orDie(mailboxes.prove(store, customer.id, { salesChannelId: channelId, now }))
        if (customer.announced || waitsFor(store, customer.emailVerified)) return customer
        const changed = yield* Effect.orDie(repository.update(store.id, customer.id, { announced: true }, now))
        const after = changed ?? customer
        yield* outbox.appendAll(store.id, signedUp(after))
        return after
      })

      /** A token, or none where the address must be verified first. */
      const answer = (store: StoreContext, channelId: string, customer: CustomerState) =>
        waitsFor(store, customer.emailVerified)
          ? Effect.succeed(toAuthResult(customer, undefined))
          : Effect.map(tokens.issue(store.id, channelId, customer), (issued) => toAuthResult(customer, issued))

      return {
        create,
        signedIn,
        answer,
        find: repository.find,
        findByEmail: repository.findByEmail,
        lock: repository.lock
      }
    })
  }
) {
  static readonly layer = Layer.effect(CustomerSignIns, CustomerSignIns.make).pipe(
    Layer.provide([CustomerRepository.layer, CustomerTokenRepository.layer])
  )
}
