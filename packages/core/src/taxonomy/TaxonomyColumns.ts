/** Parts that statements share: publication to channels, and what products show of a category or a brand. */
import type { SqlClient, Statement } from "effect/sql"

/** Whether a channel shows a row with the channel ids in `column`; with null, whether every channel does. */
export const shownOn = (sql: SqlClient.SqlClient, column: string, channelId: string | null): Statement.Fragment => {
  const channels = sql.literal(column)
  return channelId === null ? sql`${channels} IS NULL` : sql`(${channels} IS NULL OR ${channelId} = ANY(${channels}))`
}

/** What a product shows of a channel `sc`. */
const channelJson = "json_build_object('id', sc.id, 'name', sc.name)"

/** The channels that the row `alias` is published to, in its order; deleted channels are left out. */
export const publishedChannels = (alias: string): string => `CASE WHEN ${alias}.channel_ids IS NOT NULL THEN (
  SELECT coalesce(json_agg(${channelJson} ORDER BY k.n), '[]')
  FROM unnest(${alias}.channel_ids) WITH ORDINALITY AS k (id, n)
  JOIN sales_channel sc ON sc.store_id = ${alias}.store_id AND sc.id = k.id) END`

/** JSON of a row's translations with only the name in each language, as in lists of many rows. */
export const translatedNames = (alias: string): string =>
  `(SELECT coalesce(jsonb_object_agg(t.key, jsonb_build_object('name', t.value -> 'name')), '{}')
  FROM jsonb_each(${alias}.translations) AS t WHERE jsonb_typeof(t.value) = 'object')`

/** What a product shows of a category `c` or a brand `b`. */
export const categoryJson = `json_build_object('id', c.id, 'name', c.name, 'slug', c.slug, 'translations',
    ${translatedNames("c")}, 'taxBehavior', c.tax_behavior, 'isActive', c.is_active, 'parentId', c.parent_id,
    'channelIds', c.channel_ids)`
export const brandJson = `json_build_object('id', b.id, 'name', b.name, 'slug', b.slug, 'translations', b.translations,
    'channelIds', b.channel_ids)`
