/** The values that new products begin with, as the statement that inserts the products. */
import type { SqlClient, Statement } from "effect/sql"

/**
 * The end of a statement whose CTE inserts the products: the default of each definition that all products have. The
 * definitions do not change until the transaction ends; a new product is attached to none by name.
 */
export const firstValues = (
  sql: SqlClient.SqlClient,
  storeId: string,
  productIds: ReadonlyArray<string>,
  now: Date
): Statement.Fragment => sql`INSERT INTO metafield_value (store_id, product_id, definition_id, value, updated_at)
  SELECT ${storeId}, made.id, d.id, d.default_value, ${now}
  FROM (
    SELECT id, default_value FROM metafield_definition
    WHERE store_id = ${storeId} AND default_value IS NOT NULL AND applies_to_all_products AND NOT is_customer_input
    ORDER BY id FOR SHARE
  ) d, unnest(${productIds}::text[]) AS made (id)`
