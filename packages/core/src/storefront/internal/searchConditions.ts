/**
 * What a search asks of the listing rows `l`, as SQL, and the order it puts them in. The text is read here
 * (searchQuery.ts); which brands and categories its words name, and what a misspelt word stands for, is found by
 * `catalog_search` in the same statement.
 */
import type { SqlClient, Statement } from "effect/sql"
import { productStatuses } from "../../product/Product.ts"
import { parseSearch } from "./searchQuery.ts"

export interface Searched {
  readonly search?: string | undefined
  readonly statuses?: ReadonlyArray<string> | undefined
  /** Names find what they name where this channel shows them; null is the public, undefined everybody. */
  readonly channelId?: string | null | undefined
  /** The statement begins with `askedSearch`. */
  readonly withAsked?: true | undefined
}

/**
 * Of more alternatives (`this or that`) each is as good as any other: to rank them would cost as much as to find
 * them.
 */
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

/** Asks for the search once: the first part of a WITH, with a comma behind it; nothing where nothing is searched. */
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

/** Beside the store; product_listing_search_idx serves. */
export const searchConditions = (
  sql: SqlClient.SqlClient,
  storeId: string,
  filter: Searched
): ReadonlyArray<Statement.Fragment> => {
  const at = asked(sql, storeId, filter)
  return at === undefined ? [] : [sql`l.search @@ ${at(levels.anywhere)}`]
}

/**
 * The conditions of each place that a found row may have but for the last, best first: what is found at a level is
 * found at all levels behind it. Whoever needs the first rows only reads no further than the level that has enough.
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
