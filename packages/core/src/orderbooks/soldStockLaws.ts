/** What must hold for the stock that orders take and give back. */
import type { Law } from "../database/Law.ts"

/** Ids of orders, as the ledger writes them into a movement's reference; references by merchants look different. */
const orderReference = "'^ord_[0-9a-z]{26}$'"

export const soldStockLaws: ReadonlyArray<Law> = [
  {
    law: "stock.sold",
    says: "an order takes out of stock what it sells, all of it or, for goods that are not counted, nothing",
    table: "orders",
    // A kit takes the components that it had when it was sold; an order that was paid after its goods were sold out has
    // a warning.
    sql: `SELECT o.id || ' ' || m.key AS id, coalesce(i.sold, 0) AS expected, m.taken AS found
      FROM (SELECT reference, key, -sum(delta) AS taken FROM stock_movement
        WHERE store_id = $1 AND reason = 'sale' AND reference ~ ${orderReference} GROUP BY reference, key) m
      JOIN orders o ON o.store_id = $1 AND o.id = m.reference
      LEFT JOIN (SELECT order_id, key, sum(sold) AS sold FROM (
          SELECT order_id, coalesce(variant_id, product_id) AS key, quantity AS sold FROM order_item
          WHERE store_id = $1 AND kit_components IS NULL
          UNION ALL
          SELECT k.order_id, coalesce(c."variantId", c."productId"), k.quantity::bigint * c.quantity
          FROM order_item k, jsonb_to_recordset(k.kit_components) AS c ("productId" text, "variantId" text,
            quantity int) WHERE k.store_id = $1
        ) s GROUP BY order_id, key) i ON i.order_id = m.reference AND i.key = m.key
      WHERE m.taken <> coalesce(i.sold, 0) AND o.sync_warning IS NULL`
  },
  {
    law: "stock.sale",
    says: "whatever left the stock for an order left it for an order that is there",
    table: "stock_movement",
    sql: `SELECT m.id, m.reference AS expected, NULL AS found FROM stock_movement m
      WHERE m.store_id = $1 AND m.reason = 'sale' AND m.reference ~ ${orderReference} AND NOT EXISTS
        (SELECT FROM orders o WHERE o.store_id = $1 AND o.id = m.reference)`
  },
  {
    law: "stock.returned",
    says: "an order gives no more back to stock than it took",
    table: "orders",
    sql: `SELECT m.reference || ' ' || m.key AS id, '<= 0' AS expected, sum(m.delta) AS found FROM stock_movement m
      WHERE m.store_id = $1 AND m.reference ~ ${orderReference} GROUP BY m.reference, m.key HAVING sum(m.delta) > 0`
  }
]
