/** What must hold for orders that were cancelled. */
import type { Law } from "../database/Law.ts"

/** Units of a refund that it has kept out of stock, and all that it has not decided yet. */
const keptUnits = `CASE WHEN q.completed_at IS NOT NULL THEN n.quantity - n.restock
  WHEN EXISTS (SELECT FROM refund r WHERE r.store_id = $1 AND r.request_id = q.id AND r.status <> 'failed')
    THEN n.quantity ELSE 0 END`

export const cancellationLaws: ReadonlyArray<Law> = [
  {
    law: "cancellation.status",
    says: "an order that somebody has cancelled is cancelled",
    table: "cancellation",
    sql: `SELECT c.order_id AS id, 'CANCELLED' AS expected, o.status AS found FROM cancellation c
      JOIN orders o ON o.store_id = $1 AND o.id = c.order_id WHERE c.store_id = $1 AND o.status <> 'CANCELLED'`
  },
  {
    law: "cancellation.sent",
    says: "nothing of a cancelled order was sent",
    table: "order_item",
    sql: `SELECT i.order_id || ' ' || i.id AS id, 0 AS expected, i.fulfilled_quantity AS found
      FROM orders o JOIN order_item i ON i.store_id = $1 AND i.order_id = o.id
      WHERE o.store_id = $1 AND o.status = 'CANCELLED' AND i.fulfilled_quantity > 0`
  },
  {
    law: "cancellation.stock",
    says:
      "a cancelled order has given back what it took of each row of stock that is there, unless it was not to: all " +
      "but what a refund has kept out, or is to put back still",
    table: "cancellation",
    // An order that was paid after its goods were sold out has a warning, and may have taken less than it sells.
    sql: `SELECT c.order_id || ' ' || m.key AS id, -coalesce(k.kept, 0) AS expected, sum(m.delta) AS found
      FROM cancellation c JOIN orders o ON o.store_id = $1 AND o.id = c.order_id
      JOIN stock_movement m ON m.store_id = $1 AND m.reference = c.order_id
      JOIN stock s ON s.store_id = $1 AND s.key = m.key
      LEFT JOIN (SELECT i.order_id, coalesce(p."variantId", p."productId", i.variant_id, i.product_id) AS key,
          sum(${keptUnits} * coalesce(p.quantity, 1)) AS kept FROM refund_item n
        JOIN refund_request q ON q.store_id = $1 AND q.id = n.refund_id
        JOIN order_item i ON i.store_id = $1 AND i.order_id = n.order_id AND i.id = n.item_id
        LEFT JOIN jsonb_to_recordset(i.kit_components) AS p ("productId" text, "variantId" text, quantity int) ON true
        WHERE n.store_id = $1 GROUP BY 1, 2) k ON k.order_id = c.order_id AND k.key = m.key
      WHERE c.store_id = $1 AND c.restock GROUP BY c.order_id, m.key, k.kept, o.sync_warning
      HAVING -sum(m.delta) > coalesce(k.kept, 0)
        OR (-sum(m.delta) < coalesce(k.kept, 0) AND o.sync_warning IS NULL)`
  },
  {
    law: "cancellation.uses",
    says: "a cancelled order that was never paid uses no coupon and no rule",
    table: "redemption",
    sql: `SELECT r.kind || ' ' || r.source_id || ' ' || r.order_id AS id, NULL AS expected, r.order_id AS found
      FROM cancellation c JOIN redemption r ON r.store_id = $1 AND r.order_id = c.order_id
      JOIN orders o ON o.store_id = $1 AND o.id = c.order_id
      WHERE c.store_id = $1 AND o.paid_at IS NULL AND o.captured_amount = 0`
  }
]
