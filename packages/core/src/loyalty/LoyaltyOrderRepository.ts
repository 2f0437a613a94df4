/** The SQL of loyalty_order and loyalty_referral, and how an order's money stands. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, none, one } from "../database/Repository.ts"
import { loyaltyKind } from "./LoyaltyKind.ts"
import type { OrderMoneyNow } from "./LoyaltyPoints.ts"

export interface LoyaltyOrderState {
  readonly customerId: string
  readonly earned: bigint | null
  readonly reversed: bigint
  readonly spent: bigint
  readonly worth: bigint
  readonly returned: bigint
}

export interface Redeemed {
  readonly orderId: string
  readonly customerId: string
  readonly spent: bigint
  /** Minor units. */
  readonly worth: bigint
}

export class LoyaltyOrderRepository extends Context.Service<LoyaltyOrderRepository>()(
  "@effect-commerce/core/loyalty/LoyaltyOrderRepository",
  {
    make: Effect.map(Database, ({ sql }) => ({
      find: (storeId: string, orderId: string) =>
        one(sql<LoyaltyOrderState>`SELECT customer_id, earned, reversed, spent, worth, returned FROM loyalty_order
          WHERE store_id = ${storeId} AND order_id = ${orderId}`),
      /** What an unpaid order will earn. */
      promise: (storeId: string, orderId: string, customerId: string, pending: bigint) =>
        none(sql`INSERT INTO loyalty_order AS o (store_id, order_id, customer_id, pending)
          VALUES (${storeId}, ${orderId}, ${customerId}, ${pending})
          ON CONFLICT (store_id, order_id) DO UPDATE SET pending = EXCLUDED.pending WHERE o.earned IS NULL`),
      dropPromise: (storeId: string, orderId: string) =>
        none(sql`UPDATE loyalty_order SET pending = 0 WHERE store_id = ${storeId} AND order_id = ${orderId}
          AND pending > 0`),
      /** Once for each order: false where it has earned already. */
      earn: (storeId: string, orderId: string, customerId: string, earned: bigint) =>
        anyRow(sql`INSERT INTO loyalty_order AS o (store_id, order_id, customer_id, earned)
          VALUES (${storeId}, ${orderId}, ${customerId}, ${earned})
          ON CONFLICT (store_id, order_id) DO UPDATE SET earned = EXCLUDED.earned, pending = 0
            WHERE o.earned IS NULL RETURNING 1`),
      redeem: (storeId: string, { orderId, customerId, spent, worth }: Redeemed) =>
        none(sql`INSERT INTO loyalty_order (store_id, order_id, customer_id, spent, worth)
          VALUES (${storeId}, ${orderId}, ${customerId}, ${spent}, ${worth})
          ON CONFLICT (store_id, order_id) DO UPDATE SET spent = EXCLUDED.spent, worth = EXCLUDED.worth`),
      undo: (storeId: string, orderId: string, reversed: bigint, returned: bigint) =>
        none(sql`UPDATE loyalty_order SET reversed = ${reversed}, returned = ${returned}
          WHERE store_id = ${storeId} AND order_id = ${orderId}`),
      /** payment_store_id_order_id_idx and refund_store_id_order_id_idx serve it. */
      moneyOf: (storeId: string, orderId: string) =>
        one(sql<OrderMoneyNow>`SELECT o.status = 'CANCELLED' AS is_cancelled, p.captured, p.refunded, p.worth,
            p.worth_refunded, (SELECT coalesce(sum(r.amount), 0)::bigint FROM refund r
              JOIN payment q ON q.store_id = r.store_id AND q.id = r.payment_id AND q.provider <> ${loyaltyKind}
              WHERE r.store_id = ${storeId} AND r.order_id = ${orderId} AND r.status = 'succeeded'
                AND r.source = 'provider') AS refunded_by_provider
          FROM orders o CROSS JOIN LATERAL (
            SELECT coalesce(sum(captured) FILTER (WHERE provider <> ${loyaltyKind}), 0)::bigint AS captured,
              coalesce(sum(refunded) FILTER (WHERE provider <> ${loyaltyKind}), 0)::bigint AS refunded,
              coalesce(sum(captured) FILTER (WHERE provider = ${loyaltyKind}), 0)::bigint AS worth,
              coalesce(sum(refunded) FILTER (WHERE provider = ${loyaltyKind}), 0)::bigint AS worth_refunded
            FROM payment WHERE store_id = ${storeId} AND order_id = ${orderId}) p
          WHERE o.store_id = ${storeId} AND o.id = ${orderId}`),
      /** Records who referred a customer, by the code that was given at registration, if it is somebody's. */
      refer: (storeId: string, customerId: string, now: Date) =>
        none(sql`INSERT INTO loyalty_referral (store_id, customer_id, referrer_id, created_at)
          SELECT c.store_id, c.id, a.customer_id, ${now} FROM customer c
            JOIN loyalty_account a ON a.store_id = c.store_id AND a.referral_code = c.referral_code
              AND a.customer_id <> c.id
            JOIN customer r ON r.store_id = a.store_id AND r.id = a.customer_id AND r.deleted_at IS NULL
          WHERE c.store_id = ${storeId} AND c.id = ${customerId} ON CONFLICT (store_id, customer_id) DO NOTHING`),
      /** Once for each referred customer, with their first paid order: who referred them. */
      rewardReferral: (storeId: string, customerId: string, orderId: string) =>
        one(
          sql<{ readonly referrerId: string }>`UPDATE loyalty_referral SET order_id = ${orderId}
            WHERE store_id = ${storeId} AND customer_id = ${customerId} AND order_id IS NULL RETURNING referrer_id`,
          ({ referrerId }) => referrerId
        )
    }))
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
