/**
 * What a list of products asks of the listing rows `l`, as SQL. Every filter of a list is a condition here: terms (ids
 * that a product is filed under), the price now, stock now.
 */
import type { SqlClient, Statement } from "effect/sql"
import type { ProductFilter } from "../ProductRepository.ts"

/** The lowest price a shopper pays at `now`. Rows whose price has changed since they were written are worked out. */
export const priceNow = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment => sql`CASE
  WHEN l.price_since <= ${now} AND l.price_until > ${now} THEN l.price
  ELSE coalesce(CASE WHEN l.type = 'KIT' THEN kit_price_at(l.store_id, l.product_id, ${now}) END,
    CASE WHEN (l.sale_starts_at IS NULL OR l.sale_starts_at <= ${now})
      AND (l.sale_ends_at IS NULL OR l.sale_ends_at > ${now}) THEN l.sale_price ELSE l.regular_price END) END`

/**
 * Whether a unit can be bought at `now`. `buyable` says so but for KITs, products that are noted as stale, and those of
 * which something is held past its time: few, and worked out.
 */
const buyableNow = (sql: SqlClient.SqlClient, storeId: string, now: Date): Statement.Fragment => sql`CASE
  WHEN l.buyable IS NULL
    OR l.product_id IN (SELECT n.product_id FROM product_stale n WHERE n.store_id = ${storeId})
    OR l.product_id IN (SELECT s.product_id FROM reservation r JOIN stock s ON s.store_id = r.store_id AND s.key = r.key
      WHERE r.store_id = ${storeId} AND r.expires_at <= ${now})
  THEN listing_buyable_at(l.store_id, l.product_id, l.type, ${now})
  ELSE l.buyable END`

/** The categories that are asked for by id or slug, with those below them, as shoppers see them. */
const categoriesBelow = (sql: SqlClient.SqlClient, storeId: string, asked: ReadonlyArray<string>) => sql`ARRAY(
  WITH RECURSIVE shown AS (
    SELECT c.id, c.slug, c.parent_id FROM category c
    WHERE c.store_id = ${storeId} AND c.deleted_at IS NULL AND c.is_active AND c.parent_id IS NULL
    UNION SELECT c.id, c.slug, c.parent_id FROM category c JOIN shown s ON c.parent_id = s.id
      WHERE c.store_id = ${storeId} AND c.deleted_at IS NULL AND c.is_active
  ), below AS (
    SELECT id FROM shown WHERE id = ANY(${asked}::text[]) OR slug = ANY(${asked}::text[])
    UNION SELECT c.id FROM shown c JOIN below b ON c.parent_id = b.id
  ) SELECT id FROM below)`

/** The active brands that are asked for by id or slug. */
const brandsNamed = (sql: SqlClient.SqlClient, storeId: string, asked: ReadonlyArray<string>) => sql`ARRAY(
  SELECT b.id FROM brand b WHERE b.store_id = ${storeId} AND b.deleted_at IS NULL AND b.is_active
    AND (b.id = ANY(${asked}::text[]) OR b.slug = ANY(${asked}::text[])))`

/** One value is asked for as one: an index that begins with it then serves. */
const oneOf = (sql: SqlClient.SqlClient, column: string, values: ReadonlyArray<string> | undefined) => {
  if (values === undefined) return []
  return [
    values.length === 1
      ? sql`${sql.literal(column)} = ${values[0]}`
      : sql`${sql.literal(column)} = ANY(${values}::text[])`
  ]
}

const searched = (search: string) => `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`

/** Beside the store. */
export const listingConditions = (
  sql: SqlClient.SqlClient,
  storeId: string,
  filter: ProductFilter
): ReadonlyArray<Statement.Fragment> => [
  ...oneOf(sql, "l.status", filter.statuses),
  ...oneOf(sql, "l.type", filter.types),
  ...(filter.search === undefined
    ? []
    : [
        sql`EXISTS (SELECT 1 FROM product p WHERE p.store_id = l.store_id AND p.id = l.product_id
          AND p.search LIKE ${searched(filter.search)})`
      ]),
  ...(filter.minPrice === undefined ? [] : [sql`${priceNow(sql, filter.now)} >= ${filter.minPrice}`]),
  ...(filter.maxPrice === undefined ? [] : [sql`${priceNow(sql, filter.now)} <= ${filter.maxPrice}`]),
  ...(filter.inStock === undefined ? [] : [sql`${buyableNow(sql, storeId, filter.now)} = ${filter.inStock}`]),
  ...(filter.ids === undefined ? [] : [sql`l.product_id = ANY(${filter.ids}::text[])`]),
  ...(filter.except === undefined ? [] : [sql`NOT l.product_id = ANY(${filter.except}::text[])`]),
  ...(filter.brands === undefined ? [] : [sql`l.terms && ${brandsNamed(sql, storeId, filter.brands)}`]),
  ...(filter.categories === undefined ? [] : [sql`l.terms && ${categoriesBelow(sql, storeId, filter.categories)}`])
]
