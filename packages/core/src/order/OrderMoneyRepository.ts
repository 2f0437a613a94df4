/** Writes what a capture or refund changes in an order, in one statement. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, none } from "../database/Repository.ts"
import { jsonText } from "../kernel/CanonicalJson.ts"
import type { OrderRefund, OrderState } from "./Order.ts"

/**
 * What a capture or refund changes in an order: the order's own sums and states, the payments as they now are, and new
 * refunds; a refund whose id is stored already grows by the amount.
 */
export type OrderMoneyChange = Pick<
  OrderState,
  | "id"
  | "status"
  | "financialStatus"
  | "capturedAmount"
  | "refundedAmount"
  | "statusHistory"
  | "payments"
  | "currency"
  | "syncWarning"
> & {
  readonly newRefunds: ReadonlyArray<OrderRefund>
}

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
                    status_history = ${jsonText(change.statusHistory)}::jsonb, sync_warning = ${change.syncWarning},
                    updated_at = ${now}
                WHERE store_id = ${storeId} AND id = ${change.id}
              ), paid AS (
                INSERT INTO payment (store_id, id, order_id, provider, method, reference, status, amount, captured,
                  refunded, currency, paid_at, created_at, updated_at)
                SELECT ${storeId}, p.id, ${change.id}, p.provider, p.method, p.reference, p.status, p.amount,
                  p.captured, p.refunded, ${change.currency}, p."paidAt", ${now}, ${now}
                FROM jsonb_to_recordset(${jsonText(change.payments)}::jsonb)
                  AS p (id text, provider text, method text, reference text, status text, amount bigint,
                    captured bigint, refunded bigint, "paidAt" timestamptz)
                ON CONFLICT (store_id, id) DO UPDATE SET paid_at = EXCLUDED.paid_at, method = EXCLUDED.method,
                  reference = EXCLUDED.reference, status = EXCLUDED.status, amount = EXCLUDED.amount,
                    captured = EXCLUDED.captured, refunded = EXCLUDED.refunded, updated_at = EXCLUDED.updated_at
              )
              INSERT INTO refund (store_id, id, order_id, payment_id, amount, reason, status, type, source, created_at)
              SELECT ${storeId}, r.id, ${change.id}, r."paymentId", r.amount, r.reason, r.status, r.type, r.source,
                ${now}
              FROM
                jsonb_to_recordset(${jsonText(change.newRefunds)}::jsonb)
                AS r (id text, "paymentId" text, amount bigint, reason text, status text, type text, source text)
              ON CONFLICT (store_id, id) DO UPDATE SET amount = refund.amount + EXCLUDED.amount, type = EXCLUDED.type`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(OrderMoneyRepository, OrderMoneyRepository.make)
}
