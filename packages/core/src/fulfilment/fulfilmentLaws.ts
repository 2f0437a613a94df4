/** What must hold for the parcels of orders. */
import type { Law } from "../database/Law.ts"

export const fulfilmentLaws: ReadonlyArray<Law> = [
  {
    law: "fulfilment.units",
    says: "what was sent of an item is what the parcels of its order hold of it",
    table: "order_item",
    sql: `SELECT i.order_id || ' ' || i.id AS id, coalesce(u.sent, 0) AS expected, i.fulfilled_quantity AS found
      FROM order_item i LEFT JOIN (SELECT order_id, item_id, sum(quantity) AS sent FROM fulfilment_item
        WHERE store_id = $1 GROUP BY 1, 2) u ON u.order_id = i.order_id AND u.item_id = i.id
      WHERE i.store_id = $1 AND i.fulfilled_quantity <> coalesce(u.sent, 0)`
  },
  {
    law: "fulfilment.order",
    says: "what is in a parcel is of the parcel's own order, and no parcel is empty",
    table: "fulfilment",
    sql: `SELECT f.id, f.order_id AS expected, u.order_id AS found
      FROM fulfilment f LEFT JOIN fulfilment_item u ON u.store_id = f.store_id AND u.fulfilment_id = f.id
      WHERE f.store_id = $1 AND u.order_id IS DISTINCT FROM f.order_id`
  },
  {
    law: "fulfilment.status",
    says: "an order that says it is shipped or delivered has nothing left to send but units whose refund has failed",
    table: "orders",
    // Their refund was under way when the rest was sent, and the status of an order does not go back.
    sql: `SELECT DISTINCT o.id, coalesce(n.units, 0) AS expected,
        i.quantity - i.fulfilled_quantity - i.refunded_quantity AS found
      FROM orders o JOIN order_item i ON i.store_id = o.store_id AND i.order_id = o.id
      LEFT JOIN (SELECT u.order_id, u.item_id, sum(u.quantity) AS units FROM refund_item u
        JOIN refund_request q ON q.store_id = $1 AND q.id = u.refund_id
        WHERE u.store_id = $1 AND q.completed_at IS NULL AND NOT EXISTS (SELECT FROM refund r
          WHERE r.store_id = $1 AND r.request_id = q.id AND r.status <> 'failed')
        GROUP BY 1, 2) n ON n.order_id = i.order_id AND n.item_id = i.id
      WHERE o.store_id = $1 AND o.status IN ('SHIPPED', 'DELIVERED')
        AND i.quantity - i.fulfilled_quantity - i.refunded_quantity > coalesce(n.units, 0)`
  }
]
