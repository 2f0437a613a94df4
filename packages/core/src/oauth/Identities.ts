/**
 * Whose account at a provider it is: the customer it is linked to, the one who is signed in and links it, the one with
 * the same address where both sides have verified it, or a new one. Everything happens in one transaction under the
 * customer's lock. What another transaction has changed meanwhile (the same account at once, a registration with the
 * address, a deletion) begins it again, and then it sees what came of that.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { CustomerSignIns } from "../customer/CustomerSignIns.ts"
import type { CustomerState } from "../customer/Customer.ts"
import { CustomerNotFound } from "../customer/CustomerErrors.ts"
import type { MailboxProof } from "../customer/MailboxProofs.ts"
import type { Visit } from "../customer/MailedTokens.ts"
import type { CustomerTrace } from "../customer/CustomerTraces.ts"
import { Database } from "../database/Database.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type Identity, type IdentityKey, IdentityRepository } from "./IdentityRepository.ts"
import { IdentityTaken, LinkRequired, SignInWithoutEmail } from "./OauthErrors.ts"
import type { ProviderProfile } from "./ProviderProfile.ts"

/** Another transaction has changed what this one went by. */
class SignInRaced extends Schema.TaggedError<SignInRaced>()("SignInRaced", {}) {}

/** Of one customer: nobody has more, and each is one more way into the account. */
const mostIdentities: StoreBound = { field: "linkedAccounts", most: 20, words: "linked accounts" }

/** Each begins with what the one before ran into, so that more are never needed. */
const mostTries = 5

export interface SignInRequest {
  readonly visit: Visit
  readonly provider: string
  readonly profile: ProviderProfile
  /** The customer who is signed in, if any. */
  readonly customerId: string | null
  /** That customer was signed in when the sign-in began, and has asked for the link. */
  readonly isLinkAsked: boolean
  /** That customer logged in shortly before the sign-in began: what `link_required` asks for. */
  readonly isJustLoggedIn: boolean
}

