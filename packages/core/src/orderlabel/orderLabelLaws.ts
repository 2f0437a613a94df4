/** What must hold for the labels of orders. */
import type { Law } from "../database/Law.ts"

export const orderLabelLaws: ReadonlyArray<Law> = [
  {
    law: "order.label",
    says: "an order has no label of another store",
    table: "orders",
    sql: `SELECT o.id, o.store_id AS expected, l.store_id AS found FROM orders o
      JOIN order_status_label l ON l.id = o.status_label_id AND l.store_id <> o.store_id
      WHERE o.store_id = $1 AND o.status_label_id IS NOT NULL`
  }
]
