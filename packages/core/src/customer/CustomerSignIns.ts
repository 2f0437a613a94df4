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
import { customerCreated, customerSnapshot, customerUpdated } from "./CustomerEvents.ts"
import { CustomerPasswords } from "./CustomerPasswords.ts"
import { CustomerRepository } from "./CustomerRepository.ts"
import { CustomerTokenRepository } from "./CustomerTokenRepository.ts"
import { CustomerTokens } from "./CustomerTokens.ts"
import { toAuthResult } from "./CustomerView.ts"
import { makeMailedTokens } from "./MailedTokens.ts"

/** Who signs up without a password. `email` is normalised. */
export interface SignUp extends Pick<CustomerState, "email" | "firstName" | "lastName" | "emailVerified"> {
  readonly salesChannelId: string
}

const waitsFor = (store: StoreContext, emailVerified: boolean): boolean =>
  store.customerVerification === "required" && !emailVerified

export class CustomerSignIns extends Context.Service<CustomerSignIns>()(
  "@effect-commerce/core/customer/CustomerSignIns",
  {
    make: Effect.gen(function* () {
      const repository = yield* CustomerRepository
      const tokens = yield* CustomerTokens
      const outbox = yield* Outbox
      const { mailWith } = yield* makeMailedTokens

      /** Creates the customer. An address that is not verified gets the mail that verifies it. */
      const create = Effect.fnUntraced(function* (
        store: StoreContext,
        { salesChannelId, email, emailVerified, firstName, lastName }: SignUp,
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
          announced,
          createdAt: now,
          updatedAt: now,
          addresses: []
        }
        yield* repository.insert(store.id, { ...customer, referralCode: null, privacyPolicyAcceptedAt: null })
        const mail = emailVerified ? [] : yield* mailWith(store, salesChannelId, customer, "verification")
        yield* outbox.appendAll(store.id, [
          ...(announced ? [customerCreated.of(customerSnapshot(customer))] : []),
          ...mail
        ])
        return customer
      })

      /**
       * The customer, who is locked, as they are after signing in: verified, where the address was proved now, and
       * announced, where that was awaited.
       */
      const signedIn = Effect.fnUntraced(function* (
        store: StoreContext,
        customer: CustomerState,
        isProved: boolean,
        now: Date
      ) {
        const emailVerified = customer.emailVerified || isProved
        const announced = customer.announced || !waitsFor(store, emailVerified)
        if (emailVerified === customer.emailVerified && announced === customer.announced) return customer
        const changed = yield* Effect.orDie(
          repository.update(store.id, customer.id, { emailVerified, announced }, now)
        )
        const after = changed ?? customer
        yield* outbox.append(store.id, customer.announced ? customerUpdated : customerCreated, customerSnapshot(after))
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
    Layer.provide([CustomerRepository.layer, CustomerTokenRepository.layer, CustomerPasswords.layer])
  )
}