export class Identities extends Context.Service<Identities>()("@effect-commerce/core/oauth/Identities", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* IdentityRepository
    const customers = yield* CustomerSignIns

    const keyOf = ({ provider, profile: { issuer, subject } }: SignInRequest): IdentityKey => ({
      provider,
      issuer,
      subject
    })

    /** The customer, locked; they may be gone since they were found. */
    const locked = Effect.fnUntraced(function* (storeId: string, customerId: string) {
      if (!(yield* customers.lock(storeId, customerId))) return yield* new SignInRaced()
      return (yield* customers.find(storeId, customerId)) ?? (yield* new SignInRaced())
    })

    /**
     * A customer may have opened the account with an address that is not theirs. So only an identity that proves the
     * address outlasts the password, which the owner of the mailbox can replace.
     */
    const link = Effect.fnUntraced(function* (
      store: StoreContext,
      request: SignInRequest,
      customer: CustomerState,
      now: Date
    ) {
      yield* checkRoom(mostIdentities, yield* repository.countOf(store.id, customer.id))
      const isProved = provesAddress(request.profile, customer)
      const identity: Identity = {
        customerId: customer.id,
        untilPasswordVersion: isProved ? null : customer.passwordVersion
      }
      if (!(yield* repository.insert(store.id, keyOf(request), identity, now))) return yield* new SignInRaced()
      return yield* customers.signedIn(store, request.visit, customer, isProved, now)
    })

    /** The customer of an identity that there is; undefined where it has ended, and is deleted. */
    const ofIdentity = Effect.fnUntraced(function* (
      store: StoreContext,
      request: SignInRequest,
      { customerId, untilPasswordVersion }: Identity,
      now: Date
    ) {
      const customer = yield* locked(store.id, customerId)
      if (untilPasswordVersion !== null && untilPasswordVersion !== customer.passwordVersion) {
        yield* repository.remove(store.id, keyOf(request), customerId)
        return undefined
      }
      if (request.customerId !== null && request.customerId !== customerId)
        return yield* new IdentityTaken({ provider: request.provider })
      if (!(yield* repository.touch(store.id, keyOf(request), customerId, now))) return yield* new SignInRaced()
      return yield* customers.signedIn(store, request.visit, customer, provesAddress(request.profile, customer), now)
    })

    /**
     * Links to the customer who is signed in. Where the sign-in began without them, somebody else may have begun it,
     * with an account that merely names their address: it is linked where the provider vouches for the address, or
     * where they logged in just before it began, as a customer does who gets `link_required`.
     */
    const toSignedIn = Effect.fnUntraced(function* (
      store: StoreContext,
      request: SignInRequest,
      customerId: string,
      now: Date
    ) {
      const customer = yield* Effect.catchTag(locked(store.id, customerId), "SignInRaced", () =>
        Effect.fail(new CustomerNotFound({ id: customerId }))
      )
      const isAnswer = request.isJustLoggedIn && request.profile.email === customer.email
      if (!request.isLinkAsked && !isAnswer && !provesAddress(request.profile, customer))
        return yield* new LinkRequired({ provider: request.provider })
      return yield* link(store, request, customer, now)
    })

    const byAddress = Effect.fnUntraced(function* (store: StoreContext, request: SignInRequest, now: Date) {
      const { provider, profile, visit } = request
      const { email, emailVerified, firstName, lastName } = profile
      if (email === null) return yield* new SignInWithoutEmail({ provider })
      const known = yield* customers.findByEmail(store.id, email)
      if (known !== undefined) {
        const customer = yield* locked(store.id, known.id)
        if (customer.email !== email) return yield* new SignInRaced()
        if (!emailVerified || !customer.emailVerified) return yield* new LinkRequired({ provider })
        return yield* link(store, request, customer, now)
      }
      const made = yield* Effect.catchTag(
        customers.create(store, visit, { email, emailVerified, firstName, lastName }, now),
        "CustomerEmailTaken",
        () => Effect.fail(new SignInRaced())
      )
      const untilPasswordVersion = emailVerified ? null : made.passwordVersion
      const identity: Identity = { customerId: made.id, untilPasswordVersion }
      if (!(yield* repository.insert(store.id, keyOf(request), identity, now))) return yield* new SignInRaced()
      return made
    })

    const tried = (store: StoreContext, request: SignInRequest) =>
      database.write(store.id)(
        Effect.gen(function* () {
          const now = new Date(yield* Clock.currentTimeMillis)
          const identity = yield* repository.find(store.id, keyOf(request))
          const known = identity === undefined ? undefined : yield* ofIdentity(store, request, identity, now)
          if (known !== undefined) return known
          return request.customerId === null
            ? yield* byAddress(store, request, now)
            : yield* toSignedIn(store, request, request.customerId, now)
        })
      )

    /** The customer as they are after the sign-in. */
    const resolve = (store: StoreContext, request: SignInRequest) =>
      Effect.suspend(() => tried(store, request)).pipe(
        Effect.retry({ times: mostTries, while: (error) => error instanceof SignInRaced }),
        Effect.catchTag("SignInRaced", Effect.die)
      )

    return { resolve }
  })
}) {
  static readonly layer = Layer.effect(Identities, Identities.make).pipe(Layer.provide(IdentityRepository.layer))
}

/** The provider has verified the address that the customer has. */
const provesAddress = ({ email, emailVerified }: ProviderProfile, customer: CustomerState): boolean =>
  emailVerified && email === customer.email

/** The customer room's port: accounts at providers of a customer who is deleted are forgotten. */
export const forgottenIdentities = Effect.map(
  IdentityRepository,
  ({ forget }): CustomerTrace =>
    (storeId, { id }) =>
      forget(storeId, id)
).pipe(Effect.provide(IdentityRepository.layer))

/** The customer room's port: a mailbox that is proved by a new password leaves no identity that ended with the old. */
export const endedIdentities = Effect.map(
  IdentityRepository,
  ({ removeEnded }): MailboxProof =>
    ({ id: storeId }, { id, passwordVersion }) =>
      removeEnded(storeId, id, passwordVersion)
).pipe(Effect.provide(IdentityRepository.layer))
