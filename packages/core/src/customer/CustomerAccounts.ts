/**
 * Accounts of customers: signing up, in and out, and everything that needs a password. Hashing happens before a
 * transaction is opened; the statement that acts on a verified password or token checks it again, so that of two
 * concurrent calls one succeeds. In a store with `customerVerification: required` an account can sign in only once its
 * e-mail address is confirmed, and customer.created is emitted only then.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { trimmedText } from "../kernel/GivenText.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import { makeId } from "../kernel/Ids.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type CustomerState, referralCodeOf } from "./Customer.ts"
import { CustomerCredentialsRejected } from "./CustomerErrors.ts"
import { signedUp } from "./CustomerEvents.ts"
import type { ChangePassword, Credentials, Registration } from "./CustomerInput.ts"
import { PasswordHashes } from "../identity/PasswordHashes.ts"
import { CustomerRepository } from "./CustomerRepository.ts"
import { Customers, checkBirthday } from "./Customers.ts"
import { CustomerTokenRepository } from "./CustomerTokenRepository.ts"
import { CustomerTokens } from "./CustomerTokens.ts"
import { toAuthResult } from "./CustomerView.ts"
import { makeMailedTokens, type Visit } from "./MailedTokens.ts"

export class CustomerAccounts extends Context.Service<CustomerAccounts>()(
  "@effect-commerce/core/customer/CustomerAccounts",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* CustomerRepository
      const mailTokens = yield* CustomerTokenRepository
      const passwords = yield* PasswordHashes
      const customers = yield* Customers
      const tokens = yield* CustomerTokens
      const outbox = yield* Outbox
      const { mailWith, ...mailed } = yield* makeMailedTokens

      const signedIn = (store: StoreContext, channelId: string, customer: CustomerState) =>
        Effect.map(tokens.issue(store.id, channelId, customer), (issued) => toAuthResult(customer, issued))

      const register = Effect.fn("CustomerAccounts.register")(function* (
        store: StoreContext,
        visit: Visit,
        input: Registration
      ) {
        yield* checkBirthday(input)
        const passwordHash = yield* passwords.hash(store.id, input.password)
        const now = yield* Clock.currentTimeMillis
        const waits = store.customerVerification === "required"
        const customer = newCustomer(input, { passwordHash, announced: !waits, locale: visit.locale }, now)
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
              waits ? yield* mailWith(store, visit, customer, "verification") : signedUp(customer)
            )
          })
        )
        return waits ? toAuthResult(customer, undefined) : yield* signedIn(store, visit.channelId, customer)
      })

      const login = Effect.fn("CustomerAccounts.login")(function* (
        store: StoreContext,
        { channelId, locale }: Visit,
        { email, password }: Credentials
      ) {
        const customer = yield* repository.findByEmail(store.id, normaliseEmail(email))
        const matches = yield* passwords.matches(store.id, password, customer?.passwordHash ?? null)
        if (customer === undefined || !matches) return yield* new CustomerCredentialsRejected()
        if (store.customerVerification === "required" && !customer.emailVerified)
          return toAuthResult(customer, undefined)
        // Signed up while verification was required, which it no longer is: customer.created is emitted now.
        if (!customer.announced) yield* announce(store, customer)
        if (locale !== null && locale !== customer.locale && store.languages.includes(locale))
          yield* database.write(store.id)(repository.setLocale(store.id, customer.id, locale))
        return yield* signedIn(store, channelId, customer)
      })

      /** Of several concurrent calls for one customer, only the first emits the event. */
      const announce = (store: StoreContext, { id }: CustomerState) =>
        database.write(store.id)(
          Effect.gen(function* () {
            yield* repository.lock(store.id, id)
            const customer = yield* repository.find(store.id, id)
            if (customer === undefined || customer.announced) return
            yield* Effect.orDie(repository.update(store.id, id, { announced: true }, customer.updatedAt))
            yield* outbox.appendAll(store.id, signedUp(customer))
          })
        )

      /** The customer, if this is their password. */
      const confirmed = Effect.fnUntraced(function* (store: StoreContext, customerId: string, password: string) {
        const customer = yield* repository.find(store.id, customerId)
        const matches = yield* passwords.matches(store.id, password, customer?.passwordHash ?? null)
        return customer !== undefined && matches ? customer : yield* new CustomerCredentialsRejected()
      })

      /** Revokes every token of the customer, including the one presented. */
      const changePassword = Effect.fn("CustomerAccounts.changePassword")(function* (
        store: StoreContext,
        customerId: string,
        input: ChangePassword
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
        ...mailed,
        changePassword,
        close
      }
    })
  }
) {
  static readonly layer = Layer.effect(CustomerAccounts, CustomerAccounts.make).pipe(
    Layer.provide([CustomerRepository.layer, CustomerTokenRepository.layer])
  )
}

const newCustomer = (
  input: Registration,
  made: Pick<CustomerState, "passwordHash" | "announced" | "locale">,
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
