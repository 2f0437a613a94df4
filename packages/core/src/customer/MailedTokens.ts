/**
 * Tokens that are mailed to customers: the mail that confirms an address and the mail that sets another password, and
 * what follows when a token comes back. A part of CustomerAccounts, whose laws of passwords hold here too.
 */
import { Clock, Effect } from "effect"
import { randomSecret, sha256Hex } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Database } from "../database/Database.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import type { NewEvent } from "../kernel/EventDefinition.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { defaultLanguage, type StoreContext } from "../store/StoreContext.ts"
import type { CustomerState } from "./Customer.ts"
import { CustomerTokenRejected } from "./CustomerErrors.ts"
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
import { CustomerTokenRepository, type TokenPurpose } from "./CustomerTokenRepository.ts"
import { CustomerTokens } from "./CustomerTokens.ts"

/**
 * What asking for a mail takes at least, in milliseconds: longer than the work, so that an answer's time tells nobody
 * whether there is an account.
 */
const askingTime = 100

/** What a proved mailbox means to others: a customer they have not heard of, a change, or nothing new. */
const proved = (before: CustomerState, after: CustomerState): ReadonlyArray<NewEvent> => {
  if (!before.announced) return [customerCreated.of(customerSnapshot(after))]
  return before.emailVerified ? [] : [customerUpdated.of(customerSnapshot(after))]
}

export const makeMailedTokens = Effect.gen(function* () {
  const database = yield* Database
  const repository = yield* CustomerRepository
  const mailTokens = yield* CustomerTokenRepository
  const passwords = yield* CustomerPasswords
  const tokens = yield* CustomerTokens
  const secret = yield* RootSecret
  const outbox = yield* Outbox

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

  return {
    mailWith,
    verifyEmail,
    /** Nothing happens, in the same time, where there is no such account or it is verified already. */
    resendVerification: (store: StoreContext, channelId: string, email: string) =>
      askMail(store, channelId, email, "verification"),
    /** Nothing happens, in the same time, where there is no such customer. */
    forgotPassword: (store: StoreContext, channelId: string, email: string) =>
      askMail(store, channelId, email, "reset"),
    resetPassword
  }
})
