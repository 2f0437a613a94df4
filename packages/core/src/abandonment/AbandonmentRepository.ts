/**
 * The SQL of carts and checkouts that nobody touches any more. Every statement takes a bounded number of rows, skips
 * those that somebody is writing, and leaves `updated_at` alone: that is when a shopper last did something, and the
 * version that they know.
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { many, none, one, storesWhoseOldest } from "../database/Repository.ts"
import type { LeftCheckout } from "./internal/recoveryOf.ts"

/** A checkout that was left longer ago is not told of: after an outage of a day nobody writes to all who were there. */
const latestNotice = "interval '1 day'"

/** Why a checkout is not to be reminded of, or until when it waits. */
export interface Outcome {
  readonly id: string
  readonly dueAt: Date | null
  readonly sentAt: Date | null
}

export class AbandonmentRepository extends Context.Service<AbandonmentRepository>()(
  "@effect-commerce/core/abandonment/AbandonmentRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      /** How long the store `s` waits until something counts as left. */
      const patience = sql.literal("make_interval(mins => s.abandoned_after_minutes)")
      const ids = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id)
      /** At the payment provider, which waits for the shopper: nothing is charged yet. */
      const awaitsShopper = sql.literal(`(k.status = 'PROCESSING' AND EXISTS (SELECT FROM provider_operation o
        WHERE o.store_id = k.store_id AND o.subject_id = k.id AND o.state = 'awaiting_shopper'))`)
      /**
       * Checkouts `k` of the store `s` that are to be told of as left, by when they were left: at the latest when their
       * time has passed, and not long ago.
       */
      const isLeft = (now: Date) => sql`k.status = ANY (ARRAY['PENDING', 'PROCESSING'])
        AND k.email IS NOT NULL AND k.abandoned_at IS NULL AND (k.status = 'PENDING' OR ${awaitsShopper})
        AND least(k.updated_at + ${patience}, k.expires_at) > ${now}::timestamptz - ${sql.literal(latestNotice)}
        AND EXISTS (SELECT FROM cart c WHERE c.store_id = k.store_id AND c.id = k.cart_id
          AND c.status IN ('ACTIVE', 'ABANDONED'))`

      /** Rows that another process has locked are left to it. */
      const locked = (which: Statement.Fragment) =>
        Effect.map(
          many(
            sql<{ readonly id: string }>`SELECT k.id FROM checkout k JOIN store s ON s.id = k.store_id ${which}
              FOR UPDATE OF k SKIP LOCKED`
          ),
          ids
        )

      return {
        storesWithLeftCheckouts: (now: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT least(
                (SELECT k.updated_at + ${patience} FROM checkout k WHERE k.store_id = s.id AND ${isLeft(now)}
                  ORDER BY k.updated_at LIMIT 1),
                (SELECT k.expires_at FROM checkout k WHERE k.store_id = s.id AND k.status = 'PENDING'
                  AND k.expires_at <= ${now} AND ${isLeft(now)} ORDER BY k.expires_at LIMIT 1)) AS left_at`,
            sql`oldest.left_at <= ${now}`
          ),
        /** Locks checkouts that nobody touches any more; checkout_store_id_updated_at_idx finds them. */
        lockIdle: (storeId: string, now: Date, most: number) =>
          locked(sql`WHERE k.store_id = ${storeId} AND ${isLeft(now)}
            AND k.updated_at <= ${now}::timestamptz - ${patience}
            ORDER BY k.updated_at, k.id LIMIT ${most}`),
        /** Locks the others, whose time has passed before; checkout_store_id_expires_at_idx finds them. */
        lockPast: (storeId: string, now: Date, most: number) =>
          locked(sql`WHERE k.store_id = ${storeId} AND ${isLeft(now)} AND k.status = 'PENDING'
            AND k.expires_at <= ${now} AND k.updated_at > ${now}::timestamptz - ${patience}
            ORDER BY k.expires_at, k.id LIMIT ${most}`),
        markLeft: (storeId: string, checkoutIds: ReadonlyArray<string>, now: Date) =>
          none(sql`UPDATE checkout k SET abandoned_at = ${now},
              recovery_due_at = ${now}::timestamptz + make_interval(mins => s.recovery_after_minutes)
            FROM store s WHERE s.id = ${storeId} AND k.store_id = ${storeId} AND k.id = ANY(${checkoutIds}::text[])`),

        storesToRemind: (now: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT k.recovery_due_at FROM checkout k WHERE k.store_id = s.id AND k.recovery_due_at IS NOT NULL
              AND s.suspended_at IS NULL ORDER BY k.recovery_due_at LIMIT 1`,
            sql`oldest.recovery_due_at <= ${now}`
          ),
        /** Locks a checkout whose shopper is to be reminded, and its cart: another checkout of the cart waits. */
        lockDue: (storeId: string, now: Date) =>
          Effect.map(
            many(
              sql<{ readonly id: string }>`SELECT k.id FROM checkout k
                JOIN cart c ON c.store_id = k.store_id AND c.id = k.cart_id
                WHERE k.store_id = ${storeId} AND k.recovery_due_at <= ${now}
                ORDER BY k.recovery_due_at, k.id LIMIT 1 FOR NO KEY UPDATE OF k, c SKIP LOCKED`
            ),
            (rows) => ids(rows)[0]
          ),
        /** What decides whether the shopper is reminded, read after the lock: it has what others have written. */
        left: (storeId: string, id: string) =>
          one(sql<LeftCheckout>`SELECT k.id, k.status, k.email, k.customer ->> 'firstName' AS first_name, k.locale,
              k.sales_channel_id, k.updated_at, k.abandoned_at, ${awaitsShopper} AS awaits_shopper,
              c.status AS cart_status,
              c.expires_at AS cart_expires_at, c.customer_id AS cart_customer_id, c.session_token,
              EXISTS (SELECT FROM cart_item i WHERE i.store_id = c.store_id AND i.cart_id = c.id) AS has_lines,
              EXISTS (SELECT FROM orders o WHERE o.store_id = k.store_id AND o.created_at >= k.created_at
                AND (lower(o.email) = lower(k.email) OR o.customer_id = coalesce(k.customer_id, c.customer_id)))
                AS has_bought,
              EXISTS (SELECT FROM provider_operation o WHERE o.store_id = k.store_id AND o.subject_id = k.id
                AND o.state = 'absent' AND o.answer IS NULL) AS may_have_paid,
              EXISTS (SELECT FROM checkout m WHERE m.store_id = k.store_id AND m.cart_id = k.cart_id
                AND m.recovery_email_sent_at IS NOT NULL) AS was_reminded,
              s.abandoned_after_minutes, s.recovery_after_minutes
            FROM checkout k JOIN store s ON s.id = k.store_id JOIN cart c ON c.store_id = k.store_id AND
              c.id = k.cart_id
            WHERE k.store_id = ${storeId} AND k.id = ${id}`),
        settle: (storeId: string, { id, dueAt, sentAt }: Outcome) =>
          none(sql`UPDATE checkout SET recovery_due_at = ${dueAt},
              recovery_email_sent_at = coalesce(${sentAt}, recovery_email_sent_at)
            WHERE store_id = ${storeId} AND id = ${id}`),

        storesWithPastCheckouts: (now: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT k.expires_at FROM checkout k WHERE k.store_id = s.id AND k.status = 'PENDING'
              ORDER BY k.expires_at LIMIT 1`,
            sql`oldest.expires_at <= ${now}`
          ),
        /** Those that are still to be told of as left are not ended yet. */
        expireCheckouts: (storeId: string, now: Date, most: number) =>
          Effect.map(
            many(
              sql<{ readonly id: string }>`WITH past AS (
                  SELECT k.id FROM checkout k JOIN store s ON s.id = k.store_id
                  WHERE k.store_id = ${storeId} AND k.status = 'PENDING' AND k.expires_at <= ${now}
                    AND (${isLeft(now)}) IS NOT TRUE
                  ORDER BY k.expires_at LIMIT ${most} FOR UPDATE OF k SKIP LOCKED)
                UPDATE checkout k SET status = 'EXPIRED' FROM past p WHERE k.store_id = ${storeId} AND k.id = p.id
                RETURNING k.id`
            ),
            ids
          ),

        storesWithIdleCarts: (now: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT c.updated_at FROM cart c WHERE c.store_id = s.id AND c.status = 'ACTIVE'
              ORDER BY c.updated_at LIMIT 1`,
            sql`oldest.updated_at + ${patience} <= ${now}`
          ),
        /** A cart is not idle while a checkout of it is being filled in or paid. */
        abandonCarts: (storeId: string, now: Date, most: number) =>
          Effect.map(
            many(
              sql<{ readonly id: string }>`WITH idle AS (
                  SELECT c.id FROM cart c JOIN store s ON s.id = c.store_id
                  WHERE c.store_id = ${storeId} AND c.status = 'ACTIVE'
                    AND c.updated_at <= ${now}::timestamptz - ${patience} AND c.expires_at > ${now}
                    AND NOT EXISTS (SELECT FROM checkout k WHERE k.store_id = c.store_id AND k.cart_id = c.id
                      AND k.status IN ('PENDING', 'PROCESSING') AND k.updated_at > ${now}::timestamptz - ${patience})
                  ORDER BY c.updated_at LIMIT ${most} FOR UPDATE OF c SKIP LOCKED)
                UPDATE cart c SET status = 'ABANDONED' FROM idle i WHERE c.store_id = ${storeId} AND c.id = i.id
                RETURNING c.id`
            ),
            ids
          ),

        storesWithPastCarts: (now: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT c.expires_at FROM cart c WHERE c.store_id = s.id
              AND c.status = ANY (ARRAY['ACTIVE', 'ABANDONED']) ORDER BY c.expires_at LIMIT 1`,
            sql`oldest.expires_at <= ${now}`
          ),
        /** A cart whose checkout is being paid waits for what becomes of that. */
        expireCarts: (storeId: string, now: Date, most: number) =>
          Effect.map(
            many(
              sql<{ readonly id: string }>`WITH past AS (
                  SELECT c.id FROM cart c WHERE c.store_id = ${storeId}
                    AND c.status = ANY (ARRAY['ACTIVE', 'ABANDONED']) AND c.expires_at <= ${now}
                    AND NOT EXISTS (SELECT FROM checkout k WHERE k.store_id = c.store_id AND k.cart_id = c.id
                      AND k.status = 'PROCESSING')
                  ORDER BY c.expires_at LIMIT ${most} FOR UPDATE OF c SKIP LOCKED)
                UPDATE cart c SET status = 'EXPIRED' FROM past p WHERE c.store_id = ${storeId} AND c.id = p.id
                RETURNING c.id`
            ),
            ids
          ),
        /** Those of the carts or checkouts that still hold units. */
        holding: (storeId: string, holderIds: ReadonlyArray<string>) =>
          Effect.map(
            many(
              sql<{ readonly id: string }>`SELECT DISTINCT holder_id AS id FROM reservation
                WHERE store_id = ${storeId} AND holder_id = ANY(${holderIds}::text[]) ORDER BY holder_id`
            ),
            ids
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
