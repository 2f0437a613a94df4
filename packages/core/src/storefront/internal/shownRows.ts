/** The SQL that reads documents with the current stock and links. */
import type { SqlClient, Statement } from "effect/sql"
import { withBase } from "../../kernel/Locale.ts"
import { reservedNow } from "../../product/KitParts.ts"
import { shownOn } from "../../taxonomy/TaxonomyColumns.ts"
import type { BySlug, PageParts, Which } from "./storefrontReading.ts"

type Sql = SqlClient.SqlClient

/** Rows of stock `s` in the format that `storefrontReading` parses. */
const stockRows = (sql: Sql, now: Date) => sql`string_agg(
  (s.key, s.total, ${reservedNow(sql, now)}, s.backorder_limit, s.tracking_mode, s.backorder_mode)::text, ','
  ORDER BY s.key)`

/** Computed like `state` of `pagePartsOf`: product_document_pkey and stock_pkey find what the page shows. */
export const pageState = (
  sql: Sql,
  storeId: string,
  { ids, stockKeys }: PageParts,
  now: Date
): Statement.Fragment => sql`md5(
  coalesce((SELECT string_agg(d.digest, ',' ORDER BY d.product_id) FROM product_document d
    WHERE d.store_id = ${storeId} AND d.product_id = ANY(${ids}::text[])), '') || '|' ||
  coalesce((SELECT ${stockRows(sql, now)} FROM stock s
    WHERE s.store_id = ${storeId} AND s.key = ANY(${stockKeys}::text[])), ''))`

const unlessKnown = (sql: Sql, digests: ReadonlyArray<string>, column: Statement.Fragment) =>
  digests.length === 0 ? column : sql`CASE WHEN d.digest = ANY(${digests}::text[]) THEN NULL ELSE ${column} END`

// Modifier groups are shared by products, so no document holds the products that their modifiers refer to.
// product_modifier_group_pkey finds the groups of the product, modifier_pkey their modifiers.
const linksOfModifiers = `ARRAY(SELECT m.referenced_product_id FROM product_modifier_group a
  JOIN modifier m ON m.store_id = a.store_id AND m.group_id = a.group_id AND m.referenced_product_id IS NOT NULL
  WHERE a.store_id = d.store_id AND a.product_id = d.product_id)`

/** The products that a document and its modifiers link to and that the channel shows: few documents link to any. */
const links = (sql: Sql, channelId: string | null) => sql`(SELECT CASE WHEN n.ids <> '{}' THEN (
  SELECT string_agg(k.product_id, ' ' ORDER BY k.product_id) FROM product_listing k
  WHERE k.store_id = d.store_id AND k.product_id = ANY(n.ids) AND k.status = 'active'
    AND ${shownOn(sql, "k.channel_ids", channelId)}) END
  FROM (SELECT d.link_ids || ${sql.literal(linksOfModifiers)} AS ids OFFSET 0) n)`

/** The rows of a read's products, in the columns of `Row` of storefrontReading.ts. */
export const shownRows = (
  sql: Sql,
  storeId: string,
  those: Statement.Fragment,
  now: Date,
  { channelId, known = [] }: { readonly channelId: string | null; readonly known?: ReadonlyArray<string> }
): Statement.Fragment => sql`SELECT NULL::json, NULL::boolean, NULL::boolean, NULL::bigint, NULL::timestamptz,
  NULL::text[], NULL::json, NULL::json, d.product_id, d.digest, ${unlessKnown(sql, known, sql.literal("d.document"))},
  (SELECT ${stockRows(sql, now)} FROM stock s WHERE s.store_id = d.store_id AND s.key = ANY(d.stock_keys)),
  ${unlessKnown(sql, known, sql.literal("d.stock_keys"))}, ${links(sql, channelId)}
  FROM product_document d WHERE d.store_id = ${storeId} AND ${those}`

/**
 * The product with this slug as its own, else the one that has it in the shopper's most preferred language, else in any
 * language.
 */
const bySlug = (sql: Sql, storeId: string, { slug, languages = [] }: BySlug, isShown: Statement.Fragment) =>
  sql`coalesce((SELECT l.product_id FROM product_listing l WHERE ${isShown} AND l.slug = ${slug}),
    (SELECT l.product_id FROM product_slug h
      JOIN product_listing l ON l.store_id = h.store_id AND l.product_id = h.product_id
      WHERE h.store_id = ${storeId} AND h.slug = ${slug} AND ${isShown}
      ORDER BY array_position(${languages.flatMap(withBase)}::text[], h.locale), h.locale
      LIMIT 1))`

/** The condition that a document belongs to the one requested product. */
export const isOne = (
  sql: Sql,
  storeId: string,
  { one, channelId }: Extract<Which, { readonly one: unknown }>
): Statement.Fragment => {
  const isShown = sql`l.store_id = ${storeId} AND l.status = 'active' AND ${shownOn(sql, "l.channel_ids", channelId)}`
  return "id" in one
    ? sql`d.product_id = (SELECT l.product_id FROM product_listing l WHERE ${isShown} AND l.product_id = ${one.id})`
    : sql`d.product_id = ${bySlug(sql, storeId, one, isShown)}`
}
