/**
 * What goes with products, such as those of a cart: what they name (related, cross-sells, upsells), in that order, then
 * others of their categories and of those below, in the order of the menu. None of them is what it goes with.
 */
import type { SqlClient, Statement } from "effect/sql"
import { categoriesBelow, shownIn } from "./facetFilters.ts"

export interface Beside {
  readonly beside: ReadonlyArray<string>
  readonly channelId?: string | null | undefined
}

const named = (sql: SqlClient.SqlClient, storeId: string, { beside }: Beside) => sql`ARRAY(
  SELECT t.id FROM product p, unnest(p.related || p.cross_sells || p.upsells) WITH ORDINALITY AS t (id, place)
  WHERE p.store_id = ${storeId} AND p.id = ANY(${beside}::text[])
  ORDER BY array_position(${beside}::text[], p.id), t.place)`

/**
 * Whether the listing row `l` goes with them. product_listing_pkey and product_listing_terms_idx find those that do.
 */
export const goesWith = (sql: SqlClient.SqlClient, storeId: string, asked: Beside): Statement.Fragment => {
  const filed = sql`ARRAY(SELECT pc.category_id FROM product_category pc
    WHERE pc.store_id = ${storeId} AND pc.product_id = ANY(${asked.beside}::text[]))`
  return sql`NOT l.product_id = ANY(${asked.beside}::text[]) AND (l.product_id = ANY(${named(sql, storeId, asked)})
    OR l.terms && ${categoriesBelow(sql, storeId, filed, shownIn(sql, asked.channelId))})`
}

export const besideOrder = (sql: SqlClient.SqlClient, storeId: string, asked: Beside): Statement.Fragment =>
  sql`array_position(${named(sql, storeId, asked)}, l.product_id), l.menu_order, l.product_id`
