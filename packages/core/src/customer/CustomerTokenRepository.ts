/** The SQL of customer_token and customer_logout: tokens sent by mail, and JWTs that were logged out. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, none, one } from "../database/Repository.ts"

export type TokenPurpose = "verification" | "reset"

export interface MailToken {
  readonly customerId: string
  /** The address it is mailed to: the token is not stored if the customer has another address by now. */
  readonly email: string
  readonly purpose: TokenPurpose
  /** SHA-256 of the token; the token itself is only in the mail. */
  readonly hash: string
  readonly expiresAt: Date
  readonly now: Date
}

/** What decides whether a customer's token is valid, apart from its signature. */
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
 * The most tokens of one purpose that a customer may have at once. Anybody can request one by giving the address, so a
 * request never revokes an existing token, and one beyond the limit stores nothing.
 */
const mostTokens = 5

/** The most unexpired logged-out tokens of one customer: all of them are read to recognise a token. */
const mostLogouts = 200

export class CustomerTokenRepository extends Context.Service<CustomerTokenRepository>()(
  "@effect-commerce/core/customer/CustomerTokenRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database

      return {
        // customer_token_store_id_customer_id_idx
        /**
         * Deletes expired tokens and stores this one; false if there are `mostTokens` already. The customer is locked,
         * so that concurrent requests run one after another.
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
        /** The token's customer, while the token is valid. */
        find: (storeId: string, purpose: TokenPurpose, hash: string, now: Date) =>
          Effect.map(
            one(sql<{
              readonly customerId: string
            }>`SELECT customer_id FROM customer_token WHERE store_id = ${storeId} AND token_hash = ${hash} AND purpose
                = ${purpose} AND expires_at > ${now}`),
            (row) => row?.customerId
          ),
        /** Uses the token up: of several concurrent calls, one gets the customer's id. */
        take: (storeId: string, purpose: TokenPurpose, hash: string, now: Date) =>
          Effect.map(
            one(sql<{
              readonly customerId: string
            }>`DELETE FROM customer_token WHERE store_id = ${storeId} AND token_hash = ${hash} AND purpose =
                ${purpose} AND expires_at > ${now}
                RETURNING customer_id`),
            (row) => row?.customerId
          ),
        /** Deletes the tokens of one purpose, or all of them. */
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
        /** Logs the token out, and deletes logouts of the customer whose tokens have expired. */
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
