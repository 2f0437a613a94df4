/** The SQL of newsletter_benefit and newsletter_signup. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, many, none, one, storesWith } from "../database/Repository.ts"
import type { NewsletterBenefitState } from "./NewsletterBenefit.ts"
import { maxPendingSignups } from "./NewsletterSignup.ts"

export interface SignupState {
  readonly id: string
  readonly email: string
  readonly salesChannelId: string | null
  readonly locale: string | null
  readonly tokenHash: string
  readonly tokenExpiresAt: Date
  readonly mails: number
  readonly mailsSince: Date
  readonly confirmedAt: Date | null
  readonly couponId: string | null
  readonly createdAt: Date
}

export class NewsletterRepository extends Context.Service<NewsletterRepository>()(
  "@effect-commerce/core/newsletter/NewsletterRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(
        "id, email, sales_channel_id, locale, token_hash, token_expires_at, mails, mails_since, confirmed_at, " +
          "coupon_id, created_at"
      )
      return {
        benefit: (storeId: string) =>
          one(
            sql<NewsletterBenefitState>`SELECT is_enabled, type, value, expires_in_days, minimum_order_amount,
              created_at, updated_at FROM newsletter_benefit WHERE store_id = ${storeId}`
          ),
        putBenefit: (storeId: string, row: NewsletterBenefitState) =>
          none(
            sql`INSERT INTO newsletter_benefit (store_id, is_enabled, type, value, expires_in_days,
                minimum_order_amount, created_at, updated_at)
              VALUES (${storeId}, ${row.isEnabled}, ${row.type}, ${row.value}, ${row.expiresInDays},
                ${row.minimumOrderAmount}, ${row.createdAt}, ${row.updatedAt})
              ON CONFLICT (store_id) DO UPDATE SET is_enabled = EXCLUDED.is_enabled, type = EXCLUDED.type,
                value = EXCLUDED.value, expires_in_days = EXCLUDED.expires_in_days,
                minimum_order_amount = EXCLUDED.minimum_order_amount, updated_at = EXCLUDED.updated_at`
          ),
        /** Locks the mailbox until the transaction ends, also if it has no row yet. */
        lock: (storeId: string, email: string) =>
          none(sql`SELECT pg_advisory_xact_lock(hashtextextended('newsletter ' || ${storeId} || ' ' || ${email}, 0))`),
        find: (storeId: string, email: string) =>
          one(
            sql<SignupState>`SELECT ${columns} FROM newsletter_signup WHERE store_id = ${storeId} AND email = ${email}`
          ),
        // newsletter_signup_store_id_token_hash_key finds it.
        /** Locks the sign-up of a token. */
        ofToken: (storeId: string, tokenHash: string, now: Date) =>
          one(
            sql<SignupState>`SELECT ${columns} FROM newsletter_signup WHERE store_id = ${storeId}
              AND token_hash = ${tokenHash} AND token_expires_at > ${now} FOR UPDATE`
          ),
        /** The mailbox of a token, which is not locked. */
        mailboxOf: (storeId: string, tokenHash: string, now: Date) =>
          one(
            sql<{ readonly email: string }>`SELECT email FROM newsletter_signup WHERE store_id = ${storeId}
              AND token_hash = ${tokenHash} AND token_expires_at > ${now}`,
            ({ email }) => email
          ),
        /** The mailbox is locked. What had a coupon stays under the name `as`, and its link is worth nothing. */
        forget: (storeId: string, email: string, as: string, now: Date) =>
          none(
            sql`WITH gone AS (
                DELETE FROM newsletter_signup WHERE store_id = ${storeId} AND email = ${email} AND coupon_id IS NULL)
              UPDATE newsletter_signup SET email = ${as}, sales_channel_id = NULL, locale = NULL,
                token_expires_at = least(token_expires_at, ${now})
              WHERE store_id = ${storeId} AND email = ${email} AND coupon_id IS NOT NULL`
          ),
        /** A forgotten mailbox, which is locked, signs up anew. */
        recall: (storeId: string, as: string, email: string) =>
          one(
            sql<SignupState>`UPDATE newsletter_signup SET email = ${email} WHERE store_id = ${storeId}
              AND email = ${as} RETURNING ${columns}`
          ),
        /** Stores the sign-up with its new token; a new one not where too many of the store wait. */
        save: (storeId: string, row: SignupState) =>
          anyRow(
            sql`INSERT INTO newsletter_signup AS s (store_id, ${columns})
              SELECT ${storeId}, ${row.id}, ${row.email}, ${row.salesChannelId}, ${row.locale}, ${row.tokenHash},
                ${row.tokenExpiresAt}, ${row.mails}, ${row.mailsSince}, ${row.confirmedAt}::timestamptz,
                ${row.couponId}::text, ${row.createdAt}
              WHERE EXISTS (SELECT FROM newsletter_signup WHERE store_id = ${storeId} AND email = ${row.email})
                OR (SELECT count(*) FROM (SELECT FROM newsletter_signup WHERE store_id = ${storeId}
                  AND confirmed_at IS NULL LIMIT ${maxPendingSignups}) p) < ${maxPendingSignups}
              ON CONFLICT (store_id, email) DO UPDATE SET sales_channel_id = EXCLUDED.sales_channel_id,
                locale = EXCLUDED.locale, token_hash = EXCLUDED.token_hash,
                token_expires_at = EXCLUDED.token_expires_at, mails = EXCLUDED.mails,
                mails_since = EXCLUDED.mails_since
              RETURNING 1`
          ),
        confirm: (storeId: string, email: string, couponId: string | null, now: Date) =>
          none(
            sql`UPDATE newsletter_signup SET confirmed_at = coalesce(confirmed_at, ${now}), coupon_id = ${couponId}
              WHERE store_id = ${storeId} AND email = ${email}`
          ),
        // newsletter_signup_pending_idx serves both.
        storesWithOld: (now: Date) =>
          many(
            sql<{ readonly storeId: string }>`SELECT store_id FROM
              ${storesWith(sql, "newsletter_signup", sql`confirmed_at IS NULL AND token_expires_at <= ${now}`)} old`,
            ({ storeId }) => storeId
          ),
        /** Deletes at most `most` sign-ups that nobody confirmed in time; returns how many. */
        removeOld: (storeId: string, now: Date, most: number) =>
          Effect.map(
            many(
              sql`DELETE FROM newsletter_signup WHERE store_id = ${storeId} AND email = ANY (ARRAY(
                SELECT email FROM newsletter_signup WHERE store_id = ${storeId} AND confirmed_at IS NULL
                  AND token_expires_at <= ${now} LIMIT ${most} FOR UPDATE SKIP LOCKED)) RETURNING 1`
            ),
            (rows) => rows.length
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(NewsletterRepository, NewsletterRepository.make)
}
