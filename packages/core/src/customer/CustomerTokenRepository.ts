/** The SQL of customer_token and customer_logout: tokens that travel by mail, and JWTs that were logged out. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, none, one } from "../database/Repository.ts"

export type TokenPurpose = "verification" | "reset"

export interface MailToken {
  readonly customerId: string
  /** The address it is mailed to: nothing is kept where the customer has another one by now. */
  readonly email: string
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

/**
 * Tokens of a purpose that a customer may have at once. Anybody can ask for one by giving the address: what is there is
 * never ended by asking, and a request beyond the bound keeps nothing.
 */
const mostTokens = 5

/** Tokens of one customer that were logged out before their end: all of them are read to recognise one. */
const mostLogouts = 200

export class CustomerTokenRepository extends Context.Service<CustomerTokenRepository>()(
  "@effect-commerce/core/customer/CustomerTokenRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database

      return {
        // customer_token_store_id_customer_id_idx
        /**
         * Drops those that have expired, and keeps this one unless there are `mostTokens` already: false. The customer
         * is held, so that requests follow one another.
         */
        save: (storeId: string, { customerId, email, purpose, hash, expiresAt, now }: MailToken) =>
          anyRow(sql`WITH dropped AS (
                  DELETE FROM customer_token WHERE store_id = ${storeId} AND customer_id = ${customerId} AND purpose =
                    ${purpose} AND expires_at <= ${now})
                INSERT INTO customer_token (store_id, token_hash, customer_id, purpose, expires_at, created_at)
                SELECT c.store_id, ${hash}, c.id, ${purpose}, ${expiresAt}::timestamptz,
                  ${now}::timestamptz FROM customer c
                WHERE c.store_id = ${storeId} AND c.id = ${customerId} AND c.email = ${email}
                  AND (SELECT count(*) FROM customer_token t
                    WHERE t.store_id = c.store_id AND t.customer_id = c.id AND t.purpose = ${purpose} AND t.expires_at >
                      ${now}) < ${mostTokens}
                RETURNING 1`),
        /** Whose it is, while it is good. */
        find: (storeId: string, purpose: TokenPurpose, hash: string, now: Date) =>
          Effect.map(
            one(sql<{
              readonly customerId: string
            }>`SELECT customer_id FROM customer_token WHERE store_id = ${storeId} AND token_hash = ${hash} AND purpose
                = ${purpose} AND expires_at > ${now}`),
            (row) => row?.customerId
          ),
        /** Uses it up: of several at once, one gets the customer's id. */
        take: (storeId: string, purpose: TokenPurpose, hash: string, now: Date) =>
          Effect.map(
            one(sql<{
              readonly customerId: string
            }>`DELETE FROM customer_token WHERE store_id = ${storeId} AND token_hash = ${hash} AND purpose =
                ${purpose} AND expires_at > ${now}
                RETURNING customer_id`),
            (row) => row?.customerId
          ),
        /** Of one purpose, or all of them. */
        drop: (storeId: string, customerId: string, purpose?: TokenPurpose) =>
          none(
            purpose === undefined
              ? sql`DELETE FROM customer_token WHERE store_id = ${storeId} AND customer_id = ${customerId}`
              : sql`DELETE FROM customer_token WHERE store_id = ${storeId} AND customer_id = ${customerId} AND purpose =
                ${purpose}`
          ),
        standing: (storeId: string, customerId: string, now: Date) =>
          one(sql<Standing>`SELECT c.email, c.password_version, ARRAY(SELECT l.jti FROM customer_logout l
                  WHERE l.store_id = c.store_id AND l.customer_id = c.id AND l.expires_at > ${now}) AS logged_out
                FROM customer c WHERE c.store_id = ${storeId} AND c.id = ${customerId} AND c.deleted_at IS NULL`),
        /** Forgets logouts of the customer whose tokens have expired by themselves. */
        logOut: (storeId: string, { customerId, jti, expiresAt }: Logout, now: Date) =>
          none(sql`WITH remembered AS MATERIALIZED (SELECT count(*) >= ${mostLogouts} AS is_full FROM customer_logout
                WHERE store_id = ${storeId} AND customer_id = ${customerId} AND expires_at > ${now}),
              ended AS (DELETE FROM customer_logout WHERE store_id = ${storeId} AND customer_id = ${customerId} AND
              (expires_at <= ${now} OR (SELECT is_full FROM remembered))),
                all_ended AS (UPDATE customer SET password_version = password_version + 1
                WHERE store_id = ${storeId} AND id = ${customerId} AND (SELECT is_full FROM remembered))
              INSERT INTO customer_logout (store_id, customer_id, jti, expires_at) VALUES (${storeId}, ${customerId},
                ${jti}, ${expiresAt})
              ON CONFLICT (store_id, customer_id, jti) DO NOTHING`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(CustomerTokenRepository, CustomerTokenRepository.make)
}
