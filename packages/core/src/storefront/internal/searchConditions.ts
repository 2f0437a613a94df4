/**
 * The conditions of a search on the listing rows `l`, as SQL, and the levels that its results are ordered by. The text
 * is parsed here (searchQuery.ts). In the same statement, `catalog_search` finds the brands and categories that its
 * words name, and the corrections of misspelt words.
 */
import type { SqlClient, Statement } from "effect/sql"
import { productStatuses } from "../../product/Product.ts"
import { parseSearch } from "./searchQuery.ts"

export interface Searched {
  readonly search?: string | undefined
  readonly statuses?: ReadonlyArray<string> | undefined
  /** Names of brands and categories match where this channel shows them. Null: the public; undefined: any channel. */
  readonly channelId?: string | null | undefined
  /** The statement begins with `askedSearch`. */
  readonly withAsked?: true | undefined
}

/** A search of more alternatives (`this or that`) is not ranked, which would cost as much as finding its products. */
const mostRanked = 4

/** How well a product must be found, best first, as `catalog_search` numbers it. */
const levels = { wholeWordsOfName: 1, name: 2, nameNumberTagBrand: 3, anywhere: 4 } as const

const queryOf = (sql: SqlClient.SqlClient, storeId: string, asking: Searched) => {
  const { search, statuses = productStatuses, channelId } = asking
  const query = parseSearch(search)
  if (query === undefined) return undefined
  const reader = channelId === undefined ? null : (channelId ?? "")
  return sql`catalog_search(${storeId}, ${JSON.stringify(query)}::jsonb, ${statuses}::text[], ${reader}::text)`
}

/** Calls `catalog_search` once: the first part of a WITH, with a trailing comma. Empty without a search. */
export const askedSearch = (sql: SqlClient.SqlClient, storeId: string, filter: Searched): Statement.Fragment => {
  const query = queryOf(sql, storeId, filter)
  return query === undefined ? sql.literal("") : sql`asked AS MATERIALIZED (SELECT ${query} AS q),`
}

const asked = (sql: SqlClient.SqlClient, storeId: string, filter: Searched) => {
  const query = queryOf(sql, storeId, filter)
  if (query === undefined) return undefined
  return (level: number) => {
    const at = sql.literal(`[${level}]`)
    return filter.withAsked === true ? sql`(SELECT q${at} FROM asked)` : sql`(SELECT (${query})${at})`
  }
}

/** Without the condition on the store. product_listing_search_idx serves it. */
export const searchConditions = (
  sql: SqlClient.SqlClient,
  storeId: string,
  filter: Searched
): ReadonlyArray<Statement.Fragment> => {
  const at = asked(sql, storeId, filter)
  return at === undefined ? [] : [sql`l.search @@ ${at(levels.anywhere)}`]
}

/**
 * The conditions of all levels except the last, best first. A product that is found at one level is found at all later
 * levels too, so a statement that needs the first rows stops at the level that has enough of them.
 */
export const searchPlaces = (
  sql: SqlClient.SqlClient,
  storeId: string,
  filter: Searched
): ReadonlyArray<Statement.Fragment> => {
  if ((parseSearch(filter.search)?.length ?? 0) > mostRanked) return []
  const at = asked(sql, storeId, filter)
  const better = [levels.wholeWordsOfName, levels.name, levels.nameNumberTagBrand]
  return at === undefined ? [] : better.map((level) => sql`l.search @@ ${at(level)}`)
}
