/**
 * The filters of a product list that correspond to facets, each as a condition on the listing rows `l`. The conditions
 * stay separate, because a facet is counted under all of them except its own (facetCounts.ts). A name, slug or key that
 * the store does not have matches no product.
 */
import type { SqlClient, Statement } from "effect/sql"
import type { AttributeFilter, MetafieldFilter, ProductFilter } from "../ProductFilter.ts"
import { buyableNow } from "./listingNow.ts"
import { categoriesBelow, onChannel } from "./shownCategories.ts"

const brandsAsked = (
  sql: SqlClient.SqlClient,
  storeId: string,
  asked: ReadonlyArray<string>,
  channelId: ProductFilter["channelId"]
) => sql`ARRAY(
  SELECT b.id FROM brand b WHERE b.store_id = ${storeId} AND b.deleted_at IS NULL AND b.is_active
    AND ${onChannel(sql, "b", channelId)}
    AND (b.id = ANY(${asked}::text[]) OR b.slug = ANY(${asked}::text[])))`

/** The condition that a translation of the row has one of these names, which are in lower case. */
const isCalled = (sql: SqlClient.SqlClient, alias: "a" | "o", names: ReadonlyArray<string>) =>
  sql`EXISTS (SELECT FROM jsonb_each(${sql.literal(alias)}.translations) t
    WHERE jsonb_typeof(t.value) = 'object' AND lower(t.value ->> 'name') = ANY(${names}::text[]))`

const optionsAsked = (sql: SqlClient.SqlClient, storeId: string, { attribute, options }: AttributeFilter) => {
  const folded = options.map((option) => option.toLowerCase())
  return sql`ARRAY(SELECT o.id FROM attribute a JOIN attribute_option o ON o.store_id = a.store_id
      AND o.attribute_id = a.id
    WHERE a.store_id = ${storeId} AND a.deleted_at IS NULL AND a.is_active AND o.deleted_at IS NULL AND o.is_active
      AND (a.id = ${attribute} OR lower(a.name) = ${attribute.toLowerCase()}
        OR ${isCalled(sql, "a", [attribute.toLowerCase()])})
      AND (o.id = ANY(${options}::text[]) OR lower(o.name) = ANY(${folded}::text[]) OR lower(o.value) =
        ANY(${folded}::text[]) OR ${isCalled(sql, "o", folded)}))`
}

const valuesAsked = (sql: SqlClient.SqlClient, storeId: string, { key, values }: MetafieldFilter) => sql`ARRAY(
  SELECT d.id || '=' || v FROM metafield_definition d, unnest(${values}::text[]) AS v
  WHERE d.store_id = ${storeId} AND d.key = ${key} AND d.filterable AND d.is_active)`

/** `price`: the current price of the row. */
type Condition = (sql: SqlClient.SqlClient, storeId: string, price: Statement.Fragment) => Statement.Fragment

/** The filters that are set, by the facet that each belongs to. */
const conditionsOf = (filter: ProductFilter): ReadonlyArray<readonly [facet: string, condition: Condition]> => {
  const { categories, brands, attributes = [], metafields = [], minPrice, maxPrice, inStock, channelId, now } = filter
  const filed = (facet: string, ids: Condition): readonly [facet: string, condition: Condition] => [
    facet,
    (sql, storeId, price) => sql`l.filter_keys && ${ids(sql, storeId, price)}`
  ]
  const inRange: Condition = (sql, _, price) =>
    sql.and([
      ...(minPrice === undefined ? [] : [sql`${price} >= ${minPrice}`]),
      ...(maxPrice === undefined ? [] : [sql`${price} <= ${maxPrice}`])
    ])
  return [
    ...(categories === undefined
      ? []
      : [filed("category", (sql, id) => categoriesBelow(sql, id, sql`${categories}::text[]`, channelId))]),
    ...(brands === undefined ? [] : [filed("brand", (sql, id) => brandsAsked(sql, id, brands, channelId))]),
    ...attributes.map((one) => filed(`attr.${one.attribute}`, (sql, id) => optionsAsked(sql, id, one))),
    ...metafields.map((one) => filed(`mf.${one.key}`, (sql, id) => valuesAsked(sql, id, one))),
    ...(minPrice === undefined && maxPrice === undefined ? [] : [["price", inRange] as const]),
    ...(inStock === undefined
      ? []
      : [["stock", ((sql, id) => sql`${buyableNow(sql, id, now)} = ${inStock}`) satisfies Condition] as const])
  ]
}

/** The facets that have a filter: `category`, `brand`, `price`, `stock`, `attr.<as requested>` and `mf.<key>`. */
export const filteredFacets = (filter: ProductFilter): ReadonlyArray<string> =>
  conditionsOf(filter).map(([facet]) => facet)

/** The conditions of `filteredFacets`, in the same order. */
export const facetConditions = (
  sql: SqlClient.SqlClient,
  storeId: string,
  filter: ProductFilter,
  price: Statement.Fragment
): ReadonlyArray<Statement.Fragment> => conditionsOf(filter).map(([, condition]) => condition(sql, storeId, price))
