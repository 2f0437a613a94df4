/**
 * Accounts of customers: signing up, in and out, and what is done with a password. Hashing happens before a transaction
 * is opened; what a password or a token proved is judged again by the statement that acts on it, so that of two at once
 * one succeeds. In a store with `customerVerification: required` an account signs in only once its e-mail address is
 * confirmed, and is told of (customer.created) only then.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { randomSecret, sha256Hex } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Database } from "../database/Database.ts"
import { trimmedText } from "../kernel/GivenText.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import type { NewEvent } from "../kernel/EventDefinition.ts"
import { makeId } from "../kernel/Ids.ts"
import { defaultLanguage, type StoreContext } from "../store/StoreContext.ts"
import { type CustomerFields, type CustomerState, referralCodeOf } from "./Customer.ts"
import { CustomerCredentialsRejected, CustomerTokenRejected } from "./CustomerErrors.ts"
import {
  customerCreated,
  customerSnapshot,
  customerUpdated,
  mailTokenContext,
  mailTokenLifetime,
  mailTokenPurpose,
  resetMailAsked,
  type TokenMail,
  verificationMailAsked
} from "./CustomerEvents.ts"
import { CustomerPasswords } from "./CustomerPasswords.ts"
import { CustomerRepository } from "./CustomerRepository.ts"
import { Customers, checkBirthday } from "./Customers.ts"
import { CustomerTokenRepository, type TokenPurpose } from "./CustomerTokenRepository.ts"
import { CustomerTokens } from "./CustomerTokens.ts"
import { toAuthResult } from "./CustomerView.ts"

export interface Registration extends CustomerFields {
  readonly email: string
  /** Judged by PasswordRules before it comes here. */
  readonly password: string
  readonly privacyPolicyAccepted?: boolean | undefined
  readonly referralCode?: unknown
}

/**
 * What asking for a mail takes at least, in milliseconds: longer than the work, so that an answer's time tells nobody
 * whether there is an account.
 */
const askingTime = 100

