/** The SQL of customer_token and customer_logout: tokens that travel by mail, and JWTs that were logged out. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"

export type TokenPurpose = "verification" | "reset"

export interface MailToken {
  readonly customerId: string
  readonly purpose: TokenPurpose
  /** SHA-256 of the token; the token itself is in the mail alone. */
  readonly hash: string
  readonly expiresAt: Date
  readonly now: Date
}

/** What decides whether a customer's token is good, apart from its signature. */
export interface Standing {
  readonly email: string
  readonly passwordVersion: number
  readonly loggedOut: ReadonlyArray<string>
}

export interface Logout {
  readonly customerId: string
  readonly jti: string
  readonly expiresAt: Date
}

/** Tokens of a purpose that are good at once: asking again does not spoil the mail before, and rows stay few. */
const keptTokens = 5

export interface CustomerTokenRepositoryMethods {
  /** Drops those of the customer that have expired, and the oldest above the number that are kept. */
  readonly save: (storeId: string, token: MailToken) => Effect.Effect<void>
  /** Whose it is, while it is good. */
  readonly find: (storeId: string, purpose: TokenPurpose, hash: string, now: Date) => Effect.Effect<string | undefined>
  /** Uses it up: of several at once, one gets the customer's id. */
  readonly take: (storeId: string, purpose: TokenPurpose, hash: string, now: Date) => Effect.Effect<string | undefined>
  /** Of one purpose, or all of them. */
  readonly drop: (storeId: string, customerId: string, purpose?: TokenPurpose) => Effect.Effect<void>
  readonly standing: (storeId: string, customerId: string, now: Date) => Effect.Effect<Standing | undefined>
  /** Forgets logouts of the customer whose tokens have expired by themselves. */
  readonly logOut: (storeId: string, logout: Logout, now: Date) => Effect.Effect<void>
}

export class CustomerTokenRepository extends Context.Service<CustomerTokenRepository, CustomerTokenRepositoryMethods>()(
  "@effect-commerce/core/customer/CustomerTokenRepository"
) {
  static readonly layer = Layer.effect(
    CustomerTokenRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const orDieVoid = <A, E>(self: Effect.Effect<A, E>): Effect.Effect<void> => Effect.asVoid(Effect.orDie(self))
      const owner = (rows: ReadonlyArray<{ readonly customerId: string }>) => rows[0]?.customerId

      return CustomerTokenRepository.of({
        save: (storeId, { customerId, purpose, hash, expiresAt, now }) =>
          orDieVoid(
            sql`WITH dropped AS (
                DELETE FROM customer_token WHERE store_id = ${storeId} AND customer_id = ${customerId} AND purpose = ${purpose} AND (expires_at <= ${now}
                  OR token_hash NOT IN (SELECT t.token_hash FROM customer_token t
                    WHERE t.store_id = ${storeId} AND t.customer_id = ${customerId} AND t.purpose = ${purpose}
                    ORDER BY t.created_at DESC, t.token_hash LIMIT ${keptTokens - 1})))
              INSERT INTO customer_token (store_id, token_hash, customer_id, purpose, expires_at, created_at)
              VALUES (${storeId}, ${hash}, ${customerId}, ${purpose}, ${expiresAt}, ${now})`
          ),
        find: (storeId, purpose, hash, now) =>
          Effect.orDie(
            Effect.map(
              sql<{
                readonly customerId: string
              }>`SELECT customer_id FROM customer_token WHERE store_id = ${storeId} AND token_hash = ${hash} AND purpose = ${purpose} AND expires_at > ${now}`,
              owner
            )
          ),
        take: (storeId, purpose, hash, now) =>
          Effect.orDie(
            Effect.map(
              sql<{
                readonly customerId: string
              }>`DELETE FROM customer_token WHERE store_id = ${storeId} AND token_hash = ${hash} AND purpose = ${purpose} AND expires_at > ${now}
                RETURNING customer_id`,
              owner
            )
          ),
        drop: (storeId, customerId, purpose) =>
          orDieVoid(
            purpose === undefined
              ? sql`DELETE FROM customer_token WHERE store_id = ${storeId} AND customer_id = ${customerId}`
              : sql`DELETE FROM customer_token WHERE store_id = ${storeId} AND customer_id = ${customerId} AND purpose = ${purpose}`
          ),
        standing: (storeId, customerId, now) =>
          Effect.orDie(
            Effect.map(
              sql<Standing>`SELECT c.email, c.password_version, ARRAY(SELECT l.jti FROM customer_logout l
                  WHERE l.store_id = c.store_id AND l.customer_id = c.id AND l.expires_at > ${now}) AS logged_out
                FROM customer c WHERE c.store_id = ${storeId} AND c.id = ${customerId} AND c.deleted_at IS NULL`,
              (rows) => rows[0]
            )
          ),
        logOut: (storeId, { customerId, jti, expiresAt }, now) =>
          orDieVoid(
            sql`WITH ended AS (DELETE FROM customer_logout WHERE store_id = ${storeId} AND customer_id = ${customerId} AND expires_at <= ${now})
              INSERT INTO customer_logout (store_id, customer_id, jti, expires_at) VALUES (${storeId}, ${customerId}, ${jti}, ${expiresAt})
              ON CONFLICT (store_id, customer_id, jti) DO NOTHING`
          )
      })
    })
  )
}
