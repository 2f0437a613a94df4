/** Writes what a capture, a refund or a dispute changes in an order, in one statement. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, none } from "../database/Repository.ts"
import { jsonText } from "../kernel/CanonicalJson.ts"
import type { OrderState } from "./Order.ts"

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

        saveMoney: (storeId: string, change: OrderMoneyChange, now: Date) =>
          none(
            sql`WITH moved AS (
                UPDATE orders SET status = ${change.status}, financial_status = ${change.financialStatus},
                  captured_amount = ${change.capturedAmount}, refunded_amount = ${change.refundedAmount},
                    presentment = ${change.presentment === null ? null : jsonText(change.presentment)}::jsonb,
                    status_history = ${jsonText(change.statusHistory)}::jsonb, paid_at = ${change.paidAt},
                    updated_at = ${now}
                WHERE store_id = ${storeId} AND id = ${change.id}
              ), paid AS (
                INSERT INTO payment (store_id, id, order_id, provider, method, reference, status, amount, captured,
                  surplus, refunded, failure, currency, paid_at, actor, created_at, updated_at)
                SELECT ${storeId}, p.id, ${change.id}, p.provider, p.method, p.reference, p.status, p.amount,
                  p.captured, p.surplus, p.refunded, p.failure, ${change.currency}, p."paidAt", p.actor, ${now}, ${now}
                FROM jsonb_to_recordset(${jsonText(change.payments)}::jsonb)
                  AS p (id text, provider text, method text, reference text, status text, amount bigint,
                    captured bigint, surplus bigint, refunded bigint, failure text, "paidAt" timestamptz, actor jsonb)
                ON CONFLICT (store_id, id) DO UPDATE SET paid_at = EXCLUDED.paid_at, method = EXCLUDED.method, actor = EXCLUDED.actor,
                  reference = EXCLUDED.reference, status = EXCLUDED.status, amount = EXCLUDED.amount,
                    captured = EXCLUDED.captured, surplus = EXCLUDED.surplus, refunded = EXCLUDED.refunded,
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
                key, succeeded_at, created_at)
              SELECT ${storeId}, r.id, ${change.id}, r."paymentId", r.amount, r.reason, r.status, r.type, r.source,
                r."externalId", r.key, r."succeededAt", ${now}
              FROM jsonb_to_recordset(${jsonText(change.refunds)}::jsonb)
                AS r (id text, "paymentId" text, amount bigint, reason text, status text, type text, source text,
                  "externalId" text, key text, "succeededAt" timestamptz)
              ON CONFLICT (store_id, id) DO UPDATE SET amount = EXCLUDED.amount, status = EXCLUDED.status,
                type = EXCLUDED.type, external_id = EXCLUDED.external_id, succeeded_at = EXCLUDED.succeeded_at`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(OrderMoneyRepository, OrderMoneyRepository.make)
}
