/**
 * The filters of a product list that correspond to facets, each as a condition on the listing rows `l`. The conditions
 * stay separate, because a facet is counted under all of them except its own (facetCounts.ts). A name, slug or key that
 * the store does not have matches no product.
 */
import type { SqlClient, Statement } from "effect/sql"
import { shownOn } from "../../taxonomy/TaxonomyColumns.ts"
import { buyableNow } from "./listingNow.ts"

/**
 * Products with one of these options of an attribute. Attribute and options are given by id, or by name in any language
 * and in upper or lower case; options also by value.
 */
export interface AttributeFilter {
  readonly attribute: string
  readonly options: ReadonlyArray<string>
}

/** Products with one of these values of a filterable metafield; `foldedValue` folds the values. */
export interface MetafieldFilter {
  readonly key: string
  readonly values: ReadonlyArray<string>
}

/** An undefined field does not filter. Prices are minor units, compared with what a shopper pays at `now`. */
export interface FacetFilters {
  /** By id or slug; products of the categories below them match too. Categories that shoppers do not see match none. */
  readonly categories?: ReadonlyArray<string> | undefined
  /** By id or slug; inactive brands match no product. */
  readonly brands?: ReadonlyArray<string> | undefined
  readonly attributes?: ReadonlyArray<AttributeFilter> | undefined
  readonly metafields?: ReadonlyArray<MetafieldFilter> | undefined
  readonly minPrice?: bigint | undefined
  readonly maxPrice?: bigint | undefined
  readonly inStock?: boolean | undefined
  /** Only categories and brands that this channel shows match; null is the public, undefined is every channel. */
  readonly channelId?: string | null | undefined
  readonly now: Date
}

/** The condition that the channel shows the row of this table alias. */
type Shown = (alias: string) => Statement.Fragment

export const shownIn =
  (sql: SqlClient.SqlClient, channelId: string | null | undefined): Shown =>
  (alias) =>
    channelId === undefined ? sql`true` : shownOn(sql, `${alias}.channel_ids`, channelId)

/** The ids of the requested categories (ids or slugs) and of those below them, as far as shoppers see them. */
export const categoriesBelow = (
  sql: SqlClient.SqlClient,
  storeId: string,
  asked: Statement.Fragment,
  of: Shown
) => sql`ARRAY(
  WITH RECURSIVE shown AS (
    SELECT c.id, c.slug, c.parent_id FROM category c
    WHERE c.store_id = ${storeId} AND c.deleted_at IS NULL AND c.is_active AND c.parent_id IS NULL
      AND ${of("c")}
    UNION SELECT c.id, c.slug, c.parent_id FROM category c JOIN shown s ON c.parent_id = s.id
      WHERE c.store_id = ${storeId} AND c.deleted_at IS NULL AND c.is_active AND ${of("c")}
  ), below AS (
    SELECT id FROM shown WHERE id = ANY(${asked}) OR slug = ANY(${asked})
    UNION SELECT c.id FROM shown c JOIN below b ON c.parent_id = b.id
  ) SELECT id FROM below)`

const brandsAsked = (sql: SqlClient.SqlClient, storeId: string, asked: ReadonlyArray<string>, of: Shown) => sql`ARRAY(
  SELECT b.id FROM brand b WHERE b.store_id = ${storeId} AND b.deleted_at IS NULL AND b.is_active AND ${of("b")}
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

/** `price`: that of the row now. */
type Condition = (sql: SqlClient.SqlClient, storeId: string, price: Statement.Fragment) => Statement.Fragment

/** The filters that are set, by the facet that each belongs to. */
const conditionsOf = (filter: FacetFilters): ReadonlyArray<readonly [facet: string, condition: Condition]> => {
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
      : [
          filed("category", (sql, id) => categoriesBelow(sql, id, sql`${categories}::text[]`, shownIn(sql, channelId)))
        ]),
    ...(brands === undefined
      ? []
      : [filed("brand", (sql, id) => brandsAsked(sql, id, brands, shownIn(sql, channelId)))]),
    ...attributes.map((one) => filed(`attr.${one.attribute}`, (sql, id) => optionsAsked(sql, id, one))),
    ...metafields.map((one) => filed(`mf.${one.key}`, (sql, id) => valuesAsked(sql, id, one))),
    ...(minPrice === undefined && maxPrice === undefined ? [] : [["price", inRange] as const]),
    ...(inStock === undefined
      ? []
      : [["stock", ((sql, id) => sql`${buyableNow(sql, id, now)} = ${inStock}`) satisfies Condition] as const])
  ]
}

/** The facets that have a filter: `category`, `brand`, `price`, `stock`, `attr.<as requested>` and `mf.<key>`. */
export const filteredFacets = (filter: FacetFilters): ReadonlyArray<string> =>
  conditionsOf(filter).map(([facet]) => facet)

/** The conditions of `filteredFacets`, in the same order. */
export const facetConditions = (
  sql: SqlClient.SqlClient,
  storeId: string,
  filter: FacetFilters,
  price: Statement.Fragment
): ReadonlyArray<Statement.Fragment> => conditionsOf(filter).map(([, condition]) => condition(sql, storeId, price))
