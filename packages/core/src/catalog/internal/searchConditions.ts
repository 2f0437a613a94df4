/**
 * What a search asks of the listing rows `l`, as SQL, and the order it puts them in. The text is read here
 * (searchQuery.ts); which brands and categories its words name, and what a misspelt word stands for, is found by
 * `catalog_search` in the same statement.
 */
import type { SqlClient, Statement } from "effect/sql"
import { productStatuses } from "../Product.ts"
import { parseSearch } from "./searchQuery.ts"

export interface Searched {
  readonly search?: string | undefined
  readonly statuses?: ReadonlyArray<string> | undefined
}

/** How well a product must be found, best first, as `catalog_search` numbers it. */
const levels = { wholeWordsOfName: 1, name: 2, nameNumberTagBrand: 3, anywhere: 4 } as const

const asked = (sql: SqlClient.SqlClient, storeId: string, { search, statuses = productStatuses }: Searched) => {
  const query = parseSearch(search)
  if (query === undefined) return undefined
  const json = JSON.stringify(query)
  return (level: number) =>
    sql`(SELECT (catalog_search(${storeId}, ${json}::jsonb, ${statuses}::text[]))[${sql.literal(String(level))}])`
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
 * The place of a row among those found, the lower the better; undefined where nothing is searched. Each level is found
 * by the index: looking into the row would read the words of every product that was found.
 */
export const searchRank = (
  sql: SqlClient.SqlClient,
  storeId: string,
  filter: Searched
): Statement.Fragment | undefined => {
  const at = asked(sql, storeId, filter)
  if (at === undefined) return undefined
  const within = (level: number) =>
    sql`l.product_id IN (SELECT n.product_id FROM product_listing n WHERE n.store_id = ${storeId} AND n.search @@ ${at(level)})`
  return sql`CASE WHEN ${within(levels.wholeWordsOfName)} THEN 1 WHEN ${within(levels.name)} THEN 2
    WHEN ${within(levels.nameNumberTagBrand)} THEN 3 ELSE 4 END`
}
