/** What holds of stock, its movements and what is held of it. */
import type { Law } from "./Law.ts"

/** Ids of orders, as the ledger writes them into a movement's reference; a merchant's own words look otherwise. */
const orderReference = "'^ord_[0-9a-z]{26}$'"

export const stockLaws: ReadonlyArray<Law> = [
  {
    law: "stock.total",
    says: "what is in stock is the sum of its movements",
    table: "stock",
    sql: `SELECT s.key AS id, coalesce(m.moved, 0) AS expected, s.total AS found
      FROM stock s LEFT JOIN (SELECT key,
        sum(delta) AS moved FROM stock_movement WHERE store_id = $1 GROUP BY key) m ON m.key = s.key
      WHERE s.store_id = $1 AND s.total <> coalesce(m.moved, 0)`
  },
  {
    law: "stock.reserved",
    says: "what is reserved is the sum of the reservations",
    table: "stock",
    sql: `SELECT s.key AS id, coalesce(r.held, 0) AS expected, s.reserved AS found
      FROM stock s LEFT JOIN (SELECT key,
        sum(quantity) AS held FROM reservation WHERE store_id = $1 GROUP BY key) r ON r.key = s.key
      WHERE s.store_id = $1 AND s.reserved <> coalesce(r.held, 0)`
  },
  {
    law: "stock.floor",
    says: "no more is sold and held than there is and may be ordered in advance",
    table: "stock",
    sql: `SELECT s.key AS id, '>= ' || s.floor AS expected, s.total - s.reserved AS found
      FROM (SELECT *,
        -(CASE backorder_mode WHEN 'LIMITED' THEN coalesce(backorder_limit,
        0) ELSE 0 END) AS floor FROM stock WHERE store_id = $1) s
      WHERE s.tracking_mode = 'TRACKED' AND s.backorder_mode <> 'ALLOW' AND s.total - s.reserved < s.floor`
  },
  {
    law: "stock.sold",
    says: "an order takes out of stock what it sells, all of it or, for goods that are not counted, nothing",
    table: "orders",
    // A kit takes the components that it had when it was sold; an order that was paid when its goods were gone says so.
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
  },
  {
    law: "stock.owner",
    says: "a stock row is counted under its own variant, or its own product",
    table: "stock",
    sql: `SELECT s.key AS id, coalesce(s.variant_id, s.product_id) AS expected, s.key AS found FROM stock s
      LEFT JOIN product_variant v ON v.store_id = $1 AND v.id = s.variant_id
      WHERE s.store_id = $1 AND (s.key <> coalesce(s.variant_id, s.product_id) OR v.product_id <> s.product_id)`
  },
  {
    law: "reservation.holder",
    says: "whatever is held is held for a cart or a checkout that is there",
    table: "reservation",
    sql: `SELECT r.holder_id || ' ' || r.key AS id, 'a cart or checkout' AS expected, NULL AS found FROM reservation r
      WHERE r.store_id = $1 AND NOT EXISTS (SELECT FROM cart c WHERE c.store_id = $1 AND c.id = r.holder_id)
        AND NOT EXISTS (SELECT FROM checkout k WHERE k.store_id = $1 AND k.id = r.holder_id)`
  }
]
