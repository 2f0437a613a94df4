/**
 * Customer tokens: JWTs valid for seven days, signed with HS256 under a key of the store's own, and only on the channel
 * that issued them. `ver` is the password's version, so that a change of password revokes every token issued before;
 * `jti` identifies the token, so that it can be logged out. Recognising one costs no statement on a warm process: what
 * the database says of a customer is cached for `crossProcessDelay`, and dropped at once where this process changes it.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { randomSecret } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Database } from "../database/Database.ts"
import { loadedOnce } from "../kernel/loadedOnce.ts"
import { crossProcessDelay, TimedCache } from "../cache/TimedCache.ts"
import { CustomerTokenRepository, type Standing } from "./CustomerTokenRepository.ts"

/** Seven days, in seconds. */
const tokenLifetime = 7 * 24 * 3_600

/** A customer whose token was presented and is valid. */
export interface CustomerBearer {
  readonly id: string
  readonly email: string
  readonly jti: string
  /** When the customer logged in, to the second. */
  readonly issuedAt: Date
  readonly expiresAt: Date
}

const jose = loadedOnce(() => import("jose"))
const loadJose = Effect.promise(jose)
const algorithm = "HS256"
/** Customers whose standing is cached at a time. */
const capacity = 10_000

interface Claims {
  readonly sub: string
  readonly jti: string
  readonly ver: number
  readonly exp: number
}

export class CustomerTokens extends Context.Service<CustomerTokens>()("@effect-commerce/core/customer/CustomerTokens", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* CustomerTokenRepository
    const secret = yield* RootSecret
    const standings = new TimedCache<Standing>(crossProcessDelay, capacity)
    // Counts invalidations: a read that began before one is not cached after it.
    let forgotten = 0

    const keyOf = (storeId: string) => secret.derive(`customer-token/${storeId}`)
    const nameOf = (storeId: string, customerId: string) => `${storeId}|${customerId}`

    const issue = Effect.fnUntraced(function* (
      storeId: string,
      channelId: string,
      { id, passwordVersion }: { readonly id: string; readonly passwordVersion: number }
    ) {
      const issuedAt = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
      const expires = issuedAt + tokenLifetime
      const { SignJWT } = yield* loadJose
      const jwt = new SignJWT({ ver: passwordVersion })
        .setProtectedHeader({ alg: algorithm, typ: "JWT" })
        .setIssuer(storeId)
        .setAudience(channelId)
        .setSubject(id)
        .setJti(randomSecret("", 16))
        .setIssuedAt(issuedAt)
        .setExpirationTime(expires)
      const token = yield* Effect.promise(() => jwt.sign(keyOf(storeId)))
      return { token, expiresAt: new Date(expires * 1_000).toISOString() }
    })

    /** The claims of a token that this store signed for this channel and that has not expired. */
    const claimsOf = (
      storeId: string,
      channelId: string,
      token: string,
      now: number
    ): Effect.Effect<Claims | undefined> =>
      Effect.promise(async () => {
        const { jwtVerify } = await jose()
        return jwtVerify(token, keyOf(storeId), {
          algorithms: [algorithm],
          issuer: storeId,
          audience: channelId,
          requiredClaims: ["sub", "jti", "exp"],
          currentDate: new Date(now)
        }).then(
          ({ payload: { sub, jti, exp, ver } }) =>
            sub === undefined || jti === undefined || exp === undefined || typeof ver !== "number"
              ? undefined
              : { sub, jti, exp, ver },
          () => undefined
        )
      })

    const standingOf = Effect.fnUntraced(function* (storeId: string, customerId: string, now: number) {
      const name = nameOf(storeId, customerId)
      const known = standings.get(name, now)
      if (known !== undefined) return known
      const before = forgotten
      const read = yield* repository.standing(storeId, customerId, new Date(now))
      if (read !== undefined && before === forgotten) standings.set(name, read, now)
      return read
    })

    /**
     * Undefined for a text that is no token, and for a token of another store or channel, or one that has expired, was
     * logged out, or is older than the password.
     */
    const recognise = Effect.fnUntraced(function* (storeId: string, channelId: string, token: string) {
      const now = yield* Clock.currentTimeMillis
      const claims = yield* claimsOf(storeId, channelId, token, now)
      if (claims === undefined) return undefined
      const standing = yield* standingOf(storeId, claims.sub, now)
      if (standing === undefined || standing.passwordVersion !== claims.ver || standing.loggedOut.includes(claims.jti))
        return undefined
      return {
        id: claims.sub,
        email: standing.email,
        jti: claims.jti,
        issuedAt: new Date((claims.exp - tokenLifetime) * 1_000),
        expiresAt: new Date(claims.exp * 1_000)
      }
    })

    /**
     * To be run after the commit of whatever changes a customer's e-mail address or password, or deletes the customer.
     */
    const forget = (storeId: string, customerId: string) =>
      Effect.sync(() => {
        forgotten += 1
        standings.delete(nameOf(storeId, customerId))
      })

    /** Revokes this token only. */
    const logOut = Effect.fn("CustomerTokens.logOut")(function* (
      storeId: string,
      { id: customerId, jti, expiresAt }: CustomerBearer
    ) {
      const now = new Date(yield* Clock.currentTimeMillis)
      yield* database.write(storeId)(
        Effect.andThen(
          repository.logOut(storeId, { customerId, jti, expiresAt }, now),
          database.afterCommit(forget(storeId, customerId))
        )
      )
    })

    return { issue, recognise, logOut, forget }
  })
}) {
  static readonly layer = Layer.effect(CustomerTokens, CustomerTokens.make).pipe(
    Layer.provide(CustomerTokenRepository.layer)
  )
}
