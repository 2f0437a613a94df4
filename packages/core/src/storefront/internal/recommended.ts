/**
 * Products recommended with given ones, such as those of a cart: first those that the given products link to (related,
 * cross-sells, upsells), in that order, then others of their categories and subcategories, in menu order. The given
 * products are never recommended.
 */
import type { SqlClient, Statement } from "effect/sql"
import { categoriesBelow } from "./shownCategories.ts"

export interface Beside {
  readonly beside: ReadonlyArray<string>
  readonly channelId?: string | null | undefined
}

const named = (sql: SqlClient.SqlClient, storeId: string, { beside }: Beside) => sql`ARRAY(
  SELECT t.id FROM product p, unnest(p.related || p.cross_sells || p.upsells) WITH ORDINALITY AS t (id, place)
  WHERE p.store_id = ${storeId} AND p.id = ANY(${beside}::text[])
  ORDER BY array_position(${beside}::text[], p.id), t.place)`

/**
 * The condition that the listing row `l` is recommended. product_listing_pkey and product_listing_filter_keys_idx serve
 * it.
 */
export const goesWith = (sql: SqlClient.SqlClient, storeId: string, asked: Beside): Statement.Fragment => {
  const filed = sql`ARRAY(SELECT pc.category_id FROM product_category pc
    WHERE pc.store_id = ${storeId} AND pc.product_id = ANY(${asked.beside}::text[]))`
  return sql`NOT l.product_id = ANY(${asked.beside}::text[]) AND (l.product_id = ANY(${named(sql, storeId, asked)})
    OR l.filter_keys && ${categoriesBelow(sql, storeId, filed, asked.channelId)})`
}

/** The sort order of recommendations, before their ids. */
export const besideOrder = (sql: SqlClient.SqlClient, storeId: string, asked: Beside): Statement.Fragment =>
  sql`ROW(array_position(${named(sql, storeId, asked)}, l.product_id), l.menu_order)`
