/** The SQL of refund_request and refund_item, and the lock of an order's money. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { none, one } from "../database/Repository.ts"
import { jsonText } from "../kernel/CanonicalJson.ts"
import type { RefundedUnits } from "./internal/refundPlan.ts"

export interface NewRefundRequest {
  readonly id: string
  readonly orderId: string
  readonly amount: bigint
  readonly shipping: bigint
  readonly shippingTax: bigint
  readonly reason: string | null
  /** `RequestKey`. */
  readonly requestKey: string | null
  readonly isBuyerTold: boolean
  readonly items: ReadonlyArray<RefundedUnits>
  readonly now: Date
}

export interface RefundRequest {
  readonly id: string
  readonly reason: string | null
  readonly isBuyerTold: boolean
  readonly completedAt: Date | null
  readonly items: ReadonlyArray<Pick<RefundedUnits, "itemId" | "quantity" | "restock">>
}

export class RefundRepository extends Context.Service<RefundRepository>()(
  "@effect-commerce/core/refund/RefundRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      return {
        // The charges are locked while the condition on them is evaluated, which is before the order's row is.
        /** Locks the charges that have paid for an order, then the order. For `OutcomeHandler.lock`. */
        lock: (storeId: string, orderId: string) =>
          sql`SELECT o.id AS order_id FROM orders o WHERE o.store_id = ${storeId} AND o.id = ${orderId}
              AND (SELECT count(*) FROM (SELECT 1 FROM provider_operation c WHERE c.store_id = ${storeId}
                AND c.subject_id = (SELECT checkout_id FROM orders WHERE store_id = ${storeId} AND id = ${orderId})
                AND c.kind = 'authorize' AND c.state = 'succeeded' FOR UPDATE) charges) >= 0
            FOR UPDATE OF o`,
        insert: (storeId: string, { items, ...request }: NewRefundRequest) =>
          none(
            sql`WITH request AS (
                INSERT INTO refund_request (store_id, id, order_id, amount, shipping, shipping_tax, reason, request_key,
                  is_buyer_told, created_at)
                VALUES (${storeId}, ${request.id}, ${request.orderId}, ${request.amount}, ${request.shipping},
                  ${request.shippingTax}, ${request.reason}, ${request.requestKey}, ${request.isBuyerTold},
                  ${request.now})
              )
              INSERT INTO refund_item (store_id, refund_id, item_id, order_id, quantity, amount, tax, restock)
              SELECT ${storeId}, ${request.id}, i."itemId", ${request.orderId}, i.quantity, i.amount, i.tax, i.restock
              FROM jsonb_to_recordset(${jsonText(items)}::jsonb)
                AS i ("itemId" text, quantity int, amount bigint, tax bigint, restock int)`
          ),
        // refund_request_store_id_order_id_idx serves this and the next two.
        /** What of the order's shipping was given back, with what is under way. */
        shippingBefore: (storeId: string, orderId: string) =>
          Effect.map(
            one(
              sql<{ readonly shipping: bigint }>`SELECT coalesce(sum(q.shipping), 0)::bigint AS shipping
                FROM refund_request q WHERE q.store_id = ${storeId} AND q.order_id = ${orderId}
                  AND EXISTS (SELECT FROM refund r WHERE r.store_id = ${storeId} AND r.order_id = ${orderId}
                    AND r.request_id = q.id AND r.status <> 'failed')`
            ),
            (row) => row?.shipping ?? 0n
          ),
        /** The refund that this request has begun before, as far back as Idempotency-Keys are kept. */
        begunBy: (storeId: string, orderId: string, requestKey: string, since: Date) =>
          one(
            sql<{ readonly id: string }>`SELECT id FROM refund_request WHERE store_id = ${storeId}
              AND order_id = ${orderId} AND request_key = ${requestKey} AND created_at >= ${since}`,
            ({ id }) => id
          ),
        find: (storeId: string, id: string) =>
          one(
            sql<RefundRequest>`SELECT q.id, q.reason, q.is_buyer_told, q.completed_at,
                coalesce((SELECT json_agg(json_build_object('itemId', i.item_id, 'quantity', i.quantity, 'restock',
                  i.restock) ORDER BY i.item_id) FROM refund_item i
                  WHERE i.store_id = ${storeId} AND i.refund_id = q.id), '[]'::json) AS items
              FROM refund_request q WHERE q.store_id = ${storeId} AND q.id = ${id}`
          ),
        complete: (storeId: string, id: string, now: Date) =>
          none(
            sql`UPDATE refund_request SET completed_at = ${now}
              WHERE store_id = ${storeId} AND id = ${id} AND completed_at IS NULL`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(RefundRepository, RefundRepository.make)
}
