/**
 * Counts how many products a list would have for each choice of its facets: each facet is counted under the search and
 * all filters except its own. One pass over the listing rows that match the search groups them by their filter keys and
 * by the one filter that they fail, if any. All counts are sums of these groups. A row that fails two filters is not
 * counted.
 */
import type { SqlClient, Statement } from "effect/sql"
import type { ProductFilter } from "../ProductFilter.ts"
import { translatedNames } from "../../taxonomy/TaxonomyColumns.ts"
import { facetConditions } from "./facetFilters.ts"
import { baseConditions } from "./listingConditions.ts"
import { buyableNow, priceNow } from "./listingNow.ts"
import { shownCategories } from "./shownCategories.ts"

/** Maximum number of values of one metafield to return, the most frequent ones. */
const mostChoices = 200
/** Maximum number of categories, brands and options to return, the most frequent ones of each kind. */
const mostFiled = 1_000

const namesOf = translatedNames("x")

/**
 * For each kind of choice, the statement that reads its names and other shown fields. `o.store` is the store,
 * `o.channel` is the channel or NULL, and `used (id)` has the ids that were counted.
 */
const kinds: Readonly<Record<string, string>> = {
  category: `SELECT x.id, json_build_object('name', x.name, 'slug', x.slug, 'parentId', x.parent_id, 'translations',
    ${namesOf}) AS facts FROM category x WHERE x.store_id = o.store AND x.id IN (SELECT id FROM used)
      AND (x.channel_ids IS NULL OR o.channel = ANY(x.channel_ids))`,
  brand: `SELECT x.id, json_build_object('name', x.name, 'slug', x.slug, 'translations', ${namesOf}) AS facts
    FROM brand x WHERE x.store_id = o.store AND x.deleted_at IS NULL AND x.is_active AND x.id IN (SELECT id FROM used)
      AND (x.channel_ids IS NULL OR o.channel = ANY(x.channel_ids))`,
  attribute: `SELECT x.id, json_build_object('name', x.name, 'displayType', x.display_type, 'translations', ${namesOf})
    AS facts FROM attribute x WHERE x.store_id = o.store AND x.deleted_at IS NULL AND x.is_active AND x.id IN (
      SELECT y.attribute_id FROM attribute_option y WHERE y.store_id = o.store AND y.id IN (SELECT id FROM used))`,
  option: `SELECT x.id, json_build_object('name', x.name, 'value', x.value, 'attributeId', x.attribute_id, 'position',
    x.position, 'swatchColor', x.swatch_color, 'swatchImageUrl', x.swatch_image_url, 'translations', ${namesOf})
    AS facts FROM attribute_option x WHERE x.store_id = o.store AND x.deleted_at IS NULL AND x.is_active
      AND x.id IN (SELECT id FROM used)`,
  metafield: `SELECT x.id, json_build_object('key', x.key, 'name', x.name, 'type', x.type, 'enumValues', x.enum_values,
    'position', x.position, 'translations', ${namesOf}) AS facts FROM metafield_definition x
    WHERE x.store_id = o.store AND x.is_active AND x.filterable AND x.id IN (SELECT id FROM used)`
}

/** `FacetRows` of Facets.ts as one JSON value. */
export const facetCounts = (sql: SqlClient.SqlClient, storeId: string, filter: ProductFilter): Statement.Fragment => {
  const { now, channelId = null } = filter
  const misses = facetConditions(sql, storeId, filter, priceNow(sql, now)).map(
    (condition, i) => sql`CASE WHEN ${condition} THEN 0 ELSE ${sql.literal(String(2 ** i))} END`
  )
  const miss = misses.reduce((sum, one) => sql`${sum} + ${one}`, sql`0`)
  const matching = sql.and([sql`l.store_id = ${storeId}`, ...baseConditions(sql, storeId, filter)])
  const rows = sql.literal(
    Object.entries(kinds)
      .map(([kind, select]) => `SELECT '${kind}' AS kind, k.id, k.facts FROM (${select}) k`)
      .join(" UNION ALL ")
  )
  return sql`(WITH RECURSIVE matched AS MATERIALIZED (
      SELECT row_number() OVER () AS i, m.filter_keys, m.miss, count(*) AS n, min(m.price) AS low, max(m.price) AS high,
        count(*) FILTER (WHERE m.buyable) AS buyable
      FROM (SELECT l.filter_keys, ${priceNow(sql, now)} AS price, ${buyableNow(sql, storeId, now)} AS buyable,
        ${miss} AS miss FROM product_listing l WHERE ${matching} OFFSET 0) m
      WHERE m.miss & (m.miss - 1) = 0 GROUP BY m.filter_keys, m.miss
    ), shown AS (${shownCategories(sql, storeId, channelId)}), up AS (
      SELECT s.id, s.id AS above FROM shown s
      UNION SELECT u.id, s.parent_id FROM up u JOIN shown s ON s.id = u.above WHERE s.parent_id IS NOT NULL
    ), counted AS (
      SELECT t.key, m.miss, sum(m.n)::int AS n, split_part(t.key, '=', 1) AS id
      FROM matched m, unnest(m.filter_keys) AS t (key) WHERE t.key NOT LIKE 'cat\\_%'
        AND (position('=' IN t.key) = 0 OR split_part(t.key, '=', 1) IN (SELECT d.id FROM metafield_definition d
          WHERE d.store_id = ${storeId} AND d.filterable AND d.is_active)) GROUP BY 1, 2
      UNION ALL SELECT f.above, f.miss, sum(f.n)::int, f.above FROM (
        SELECT DISTINCT m.i, m.miss, m.n, u.above FROM matched m, unnest(m.filter_keys) AS t (key)
          JOIN up u ON u.id = t.key
      ) f GROUP BY 1, 2
    ), ranked AS (
      SELECT c.*, dense_rank() OVER (PARTITION BY CASE WHEN c.key = c.id THEN left(c.id, 4) ELSE c.id END
        ORDER BY c.whole DESC, c.key) AS place
      FROM (SELECT c.*, sum(c.n) OVER (PARTITION BY c.key) AS whole FROM counted c) c
    ), kept AS MATERIALIZED (
      SELECT r.key, r.miss, r.n, r.id FROM ranked r WHERE r.place <= CASE WHEN r.key = r.id
        THEN ${sql.literal(String(mostFiled))} ELSE ${sql.literal(String(mostChoices))} END
    ), used AS MATERIALIZED (SELECT DISTINCT k.id FROM kept k)
    SELECT json_build_object(
      'all', (SELECT coalesce(json_agg(json_build_array(a.miss, a.n, a.low, a.high, a.buyable)), '[]') FROM (
        SELECT m.miss, sum(m.n) AS n, min(m.low)::text AS low, max(m.high)::text AS high, sum(m.buyable) AS buyable
        FROM matched m GROUP BY m.miss) a),
      'keys', (SELECT coalesce(json_agg(json_build_array(k.key, k.miss, k.n)), '[]') FROM kept k),
      'names', (SELECT coalesce(json_agg(json_build_array(w.kind, w.id, w.facts)), '[]')
        FROM (SELECT ${storeId}::text COLLATE "C" AS store, ${channelId}::text AS channel) o, LATERAL (${rows}) w)))`
}
