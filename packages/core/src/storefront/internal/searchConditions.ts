/**
 * The conditions of a search on the listing rows `l`, as SQL, and the levels that its results are sorted by. In the
 * same statement, `catalog_search` finds the brands and categories that match its words, and the corrections of
 * misspelt words.
 */
import type { SqlClient, Statement } from "effect/sql"
import { productStatuses } from "../../product/ProductEnums.ts"
import type { ProductFilter } from "../ProductFilter.ts"

type Sql = SqlClient.SqlClient

/** A search with more alternatives (`this or that`) is not ranked, which would cost as much as the search itself. */
const mostRanked = 4

/** The levels of a match, best first, as `catalog_search` numbers them. */
const levels = { wholeWordsOfName: 1, name: 2, nameNumberTagBrand: 3, anywhere: 4 } as const

/**
 * Calls `catalog_search` once: the first part of a WITH, with a trailing comma. Empty without a search. The conditions
 * read what it returns.
 */
export const askedSearch = (
  sql: Sql,
  storeId: string,
  { search, statuses = productStatuses, channelId }: ProductFilter
): Statement.Fragment => {
  if (search === undefined) return sql.literal("")
  const reader = channelId === undefined ? null : (channelId ?? "")
  return sql`asked AS MATERIALIZED (SELECT
    catalog_search(${storeId}, ${JSON.stringify(search)}::jsonb, ${statuses}::text[], ${reader}::text) AS q),`
}

const isFoundAt = (sql: Sql, level: number) => sql`l.search @@ (SELECT q${sql.literal(`[${level}]`)} FROM asked)`

/** Without the condition on the store. product_listing_search_idx serves it. */
export const searchConditions = (sql: Sql, { search }: ProductFilter): ReadonlyArray<Statement.Fragment> =>
  search === undefined ? [] : [isFoundAt(sql, levels.anywhere)]

/**
 * The conditions of all levels except the last, best first. A product that matches at one level matches at all later
 * levels too, so a statement that needs only the first rows stops at the level that has enough.
 */
export const searchPlaces = (sql: Sql, { search }: ProductFilter): ReadonlyArray<Statement.Fragment> => {
  if (search === undefined || search.length > mostRanked) return []
  return [levels.wholeWordsOfName, levels.name, levels.nameNumberTagBrand].map((level) => isFoundAt(sql, level))
}
