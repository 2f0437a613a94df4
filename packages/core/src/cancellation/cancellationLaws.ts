/** What must hold for orders that were cancelled. */
import type { Law } from "../database/Law.ts"

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
    says: "a cancelled order has given back what it took of each row of stock that is there, unless it was not to",
    table: "cancellation",
    sql: `SELECT c.order_id || ' ' || m.key AS id, 0 AS expected, sum(m.delta) AS found FROM cancellation c
      JOIN stock_movement m ON m.store_id = $1 AND m.reference = c.order_id
      JOIN stock s ON s.store_id = $1 AND s.key = m.key
      WHERE c.store_id = $1 AND c.restock GROUP BY c.order_id, m.key HAVING sum(m.delta) <> 0`
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
