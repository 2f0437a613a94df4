/** Which categories, brands and products a channel shows, as SQL. */
import type { SqlClient, Statement } from "effect/sql"
import { shownOn } from "../../taxonomy/TaxonomyColumns.ts"

/** The condition that the channel shows the row of a table alias; undefined is any channel. */
export const onChannel = (
  sql: SqlClient.SqlClient,
  alias: string,
  channelId: string | null | undefined
): Statement.Fragment => (channelId === undefined ? sql`true` : shownOn(sql, `${alias}.channel_ids`, channelId))

/** The ids of the requested categories (ids or slugs) and of those below them, as far as shoppers see them. */
export const categoriesBelow = (
  sql: SqlClient.SqlClient,
  storeId: string,
  asked: Statement.Fragment,
  channelId: string | null | undefined
) => {
  const isShown = onChannel(sql, "c", channelId)
  return sql`ARRAY(
  WITH RECURSIVE shown AS (
    SELECT c.id, c.slug, c.parent_id FROM category c
    WHERE c.store_id = ${storeId} AND c.deleted_at IS NULL AND c.is_active AND c.parent_id IS NULL
      AND ${isShown}
    UNION SELECT c.id, c.slug, c.parent_id FROM category c JOIN shown s ON c.parent_id = s.id
      WHERE c.store_id = ${storeId} AND c.deleted_at IS NULL AND c.is_active AND ${isShown}
  ), below AS (
    SELECT id FROM shown WHERE id = ANY(${asked}) OR slug = ANY(${asked})
    UNION SELECT c.id FROM shown c JOIN below b ON c.parent_id = b.id
  ) SELECT id FROM below)`
}
