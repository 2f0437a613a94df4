/**
 * Log-in of people to the dashboard, and everything that needs a password. Hashing happens before a transaction is
 * opened; the statement that acts on a checked password or token checks it again, so that of two concurrent calls one
 * succeeds. A log-in or a forgotten password does not reveal whether there is such a person: same response, same work,
 * same time.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { randomSecret, sha256Hex } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { mailTokenContext, mailTokenPurpose } from "../customer/CustomerEvents.ts"
import { Database } from "../database/Database.ts"
import { PasswordHashes } from "../identity/PasswordHashes.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { DashboardSessions, type LoginOrigin } from "./DashboardSessions.ts"
import { type LogIn, type ResetPassword, resetLifetime, toDashboardUser } from "./DashboardUser.ts"
import { DashboardUserRepository } from "./DashboardUserRepository.ts"
import { DashboardLoginRejected, DashboardTokenRejected, DashboardUserNotFound } from "./TeamErrors.ts"
import { dashboardResetAsked } from "./TeamEvents.ts"

/**
 * The least time that a request for a mail takes, in milliseconds: longer than the work, so that the response time does
 * not reveal whether there is such a person.
 */
const askingTime = 100

/** Whose line a hash waits in: log-ins of one address wait behind each other, and not behind those of others. */
const lineOf = (address: string | null): string => `dashboard ${address ?? "host"}`

export class DashboardAccounts extends Context.Service<DashboardAccounts>()(
  "@effect-commerce/core/team/DashboardAccounts",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const users = yield* DashboardUserRepository
      const passwords = yield* PasswordHashes
      const sessions = yield* DashboardSessions
      const secret = yield* RootSecret
      const outbox = yield* Outbox

      const logIn = Effect.fn("DashboardAccounts.logIn")(function* (
        { email, password }: Pick<LogIn, "email" | "password">,
        origin: LoginOrigin
      ) {
        const user = yield* users.findByEmail(normaliseEmail(email))
        const matches = yield* passwords.matches(lineOf(origin.address), password, user?.passwordHash ?? null)
        if (user === undefined || !matches) return yield* new DashboardLoginRejected()
        const opened = yield* sessions.open(user, origin)
        return { ...opened, user: toDashboardUser(user, yield* users.storesOf(user.id)) }
      })

      /** The mail is of a store that the person works for: without one there is nothing to log in for. */
      const askReset = Effect.fnUntraced(function* (given: string) {
        const user = yield* users.findByEmail(normaliseEmail(given))
        const storeId = user === undefined ? undefined : yield* users.homeOf(user.id)
        if (user === undefined || storeId === undefined) return
        const now = yield* Clock.currentTimeMillis
        const token = randomSecret("", 32)
        const expiresAt = new Date(now + resetLifetime)
        yield* database.write(storeId)(
          Effect.gen(function* () {
            yield* users.lock(user.id)
            if (!(yield* users.saveReset(user.id, sha256Hex(token), expiresAt, new Date(now)))) return
            yield* outbox.append(storeId, dashboardResetAsked, {
              userId: user.id,
              email: user.email,
              name: user.name,
              token: secret.seal(mailTokenPurpose, mailTokenContext(storeId, user.id), token),
              expiresAt: expiresAt.toISOString()
            })
          })
        )
      })

      /** Ends every session of the person and every link. Inside a transaction that has locked the person. */
      const replacePassword = Effect.fnUntraced(function* (userId: string, hash: string, now: Date) {
        yield* users.setPassword(userId, hash)
        yield* users.dropResets(userId)
        yield* sessions.endAll(userId, now)
      })

      /** The person whose password it is now. */
      const resetPassword = Effect.fn("DashboardAccounts.resetPassword")(function* (
        { token, newPassword }: ResetPassword,
        { address }: Pick<LoginOrigin, "address">
      ) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const tokenHash = sha256Hex(token)
        // Checked before the costly hashing, and again by the statement that uses the token up.
        const userId = yield* users.resetOf(tokenHash, now)
        if (userId === undefined) return yield* new DashboardTokenRejected()
        const hash = yield* passwords.hash(lineOf(address), newPassword)
        return yield* database.platform(
          Effect.gen(function* () {
            yield* users.lock(userId)
            if (!(yield* users.takeReset(tokenHash, now))) return yield* new DashboardTokenRejected()
            yield* replacePassword(userId, hash, now)
            const person = yield* users.find(userId)
            return person === undefined ? yield* new DashboardTokenRejected() : { email: person.email }
          })
        )
      })

      return {
        logIn,
        /** The person with the stores that they work for. */
        profile: Effect.fnUntraced(function* (person: Parameters<typeof toDashboardUser>[0]) {
          return toDashboardUser(person, yield* users.storesOf(person.id))
        }),
        /** Nothing happens, in the same time, where there is no such person. */
        forgotPassword: (email: string) =>
          Effect.asVoid(Effect.all([askReset(email), Effect.sleep(askingTime)], { concurrency: 2 })),
        resetPassword,
        /** For the operator: a new password for whoever has this address. */
        setPassword: Effect.fn("DashboardAccounts.setPassword")(function* (email: string, password: string) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const user = yield* users.findByEmail(normaliseEmail(email))
          if (user === undefined) return yield* new DashboardUserNotFound({ email })
          const hash = yield* passwords.hash(lineOf(null), password)
          yield* database.platform(Effect.andThen(users.lock(user.id), replacePassword(user.id, hash, now)))
          return { id: user.id, email: user.email }
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(DashboardAccounts, DashboardAccounts.make).pipe(
    Layer.provide(DashboardUserRepository.layer)
  )
}
