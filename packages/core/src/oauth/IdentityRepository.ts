/** The SQL of oauth_identity and oauth_used_state. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, none, one } from "../database/Repository.ts"

/** An account at a provider: its subject at its issuer. */
export interface IdentityKey {
  readonly provider: string
  readonly issuer: string
  readonly subject: string
}

export interface Identity {
  readonly customerId: string
  /** Good while the customer's password has this version; null: for ever. */
  readonly untilPasswordVersion: number | null
}

/** Expired states that one statement deletes at most. */
const mostExpired = 100

export class IdentityRepository extends Context.Service<IdentityRepository>()(
  "@effect-commerce/core/oauth/IdentityRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const isKey = (storeId: string, { provider, issuer, subject }: IdentityKey) =>
        sql`store_id = ${storeId} AND provider = ${provider} AND issuer = ${issuer} AND subject = ${subject}`

      return {
        find: (storeId: string, key: IdentityKey) =>
          one(
            sql<Identity>`SELECT customer_id, until_password_version FROM oauth_identity WHERE ${isKey(storeId, key)}`
          ),
        /** How many the customer has, who is locked. oauth_identity_store_id_customer_id_idx counts them. */
        countOf: (storeId: string, customerId: string) =>
          Effect.map(
            one(sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM oauth_identity
              WHERE store_id = ${storeId} AND customer_id = ${customerId}`),
            (row) => row?.n ?? 0
          ),
        /** False where the account has an identity already: one that was written concurrently. */
        insert: (storeId: string, key: IdentityKey, { customerId, untilPasswordVersion }: Identity, now: Date) =>
          anyRow(sql`INSERT INTO oauth_identity (store_id, provider, issuer, subject, customer_id,
                until_password_version, created_at, last_used_at)
              VALUES (${storeId}, ${key.provider}, ${key.issuer}, ${key.subject}, ${customerId},
                ${untilPasswordVersion}, ${now}, ${now})
              ON CONFLICT (store_id, provider, issuer, subject) DO NOTHING RETURNING 1`),
        /** Notes that the customer has signed in by it; false where it is not theirs any more. */
        touch: (storeId: string, key: IdentityKey, customerId: string, now: Date) =>
          anyRow(sql`UPDATE oauth_identity SET last_used_at = ${now}
              WHERE ${isKey(storeId, key)} AND customer_id = ${customerId} RETURNING 1`),
        remove: (storeId: string, key: IdentityKey, customerId: string) =>
          none(sql`DELETE FROM oauth_identity WHERE ${isKey(storeId, key)} AND customer_id = ${customerId}`),
        /** Removes those of the customer that ended with an earlier password. */
        removeEnded: (storeId: string, customerId: string, passwordVersion: number) =>
          none(sql`DELETE FROM oauth_identity WHERE store_id = ${storeId} AND customer_id = ${customerId}
              AND until_password_version <> ${passwordVersion}`),
        /** oauth_identity_store_id_customer_id_idx has those of a customer. */
        forget: (storeId: string, customerId: string) =>
          none(sql`DELETE FROM oauth_identity WHERE store_id = ${storeId} AND customer_id = ${customerId}`),
        /** Records that a state is used; false where it was before. States that have expired are deleted. */
        useState: (storeId: string, hash: string, expiresAt: Date, now: Date) =>
          anyRow(sql`WITH expired AS (
                DELETE FROM oauth_used_state WHERE store_id = ${storeId} AND state_hash IN (
                  SELECT u.state_hash FROM oauth_used_state u WHERE u.store_id = ${storeId} AND u.expires_at <= ${now}
                  ORDER BY u.expires_at LIMIT ${mostExpired} FOR UPDATE SKIP LOCKED))
              INSERT INTO oauth_used_state (store_id, state_hash, expires_at)
              VALUES (${storeId}, ${hash}, ${expiresAt})
              ON CONFLICT (store_id, state_hash) DO NOTHING RETURNING 1`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(IdentityRepository, IdentityRepository.make)
}
