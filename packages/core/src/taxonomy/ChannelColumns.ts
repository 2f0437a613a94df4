/** The SQL of publications. */
import type { SqlClient, Statement } from "effect/sql"

/** Whether what `column` says is shown on a channel; with null, on every channel. */
export const shownOn = (sql: SqlClient.SqlClient, column: string, channelId: string | null): Statement.Fragment => {
  const channels = sql.literal(column)
  return channelId === null ? sql`${channels} IS NULL` : sql`(${channels} IS NULL OR ${channelId} = ANY(${channels}))`
}

/** What a product is told of a channel `sc`. */
export const channelJson = "json_build_object('id', sc.id, 'name', sc.name)"

/** The channels that the row `alias` is published to, in its order; those that were deleted are left out. */
export const publishedChannels = (alias: string): string => `CASE WHEN ${alias}.channel_ids IS NOT NULL THEN (
  SELECT coalesce(json_agg(${channelJson} ORDER BY k.n), '[]')
  FROM unnest(${alias}.channel_ids) WITH ORDINALITY AS k (id, n)
  JOIN sales_channel sc ON sc.store_id = ${alias}.store_id AND sc.id = k.id) END`
