/** What must hold for coupons. How often each is used is a law of the redemptions. */
import type { Law } from "../database/Law.ts"

export const couponLaws: ReadonlyArray<Law> = [
  {
    law: "coupon.order",
    says:
      "an order that a coupon took something off shows its code and counts as a use of it, unless it was cancelled " +
      "unpaid",
    table: "orders",
    sql: `SELECT o.id, o.coupon_code AS expected, 'no use of ' || a.source_id AS found
      FROM (SELECT DISTINCT order_id, source_id FROM order_adjustment WHERE store_id = $1 AND kind = 'coupon') a
      JOIN orders o ON o.store_id = $1 AND o.id = a.order_id
      JOIN coupon c ON c.store_id = $1 AND c.id = a.source_id
      WHERE o.coupon_code IS NULL OR NOT (o.status = 'CANCELLED' AND o.paid_at IS NULL) AND NOT EXISTS (
        SELECT FROM redemption r WHERE r.store_id = $1 AND r.kind = 'coupon' AND r.source_id = a.source_id
          AND r.order_id = a.order_id)`
  },
  {
    law: "coupon.discount",
    says: "a coupon takes no larger part of the subtotal off an order than the percentage that the order shows",
    table: "order_adjustment",
    sql: `SELECT a.order_id || ' ' || a.source_id AS id, a.most AS expected, a.amount AS found
      FROM (SELECT a.order_id, a.source_id, sum(a.amount) AS amount,
          round(max(a.value::numeric) * max(o.subtotal) / 100) AS most
        FROM order_adjustment a JOIN orders o ON o.store_id = $1 AND o.id = a.order_id
        WHERE a.store_id = $1 AND a.kind = 'coupon' AND a.type = 'PERCENTAGE' GROUP BY 1, 2) a
      WHERE a.amount > a.most`
  }
]
