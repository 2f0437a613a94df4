/** Writes what a capture, a refund or a dispute changes in an order, in one statement. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, many, none } from "../database/Repository.ts"
import { jsonText } from "../kernel/CanonicalJson.ts"
import type { FulfillmentStatus, OrderState } from "./Order.ts"

/**
 * What money changes in an order: the order's own sums and states, the payments as they now are, and the refunds and
 * disputes that are new or changed.
 */
export type OrderMoneyChange = Pick<
  OrderState,
  | "id"
  | "status"
  | "financialStatus"
  | "capturedAmount"
  | "refundedAmount"
  | "presentment"
  | "statusHistory"
  | "payments"
  | "refunds"
  | "disputes"
  | "currency"
  | "paidAt"
  | "updatedAt"
>

export class OrderMoneyRepository extends Context.Service<OrderMoneyRepository>()(
  "@effect-commerce/core/order/OrderMoneyRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database

      return {
        /** Locks the order's row; every change of an order begins with it. */
        lock: (storeId: string, id: string) =>
          anyRow(sql`SELECT 1 FROM orders WHERE store_id = ${storeId} AND id = ${id} FOR UPDATE`),

        /** What is refunded is not to be sent any more. */
        saveFulfillment: (storeId: string, id: string, status: FulfillmentStatus) =>
          none(sql`UPDATE orders SET fulfillment_status = ${status} WHERE store_id = ${storeId} AND id = ${id}`),

        saveMoney: (storeId: string, change: OrderMoneyChange, now: Date) =>
          none(
            sql`WITH moved AS (
                UPDATE orders SET status = ${change.status}, financial_status = ${change.financialStatus},
                  captured_amount = ${change.capturedAmount}, refunded_amount = ${change.refundedAmount},
                    presentment = ${change.presentment === null ? null : jsonText(change.presentment)}::jsonb,
                    status_history = ${jsonText(change.statusHistory)}::jsonb, paid_at = ${change.paidAt},
                    updated_at = ${change.updatedAt}
                WHERE store_id = ${storeId} AND id = ${change.id}
              ), paid AS (
                INSERT INTO payment (store_id, id, order_id, provider, method, reference, status, amount, captured,
                  surplus, refunded, refunding, expires_at, failure, currency, paid_at, actor, created_at, updated_at)
                SELECT ${storeId}, p.id, ${change.id}, p.provider, p.method, p.reference, p.status, p.amount,
                  p.captured, p.surplus, p.refunded, coalesce(p.refunding, 0), p."expiresAt", p.failure,
                  ${change.currency}, p."paidAt", p.actor, ${now}, ${now}
                FROM jsonb_to_recordset(${jsonText(change.payments)}::jsonb)
                  AS p (id text, provider text, method text, reference text, status text, amount bigint,
                    captured bigint, surplus bigint, refunded bigint, refunding bigint, "expiresAt" timestamptz,
                    failure text, "paidAt" timestamptz, actor jsonb)
                ON CONFLICT (store_id, id) DO UPDATE SET paid_at = EXCLUDED.paid_at, method = EXCLUDED.method,
                  actor = EXCLUDED.actor,
                  reference = EXCLUDED.reference, status = EXCLUDED.status, amount = EXCLUDED.amount,
                    captured = EXCLUDED.captured, surplus = EXCLUDED.surplus, refunded = EXCLUDED.refunded,
                    refunding = EXCLUDED.refunding, expires_at = EXCLUDED.expires_at,
                    failure = EXCLUDED.failure, updated_at = EXCLUDED.updated_at
              ), disputed AS (
                INSERT INTO dispute (store_id, id, order_id, payment_id, external_id, amount, status, reason, due_at,
                  created_at, updated_at)
                SELECT ${storeId}, d.id, ${change.id}, d."paymentId", d."externalId", d.amount, d.status, d.reason,
                  d."dueAt", ${now}, ${now}
                FROM jsonb_to_recordset(${jsonText(change.disputes)}::jsonb)
                  AS d (id text, "paymentId" text, "externalId" text, amount bigint, status text, reason text,
                    "dueAt" timestamptz)
                ON CONFLICT (store_id, id) DO UPDATE SET amount = EXCLUDED.amount, status = EXCLUDED.status,
                  reason = EXCLUDED.reason, due_at = EXCLUDED.due_at, updated_at = EXCLUDED.updated_at
              )
              INSERT INTO refund (store_id, id, order_id, payment_id, amount, reason, status, type, source, external_id,
                key, request_id, asked, actor, succeeded_at, created_at)
              SELECT ${storeId}, r.id, ${change.id}, r."paymentId", r.amount, r.reason, r.status, r.type, r.source,
                r."externalId", r.key, r."requestId", r.asked, r.actor, r."succeededAt", ${now}
              FROM jsonb_to_recordset(${jsonText(change.refunds)}::jsonb)
                AS r (id text, "paymentId" text, amount bigint, reason text, status text, type text, source text,
                  "externalId" text, key text, "requestId" text, asked bigint, actor jsonb,
                  "succeededAt" timestamptz)
              ON CONFLICT (store_id, id) DO UPDATE SET amount = EXCLUDED.amount, status = EXCLUDED.status,
                type = EXCLUDED.type, external_id = EXCLUDED.external_id, succeeded_at = EXCLUDED.succeeded_at`
          ),
        /**
         * Sets an amount of a payment aside for a refund: false where that and all that was given back, or is under
         * way, would exceed what it has captured.
         */
        reserve: (storeId: string, paymentId: string, amount: bigint, now: Date) =>
          anyRow(
            sql`UPDATE payment p SET refunding = p.refunding + ${amount}::bigint, updated_at = ${now}
              WHERE p.store_id = ${storeId} AND p.id = ${paymentId}
                AND ${amount}::bigint + p.refunding + (SELECT coalesce(sum(r.amount), 0) FROM refund r
                  WHERE r.store_id = ${storeId} AND r.order_id = p.order_id AND r.payment_id = p.id
                    AND r.status = 'succeeded') <= p.captured + p.surplus RETURNING 1`
          ),
        /** Adds to what the order's merchant has to know. */
        warn: (storeId: string, id: string, syncWarning: string) =>
          none(sql`UPDATE orders SET sync_warning = ${syncWarning} WHERE store_id = ${storeId} AND id = ${id}`),
        /**
         * Brings the units that were refunded to what requests say that have a refund which has not failed, or that
         * were completed once: what they have put back into stock stays there, whatever becomes of the money. After
         * their rows are written, under the order's lock.
         */
        countRefunded: (storeId: string, id: string) =>
          many(
            sql<{ readonly id: string; readonly refundedQuantity: number }>`UPDATE order_item i
              SET refunded_quantity = c.quantity
              FROM (SELECT o.id, least(o.quantity, coalesce(sum(n.quantity), 0))::int AS quantity FROM order_item o
                LEFT JOIN refund_item n ON n.store_id = ${storeId} AND n.order_id = ${id} AND n.item_id = o.id
                  AND (EXISTS (SELECT FROM refund r WHERE r.store_id = ${storeId} AND r.order_id = ${id}
                    AND r.request_id = n.refund_id AND r.status <> 'failed')
                    OR EXISTS (SELECT FROM refund_request q WHERE q.store_id = ${storeId} AND q.id = n.refund_id
                      AND q.completed_at IS NOT NULL))
                WHERE o.store_id = ${storeId} AND o.order_id = ${id} GROUP BY o.id, o.quantity) c
              WHERE i.store_id = ${storeId} AND i.order_id = ${id} AND i.id = c.id
              RETURNING i.id, i.refunded_quantity`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(OrderMoneyRepository, OrderMoneyRepository.make)
}
