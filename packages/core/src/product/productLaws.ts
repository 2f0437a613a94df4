/** Invariants of products, of their imports, and of events about products. */
import type { Law } from "../database/Law.ts"

export const productLaws: ReadonlyArray<Law> = [
  {
    law: "product.modifier-groups",
    says: "a product with modifier groups says that it has some, so that carts ask for them",
    table: "product_modifier_group",
    sql: `SELECT a.product_id || ' ' || a.id AS id, 'true' AS expected, 'false' AS found
      FROM product_modifier_group a WHERE a.store_id = $1 AND EXISTS (SELECT FROM product p
        WHERE p.store_id = $1 AND p.id = a.product_id AND NOT p.has_modifier_groups)`
  },
  {
    law: "import.finished",
    says: "an import is finished when nothing of it waits, and not before",
    table: "product_import",
    sql: `SELECT i.id, CASE WHEN r.waiting > 0 THEN 'unfinished' ELSE 'finished' END AS expected,
      r.waiting || ' waiting, finished ' || coalesce(i.finished_at::text, 'never') AS found
      FROM product_import i CROSS JOIN LATERAL (SELECT count(*) AS waiting FROM product_import_row
        WHERE store_id = $1 AND import_id = i.id AND product_id IS NULL AND error IS NULL) r
      WHERE i.store_id = $1 AND (r.waiting = 0) <> (i.finished_at IS NOT NULL)`
  },
  {
    law: "event.goods",
    says: "an event of goods or stock tells of a product of the store",
    table: "event",
    // The row of a deleted product stays.
    sql: `SELECT e.id, e.data->>'productId' AS expected, NULL AS found FROM event e
      WHERE e.store_id = $1 AND e.type IN ('product.created', 'product.updated', 'inventory.updated')
        AND NOT EXISTS (SELECT FROM product p WHERE p.store_id = $1 AND p.id = e.data->>'productId')`
  }
]
