/**
 * The use cases of customers that need no password: created, read, changed and deleted by the merchant, and the profile
 * that a signed-in customer edits. Each change writes one event, with the customer as it then is.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { nextVersion } from "../database/Precondition.ts"
import { orFail } from "../database/Repository.ts"
import { trimmedText } from "../kernel/GivenText.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import { makeId } from "../kernel/Ids.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { birthdayProblem, type CustomerFields, type CustomerState } from "./Customer.ts"
import { CustomerNotFound } from "./CustomerErrors.ts"
import type { CustomerInput, CustomerPatch } from "./CustomerInput.ts"
import { customerCreated, customerDeleted, customerSnapshot, customerUpdated, signedUp } from "./CustomerEvents.ts"
import { type CustomerChanges, CustomerRepository } from "./CustomerRepository.ts"
import { CustomerTokenRepository } from "./CustomerTokenRepository.ts"
import { CustomerTraces } from "./CustomerTraces.ts"
import { CustomerTokens } from "./CustomerTokens.ts"
import { toCustomerView, toPrefill } from "./CustomerView.ts"

export class Customers extends Context.Service<Customers>()("@effect-commerce/core/customer/Customers", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* CustomerRepository
    const mailTokens = yield* CustomerTokenRepository
    const tokens = yield* CustomerTokens
    const traces = yield* CustomerTraces
    const outbox = yield* Outbox

    const find = (storeId: string, id: string) =>
      orFail(repository.find(storeId, id), () => new CustomerNotFound({ id }))

    /** A customer without a password: one can be chosen by `forgot-password`. */
    const create = Effect.fn("Customers.create")(function* (store: StoreContext, input: CustomerInput) {
      yield* checkBirthday(input)
      const now = yield* Clock.currentTimeMillis
      const at = new Date(now)
      const customer: CustomerState = {
        id: makeId("cust", now),
        email: normaliseEmail(input.email),
        firstName: trimmedText(input.firstName),
        lastName: trimmedText(input.lastName),
        phone: trimmedText(input.phone),
        passwordHash: null,
        passwordVersion: 1,
        emailVerified: input.emailVerified ?? false,
        acceptsMarketing: input.acceptsMarketing ?? false,
        birthMonth: input.birthMonth ?? null,
        birthDay: input.birthDay ?? null,
        announced: true,
        locale: null,
        createdAt: at,
        updatedAt: at,
        addresses: []
      }
      yield* database.write(store.id)(
        Effect.andThen(
          repository.insert(store.id, { ...customer, referralCode: null, privacyPolicyAcceptedAt: null }),
          outbox.append(store.id, customerCreated, customerSnapshot(customer))
        )
      )
      return toCustomerView(customer)
    })

    /** A new e-mail address counts as not verified by default, and revokes the tokens sent to the old one. */
    const update = Effect.fn("Customers.update")(function* (
      store: StoreContext,
      id: string,
      { email, emailVerified, ...fields }: CustomerPatch
    ) {
      yield* checkBirthday(fields)
      const now = yield* Clock.currentTimeMillis
      const changed = yield* database.write(store.id)(
        Effect.gen(function* () {
          const before = email === undefined && emailVerified === undefined ? undefined : yield* held(store.id, id)
          const moved =
            before === undefined || email === undefined
              ? undefined
              : yield* movedTo(store.id, before, normaliseEmail(email))
          const verified =
            emailVerified === undefined ? {} : { emailVerified, announced: emailVerified || before?.announced }
          const customer = yield* repository.update(
            store.id,
            id,
            { ...toChanges(fields), ...moved, ...verified },
            new Date(now)
          )
          if (customer === undefined) return yield* new CustomerNotFound({ id })
          const announces = before !== undefined && !before.announced && customer.announced
          yield* announces
            ? outbox.appendAll(store.id, signedUp(customer))
            : outbox.append(store.id, customerUpdated, customerSnapshot(customer))
          if (moved !== undefined) yield* database.afterCommit(tokens.forget(store.id, id))
          return customer
        })
      )
      return toCustomerView(changed)
    })

    const held = (storeId: string, id: string) =>
      Effect.andThen(repository.lock(storeId, id), repository.find(storeId, id))

    /** The effect of a new address: it is not verified yet, and tokens sent to the old mailbox are revoked. */
    const movedTo = (storeId: string, before: CustomerState, email: string) =>
      before.email === email
        ? Effect.undefined
        : Effect.as(mailTokens.drop(storeId, before.id), { email, emailVerified: false })

    /**
     * Whether the mailbox agrees to marketing e-mails, as it has said itself: kept on the account that has the address,
     * if there is one. Inside `Database.write(storeId)`; the customer is locked.
     */
    const setAcceptsMarketing = Effect.fnUntraced(function* (storeId: string, email: string, accepts: boolean) {
      const found = yield* repository.findByEmail(storeId, normaliseEmail(email))
      if (found === undefined || found.acceptsMarketing === accepts) return
      const customer = yield* held(storeId, found.id)
      if (customer === undefined || customer.email !== found.email || customer.acceptsMarketing === accepts) return
      const now = new Date(yield* Clock.currentTimeMillis)
      const at = nextVersion(customer.updatedAt, now.getTime())
      const changed = yield* Effect.orDie(repository.update(storeId, found.id, { acceptsMarketing: accepts }, at))
      if (changed !== undefined) yield* outbox.append(storeId, customerUpdated, customerSnapshot(changed))
    })

    /** All personal data is deleted and the e-mail address is free again; orders stay as they were placed. */
    const remove = Effect.fn("Customers.remove")(function* (store: StoreContext, id: string) {
      const now = yield* Clock.currentTimeMillis
      yield* database.write(store.id)(
        Effect.gen(function* () {
          // First, so that an address added concurrently is seen and deleted too.
          const customer = yield* held(store.id, id)
          if (customer === undefined) return yield* new CustomerNotFound({ id })
          yield* Effect.forEach(traces, (forget) => forget(store.id, customer), { discard: true })
          yield* repository.anonymise(store.id, id, new Date(now))
          yield* outbox.append(store.id, customerDeleted, { customerId: id })
          yield* database.afterCommit(tokens.forget(store.id, id))
        })
      )
    })

    return {
      create,
      get: (store: StoreContext, id: string) => Effect.map(find(store.id, id), toCustomerView),
      getByEmail: (store: StoreContext, email: string) =>
        Effect.map(
          orFail(repository.findByEmail(store.id, normaliseEmail(email)), () => new CustomerNotFound({ id: "" })),
          toCustomerView
        ),
      prefill: (store: StoreContext, id: string) => Effect.map(find(store.id, id), toPrefill),
      update,
      remove,
      setAcceptsMarketing,
      /** For rooms above: the customer, inside whatever transaction is open. */
      find: repository.find,
      /**
       * For rooms above: locks the customer until the transaction ends; false where there is none. Taken before any
       * other lock.
       */
      lock: repository.lock,
      /** The same by the normalised address. */
      lockByEmail: repository.lockByEmail
    }
  })
}) {
  static readonly layer = Layer.effect(Customers, Customers.make).pipe(
    Layer.provide([CustomerRepository.layer, CustomerTokenRepository.layer])
  )
}

/** Rejects a birthday with only month or day, and one that no year has. */
export const checkBirthday = (input: CustomerFields): Effect.Effect<void, FieldRejected> => {
  const reason = birthdayProblem(input)
  return reason === undefined ? Effect.void : FieldRejected.at("birthDay", reason)
}

const textChange = (text: string | null | undefined) => (text === undefined ? undefined : trimmedText(text))

const toChanges = (fields: CustomerFields): CustomerChanges => ({
  firstName: textChange(fields.firstName),
  lastName: textChange(fields.lastName),
  phone: textChange(fields.phone),
  acceptsMarketing: fields.acceptsMarketing,
  birthMonth: fields.birthMonth,
  birthDay: fields.birthDay
})
