/** What must hold for stock and its movements. */
import type { Law } from "../database/Law.ts"

export const inventoryLaws: ReadonlyArray<Law> = [
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
    law: "stock.owner",
    says: "a stock row is counted under its own variant, or its own product",
    table: "stock",
    sql: `SELECT s.key AS id, coalesce(s.variant_id, s.product_id) AS expected, s.key AS found FROM stock s
      LEFT JOIN product_variant v ON v.store_id = $1 AND v.id = s.variant_id
      WHERE s.store_id = $1 AND (s.key <> coalesce(s.variant_id, s.product_id) OR v.product_id <> s.product_id)`
  }
]
