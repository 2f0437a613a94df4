/** What must hold for the uses of rules and coupons. */
import type { Law } from "../database/Law.ts"

export const redemptionLaws: ReadonlyArray<Law> = [
  {
    law: "redemption.counter",
    says: "a rule or coupon is counted as often as orders have used it",
    table: "redemption_counter",
    sql: `SELECT coalesce(c.kind, r.kind) || ' ' || coalesce(c.source_id, r.source_id) AS id,
        coalesce(r.uses, 0) AS expected, coalesce(c.uses, 0) AS found
      FROM (SELECT * FROM redemption_counter WHERE store_id = $1) c FULL JOIN (
        SELECT kind, source_id, count(*) AS uses FROM redemption WHERE store_id = $1 AND order_id IS NOT NULL
        GROUP BY 1, 2) r ON r.kind = c.kind AND r.source_id = c.source_id
      WHERE coalesce(c.uses, 0) <> coalesce(r.uses, 0)`
  },
  {
    law: "redemption.order",
    says: "a use is of an order that the rule or coupon took something off",
    table: "redemption",
    sql: `SELECT r.kind || ' ' || r.source_id || ' ' || r.holder_id AS id, r.order_id AS expected, NULL AS found
      FROM redemption r WHERE r.store_id = $1 AND r.order_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM order_adjustment a WHERE a.store_id = $1 AND a.order_id = r.order_id AND a.kind = r.kind
          AND a.source_id = r.source_id)`
  }
]
