/** Which categories, brands and products a channel shows, as SQL. */
import type { SqlClient, Statement } from "effect/sql"
import { shownOn } from "../../taxonomy/TaxonomyColumns.ts"

type Sql = SqlClient.SqlClient

/** The condition that the channel shows the row of a table alias; undefined is any channel. */
export const onChannel = (sql: Sql, alias: string, channelId: string | null | undefined): Statement.Fragment =>
  channelId === undefined ? sql`true` : shownOn(sql, `${alias}.channel_ids`, channelId)

/** The categories that shoppers see because all their ancestors are shown: parts of a recursive query named `shown`. */
export const shownCategories = (sql: Sql, storeId: string, channelId: string | null | undefined) => {
  const isShown = sql`c.store_id = ${storeId} AND c.deleted_at IS NULL AND c.is_active
    AND ${onChannel(sql, "c", channelId)}`
  return sql`SELECT c.id, c.slug, c.parent_id FROM category c WHERE ${isShown} AND c.parent_id IS NULL
    UNION SELECT c.id, c.slug, c.parent_id FROM category c JOIN shown s ON c.parent_id = s.id WHERE ${isShown}`
}

/** The ids of the requested categories (ids or slugs) and of their subcategories, as far as shoppers see them. */
export const categoriesBelow = (
  sql: Sql,
  storeId: string,
  asked: Statement.Fragment,
  channelId: string | null | undefined
) => sql`ARRAY(
  WITH RECURSIVE shown AS (${shownCategories(sql, storeId, channelId)}), below AS (
    SELECT id FROM shown WHERE id = ANY(${asked}) OR slug = ANY(${asked})
    UNION SELECT c.id FROM shown c JOIN below b ON c.parent_id = b.id
  ) SELECT id FROM below)`
