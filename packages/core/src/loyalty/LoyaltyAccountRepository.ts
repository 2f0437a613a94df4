/** The SQL of loyalty_account, loyalty_transaction and loyalty_hold: balances, their changes, and what is held. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, many, none, one, page, storesWhoseOldest } from "../database/Repository.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { AccountState, TransactionCause, TransactionState, TransactionType } from "./LoyaltyAccount.ts"

export interface Posting {
  readonly id: string
  readonly customerId: string
  readonly type: TransactionType
  readonly cause: TransactionCause
  /** How many points are added or taken, more than 0. */
  readonly points: bigint
  readonly orderId: string | null
  readonly reason: string | null
  readonly now: Date
}

export interface PointsHold {
  readonly holderId: string
  readonly customerId: string
  readonly points: bigint
  readonly amount: bigint
  readonly until: Date
}

export class LoyaltyAccountRepository extends Context.Service<LoyaltyAccountRepository>()(
  "@effect-commerce/core/loyalty/LoyaltyAccountRepository",
  {
    make: Effect.gen(function* () {
      const { sql, withCommit } = yield* Database

      const ofAccount = (table: string) =>
        sql`FROM ${sql.literal(table)} x WHERE x.store_id = a.store_id AND x.customer_id = a.customer_id`
      const transactionsOf = (storeId: string, customerId: string) =>
        sql`FROM loyalty_transaction WHERE store_id = ${storeId} AND customer_id = ${customerId}`

      return {
        /**
         * Locks the account of a customer, and makes it where there is none: with the first of the codes that is not
         * taken. False where there is no such customer.
         */
        open: (storeId: string, customerId: string, codes: ReadonlyArray<string>, now: Date) =>
          anyRow(sql`INSERT INTO loyalty_account AS a (store_id, customer_id, referral_code, created_at)
              SELECT c.store_id, c.id, (SELECT code FROM unnest(${codes}::text[]) AS code WHERE NOT EXISTS (
                SELECT FROM loyalty_account t WHERE t.store_id = c.store_id AND t.referral_code = code) LIMIT 1), ${now}
              FROM customer c WHERE c.store_id = ${storeId} AND c.id = ${customerId} AND c.deleted_at IS NULL
              ON CONFLICT (store_id, customer_id) DO UPDATE SET balance = a.balance RETURNING 1`),
        /** Locks an account that is there until the transaction ends, also one of a deleted customer. */
        lock: (storeId: string, customerId: string) =>
          none(sql`SELECT 1 FROM loyalty_account WHERE store_id = ${storeId} AND customer_id = ${customerId}
            FOR NO KEY UPDATE`),
        /** `holderId`: the checkout that asks. */
        find: (storeId: string, customerId: string, holderId: string | null, now: Date) =>
          one(sql<AccountState>`SELECT a.customer_id, a.referral_code, a.balance, a.lifetime,
              (SELECT coalesce(sum(x.remaining), 0)::bigint ${ofAccount("loyalty_transaction")} AND x.remaining > 0
                AND x.expires_at <= ${now}) AS due,
              (SELECT coalesce(sum(x.points), 0)::bigint ${ofAccount("loyalty_hold")}
                AND x.held_until > ${now}) AS held,
              (SELECT coalesce(sum(x.points), 0)::bigint ${ofAccount("loyalty_hold")}
                AND x.held_until > ${now} AND x.holder_id = ${holderId}::text) AS own,
              (SELECT coalesce(sum(x.pending), 0)::bigint ${ofAccount("loyalty_order")} AND x.pending > 0) AS pending
            FROM loyalty_account a WHERE a.store_id = ${storeId} AND a.customer_id = ${customerId}`),
        hasCustomer: (storeId: string, customerId: string) =>
          anyRow(sql`SELECT 1 FROM customer WHERE store_id = ${storeId} AND id = ${customerId}
            AND deleted_at IS NULL`),
        transactions: (storeId: string, customerId: string, at: Page) =>
          page(
            sql<TransactionState>`SELECT id, type, points, order_id, reason, expires_at, created_at
              ${transactionsOf(storeId, customerId)} ORDER BY seq DESC
              LIMIT ${at.limit} OFFSET ${offsetOf(at)}`,
            sql<{ readonly total: number }>`SELECT count(*)::int AS total ${transactionsOf(storeId, customerId)}`
          ),
        /** Adds points to a locked account. They are spent and expire from their own row. */
        credit: (storeId: string, row: Posting, expiresAt: Date | null, lifetime: bigint) =>
          none(sql`WITH credited AS (
              UPDATE loyalty_account SET balance = balance + ${row.points}, lifetime = lifetime + ${lifetime}
              WHERE store_id = ${storeId} AND customer_id = ${row.customerId})
            INSERT INTO loyalty_transaction (store_id, id, customer_id, type, cause, points, remaining, order_id,
              reason, expires_at, created_at)
            VALUES (${storeId}, ${row.id}, ${row.customerId}, ${row.type}, ${row.cause}, ${row.points}, ${row.points},
              ${row.orderId}, ${row.reason}, ${expiresAt}, ${row.now})`),
        /**
         * Takes points of a locked account that has them: those that expire first, before them what the order `from`
         * has earned. loyalty_transaction_left_idx finds them.
         */
        debit: (storeId: string, row: Posting, from: string | null) =>
          none(sql`WITH lots AS (
              SELECT t.id, (sum(t.remaining) OVER (ORDER BY coalesce(t.order_id = ${from}::text AND t.type = 'EARN',
                false) DESC, t.expires_at NULLS LAST, t.seq) - t.remaining)::bigint AS before
              FROM loyalty_transaction t
              WHERE t.store_id = ${storeId} AND t.customer_id = ${row.customerId} AND t.remaining > 0
            ), taken AS (
              UPDATE loyalty_transaction t SET remaining = t.remaining - least(t.remaining, ${row.points} - l.before)
              FROM lots l WHERE t.store_id = ${storeId} AND t.id = l.id AND l.before < ${row.points}
            ), debited AS (
              UPDATE loyalty_account SET balance = balance - ${row.points}
              WHERE store_id = ${storeId} AND customer_id = ${row.customerId})
            INSERT INTO loyalty_transaction (store_id, id, customer_id, type, cause, points, order_id, reason,
              created_at)
            VALUES (${storeId}, ${row.id}, ${row.customerId}, ${row.type}, ${row.cause}, -${row.points}::bigint,
              ${row.orderId}, ${row.reason}, ${row.now})`),
        lowerLifetime: (storeId: string, customerId: string, points: bigint) =>
          none(sql`UPDATE loyalty_account SET lifetime = lifetime - ${points}
            WHERE store_id = ${storeId} AND customer_id = ${customerId}`),
        /** Reasons are free text, which may speak of the customer. */
        forgetReasons: (storeId: string, customerId: string) =>
          none(sql`UPDATE loyalty_transaction SET reason = NULL
            WHERE store_id = ${storeId} AND customer_id = ${customerId} AND reason IS NOT NULL`),

        hold: (storeId: string, { holderId, customerId, points, amount, until }: PointsHold) =>
          withCommit(sql`INSERT INTO loyalty_hold (store_id, holder_id, customer_id, points, amount, held_until)
            VALUES (${storeId}, ${holderId}, ${customerId}, ${points}, ${amount}, ${until})
            ON CONFLICT (store_id, holder_id) DO UPDATE SET customer_id = EXCLUDED.customer_id,
              points = EXCLUDED.points, amount = EXCLUDED.amount, held_until = EXCLUDED.held_until`),
        /** What was held, also where its time has passed. */
        heldBy: (storeId: string, holderId: string) =>
          one(sql<Pick<PointsHold, "customerId" | "points" | "amount">>`SELECT customer_id, points, amount
            FROM loyalty_hold WHERE store_id = ${storeId} AND holder_id = ${holderId}`),
        release: (storeId: string, holderId: string) =>
          withCommit(sql`DELETE FROM loyalty_hold WHERE store_id = ${storeId} AND holder_id = ${holderId}`),

        /** The stores in which points have expired that are still in a balance. */
        storesWithDue: (now: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT t.expires_at FROM loyalty_transaction t WHERE t.store_id = s.id AND t.remaining > 0
              AND t.expires_at IS NOT NULL ORDER BY t.expires_at LIMIT 1`,
            sql`oldest.expires_at <= ${now}`
          ),
        /** Customers of a store whose points have expired, `most` at a time, after the one named. */
        customersWithDue: (storeId: string, after: string, most: number, now: Date) =>
          many(
            sql<{ readonly customerId: string }>`SELECT DISTINCT customer_id FROM loyalty_transaction
              WHERE store_id = ${storeId} AND remaining > 0 AND expires_at <= ${now} AND customer_id > ${after}
              ORDER BY customer_id LIMIT ${most}`,
            ({ customerId }) => customerId
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
