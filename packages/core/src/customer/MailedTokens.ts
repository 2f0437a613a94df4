/**
 * Tokens that are mailed to customers: the mail that confirms an address and the mail that resets the password, and
 * what happens when a token comes back. A part of CustomerAccounts, whose rules for passwords apply here too.
 */
import { Clock, Effect } from "effect"
import { randomSecret, sha256Hex } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Database } from "../database/Database.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { defaultLanguage, type StoreContext } from "../store/StoreContext.ts"
import type { CustomerState } from "./Customer.ts"
import { CustomerTokenRejected } from "./CustomerErrors.ts"
import type { ResetPassword } from "./CustomerInput.ts"
import {
  mailTokenContext,
  mailTokenLifetime,
  mailTokenPurpose,
  resetMailAsked,
  type TokenMail,
  verificationMailAsked
} from "./CustomerEvents.ts"
import { PasswordHashes } from "../identity/PasswordHashes.ts"
import { CustomerRepository } from "./CustomerRepository.ts"
import { CustomerTokenRepository, type TokenPurpose } from "./CustomerTokenRepository.ts"
import { CustomerTokens } from "./CustomerTokens.ts"
import { Mailboxes } from "./Mailboxes.ts"

/**
 * The least time that a request for a mail takes, in milliseconds: longer than the work, so that the response time does
 * not reveal whether there is an account.
 */
const askingTime = 100

/** Where a request comes from, and the language that it asks for; null is the store's own. */
export interface Visit {
  readonly channelId: string
  readonly locale: string | null
}

export const makeMailedTokens = Effect.gen(function* () {
  const database = yield* Database
  const repository = yield* CustomerRepository
  const mailTokens = yield* CustomerTokenRepository
  const passwords = yield* PasswordHashes
  const tokens = yield* CustomerTokens
  const mailboxes = yield* Mailboxes
  const secret = yield* RootSecret
  const outbox = yield* Outbox

  /**
   * Stores a token's hash, and returns the mail's event; nothing where the customer, who is locked, already has the
   * most tokens allowed. `locale` is the language of the request, for a customer of whom none is kept. Inside a write.
   */
  const mailWith = Effect.fnUntraced(function* (
    store: StoreContext,
    { channelId, locale }: Visit,
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
      language: customer.locale ?? locale ?? defaultLanguage(store),
      salesChannelId: channelId,
      token: sealed
    }
    return [(purpose === "reset" ? resetMailAsked : verificationMailAsked).of(mail)]
  })

  /**
   * Locks the customer first and the token second, as everywhere; of several concurrent calls, one takes the token.
   * Inside a write.
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

  const verifyEmail = Effect.fn("CustomerAccounts.verifyEmail")(function* (
    store: StoreContext,
    salesChannelId: string,
    token: string
  ) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const tokenHash = sha256Hex(token)
    yield* database.write(store.id)(
      Effect.gen(function* () {
        const id = yield* mailTokens.find(store.id, "verification", tokenHash, now)
        if (id === undefined) return yield* new CustomerTokenRejected()
        yield* holdAndTake(store.id, id, { purpose: "verification", tokenHash }, now)
        const proof = mailboxes.prove(store, id, { salesChannelId, now })
        yield* Effect.catchTag(proof, "CustomerNotFound", () => Effect.fail(new CustomerTokenRejected()))
        yield* mailTokens.drop(store.id, id, "verification")
      })
    )
  })

  /** Looks the same to an observer for every address, and takes the same time. */
  const askMail = (store: StoreContext, visit: Visit, given: string, purpose: TokenPurpose) => {
    const ask = Effect.gen(function* () {
      const customer = yield* repository.findByEmail(store.id, normaliseEmail(given))
      if (customer === undefined || (purpose === "verification" && customer.emailVerified)) return
      if (yield* repository.lock(store.id, customer.id))
        yield* outbox.appendAll(store.id, yield* mailWith(store, visit, customer, purpose))
    })
    return Effect.asVoid(Effect.all([database.write(store.id)(ask), Effect.sleep(askingTime)], { concurrency: 2 }))
  }

  /** The token proves the mailbox, so its address counts as verified. Revokes every token of the customer. */
  const resetPassword = Effect.fn("CustomerAccounts.resetPassword")(function* (
    store: StoreContext,
    salesChannelId: string,
    { token, newPassword }: ResetPassword
  ) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const tokenHash = sha256Hex(token)
    // Checked before the costly hashing, and again by the statement that uses the token up.
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
        yield* mailboxes.proved(store, { before, after }, { salesChannelId, now })
        yield* database.afterCommit(tokens.forget(store.id, owner))
      })
    )
  })

  return {
    mailWith,
    verifyEmail,
    /** Nothing happens, in the same time, where there is no such account or it is verified already. */
    resendVerification: (store: StoreContext, visit: Visit, email: string) =>
      askMail(store, visit, email, "verification"),
    /** Nothing happens, in the same time, where there is no such customer. */
    forgotPassword: (store: StoreContext, visit: Visit, email: string) => askMail(store, visit, email, "reset"),
    resetPassword
  }
})