export class CustomerAccounts extends Context.Service<CustomerAccounts>()(
  "@effect-commerce/core/customer/CustomerAccounts",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* CustomerRepository
      const mailTokens = yield* CustomerTokenRepository
      const passwords = yield* CustomerPasswords
      const customers = yield* Customers
      const tokens = yield* CustomerTokens
      const secret = yield* RootSecret
      const outbox = yield* Outbox

      const signedIn = (store: StoreContext, channelId: string, customer: CustomerState) =>
        Effect.map(tokens.issue(store.id, channelId, customer), (issued) => toAuthResult(customer, issued))

      /**
       * Keeps a token's hash, and answers what the mail is made from: nothing where the customer, who is held, has as
       * many as there may be. Inside a write.
       */
      const mailWith = Effect.fnUntraced(function* (
        store: StoreContext,
        channelId: string,
        customer: CustomerState,
        purpose: TokenPurpose
      ) {
        const now = yield* Clock.currentTimeMillis
        const token = randomSecret("", 32)
        const { id: customerId, email, firstName } = customer
        const expiresAt = new Date(now + mailTokenLifetime[purpose])
        if (
          !(yield* mailTokens.save(store.id, {
            customerId,
            email,
            purpose,
            hash: sha256Hex(token),
            expiresAt,
            now: new Date(now)
          }))
        )
          return []
        const sealed = secret.seal(mailTokenPurpose, mailTokenContext(store.id, customerId), token)
        const mail: TokenMail = {
          customerId,
          email,
          firstName,
          language: defaultLanguage(store),
          salesChannelId: channelId,
          token: sealed
        }
        return [(purpose === "reset" ? resetMailAsked : verificationMailAsked).of(mail)]
      })

      const register = Effect.fn("CustomerAccounts.register")(function* (
        store: StoreContext,
        channelId: string,
        input: Registration
      ) {
        yield* checkBirthday(input)
        const passwordHash = yield* passwords.hash(store.id, input.password)
        const now = yield* Clock.currentTimeMillis
        const waits = store.customerVerification === "required"
        const customer = newCustomer(input, { passwordHash, announced: !waits }, now)
        yield* database.write(store.id)(
          Effect.gen(function* () {
            const privacyPolicyAcceptedAt = input.privacyPolicyAccepted === true ? new Date(now) : null
            yield* repository.insert(store.id, {
              ...customer,
              referralCode: referralCodeOf(input.referralCode),
              privacyPolicyAcceptedAt
            })
            yield* outbox.appendAll(
              store.id,
              waits
                ? yield* mailWith(store, channelId, customer, "verification")
                : [customerCreated.of(customerSnapshot(customer))]
            )
          })
        )
        return waits ? toAuthResult(customer, undefined) : yield* signedIn(store, channelId, customer)
      })

      const login = Effect.fn("CustomerAccounts.login")(function* (
        store: StoreContext,
        channelId: string,
        { email, password }: { readonly email: string; readonly password: string }
      ) {
        const customer = yield* repository.findByEmail(store.id, normaliseEmail(email))
        const matches = yield* passwords.matches(store.id, password, customer?.passwordHash ?? null)
        if (customer === undefined || !matches) return yield* new CustomerCredentialsRejected()
        if (store.customerVerification === "required" && !customer.emailVerified)
          return toAuthResult(customer, undefined)
        // Signed up while verification was required, and it is not any more: now there is something to tell.
        if (!customer.announced) yield* announce(store, customer)
        return yield* signedIn(store, channelId, customer)
      })

      /** Of several that announce one customer at once, the first one tells. */
      const announce = (store: StoreContext, { id }: CustomerState) =>
        database.write(store.id)(
          Effect.gen(function* () {
            yield* repository.lock(store.id, id)
            const customer = yield* repository.find(store.id, id)
            if (customer === undefined || customer.announced) return
            yield* Effect.orDie(repository.update(store.id, id, { announced: true }, customer.updatedAt))
            yield* outbox.append(store.id, customerCreated, customerSnapshot(customer))
          })
        )

      /**
       * Customer first, token second, as everybody locks them; of several at once, one takes the token. Inside a write.
       */
      const holdAndTake = Effect.fnUntraced(function* (
        storeId: string,
        customerId: string,
        token: { readonly purpose: TokenPurpose; readonly tokenHash: string },
        now: Date
      ) {
        yield* repository.lock(storeId, customerId)
        if ((yield* mailTokens.take(storeId, token.purpose, token.tokenHash, now)) !== customerId)
          return yield* new CustomerTokenRejected()
      })

      const verifyEmail = Effect.fn("CustomerAccounts.verifyEmail")(function* (store: StoreContext, token: string) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const tokenHash = sha256Hex(token)
        yield* database.write(store.id)(
          Effect.gen(function* () {
            const id = yield* mailTokens.find(store.id, "verification", tokenHash, now)
            if (id === undefined) return yield* new CustomerTokenRejected()
            yield* holdAndTake(store.id, id, { purpose: "verification", tokenHash }, now)
            const before = yield* repository.find(store.id, id)
            const customer = yield* Effect.orDie(
              repository.update(store.id, id, { emailVerified: true, announced: true }, now)
            )
            if (before === undefined || customer === undefined) return yield* new CustomerTokenRejected()
            yield* mailTokens.drop(store.id, id, "verification")
            yield* outbox.appendAll(store.id, proved(before, customer))
          })
        )
      })

      /** Does the same for everybody as far as an onlooker can tell, and takes the same time. */
      const askMail = (store: StoreContext, channelId: string, given: string, purpose: TokenPurpose) => {
        const ask = Effect.gen(function* () {
          const customer = yield* repository.findByEmail(store.id, normaliseEmail(given))
          if (customer === undefined || (purpose === "verification" && customer.emailVerified)) return
          if (yield* repository.lock(store.id, customer.id))
            yield* outbox.appendAll(store.id, yield* mailWith(store, channelId, customer, purpose))
        })
        return Effect.asVoid(Effect.all([database.write(store.id)(ask), Effect.sleep(askingTime)], { concurrency: 2 }))
      }

      /** The mailbox is proved by the token, so its address counts as verified. Ends every token of the customer. */
      const resetPassword = Effect.fn("CustomerAccounts.resetPassword")(function* (
        store: StoreContext,
        token: string,
        newPassword: string
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const tokenHash = sha256Hex(token)
        // Asked before the costly work, and again by the statement that uses the token up.
        const owner = yield* mailTokens.find(store.id, "reset", tokenHash, now)
        if (owner === undefined) return yield* new CustomerTokenRejected()
        const hash = yield* passwords.hash(store.id, newPassword)
        yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* holdAndTake(store.id, owner, { purpose: "reset", tokenHash }, now)
            const before = yield* repository.find(store.id, owner)
            if (before === undefined) return yield* new CustomerTokenRejected()
            const after = yield* repository.setPassword(
              store.id,
              owner,
              { hash, version: before.passwordVersion, proved: true },
              now
            )
            if (after === undefined) return yield* new CustomerTokenRejected()
            yield* mailTokens.drop(store.id, owner)
            yield* outbox.appendAll(store.id, proved(before, after))
            yield* database.afterCommit(tokens.forget(store.id, owner))
          })
        )
      })

      /** The customer, where this is the password. */
      const confirmed = Effect.fnUntraced(function* (store: StoreContext, customerId: string, password: string) {
        const customer = yield* repository.find(store.id, customerId)
        const matches = yield* passwords.matches(store.id, password, customer?.passwordHash ?? null)
        return customer !== undefined && matches ? customer : yield* new CustomerCredentialsRejected()
      })

      /** Ends every token of the customer, the presented one too. */
      const changePassword = Effect.fn("CustomerAccounts.changePassword")(function* (
        store: StoreContext,
        customerId: string,
        input: { readonly currentPassword: string; readonly newPassword: string }
      ) {
        const { passwordVersion: version } = yield* confirmed(store, customerId, input.currentPassword)
        const hash = yield* passwords.hash(store.id, input.newPassword)
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* database.write(store.id)(
          Effect.gen(function* () {
            const changed = yield* repository.setPassword(store.id, customerId, { hash, version, proved: false }, now)
            if (changed === undefined) return yield* new CustomerCredentialsRejected()
            yield* mailTokens.drop(store.id, customerId, "reset")
            yield* database.afterCommit(tokens.forget(store.id, customerId))
          })
        )
      })

      /** Deletes the customer's own account. */
      const close = Effect.fn("CustomerAccounts.close")(function* (
        store: StoreContext,
        customerId: string,
        password: string
      ) {
        yield* confirmed(store, customerId, password)
        yield* customers.remove(store, customerId)
      })

      return {
        register,
        login,
        verifyEmail,
        /** Nothing happens, in the same time, where there is no such account or it is verified already. */
        resendVerification: (store: StoreContext, channelId: string, email: string) =>
          askMail(store, channelId, email, "verification"),
        /** Nothing happens, in the same time, where there is no such customer. */
        forgotPassword: (store: StoreContext, channelId: string, email: string) =>
          askMail(store, channelId, email, "reset"),
        resetPassword,
        changePassword,
        close
      }
    })
  }
) {
  static readonly layer = Layer.effect(CustomerAccounts, CustomerAccounts.make).pipe(
    Layer.provide([CustomerRepository.layer, CustomerTokenRepository.layer, CustomerPasswords.layer])
  )
}

const newCustomer = (
  input: Registration,
  made: { readonly passwordHash: string; readonly announced: boolean },
  now: number
): CustomerState => {
  const at = new Date(now)
  return {
    ...made,
    id: makeId("cust", now),
    email: normaliseEmail(input.email),
    firstName: trimmedText(input.firstName),
    lastName: trimmedText(input.lastName),
    phone: trimmedText(input.phone),
    passwordVersion: 1,
    emailVerified: false,
    acceptsMarketing: input.acceptsMarketing ?? false,
    birthMonth: input.birthMonth ?? null,
    birthDay: input.birthDay ?? null,
    createdAt: at,
    updatedAt: at,
    addresses: []
  }
}

/** What a proved mailbox means to others: a customer they have not heard of, a change, or nothing new. */
const proved = (before: CustomerState, after: CustomerState): ReadonlyArray<NewEvent> => {
  if (!before.announced) return [customerCreated.of(customerSnapshot(after))]
  return before.emailVerified ? [] : [customerUpdated.of(customerSnapshot(after))]
}
