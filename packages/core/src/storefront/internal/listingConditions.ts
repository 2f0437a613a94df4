/**
 * The conditions of a list of products on the listing rows `l`, as SQL: one for each filter. They compare filter keys,
 * words, the current price and the current stock.
 */
import type { SqlClient, Statement } from "effect/sql"
import { among } from "../../database/Repository.ts"
import type { ProductFilter } from "../ProductFilter.ts"
import { shownOn } from "../../taxonomy/TaxonomyColumns.ts"
import { facetConditions } from "./facetFilters.ts"
import { goesWith } from "./recommended.ts"
import { searchConditions } from "./searchConditions.ts"

type Sql = SqlClient.SqlClient

const oneOf = (sql: Sql, column: string, values: ReadonlyArray<string> | undefined) =>
  values === undefined ? [] : [among(sql, column, values)]

/** The filters that have no facet. Without the condition on the store. */
export const baseConditions = (sql: Sql, storeId: string, filter: ProductFilter): ReadonlyArray<Statement.Fragment> => [
  ...oneOf(sql, "l.status", filter.statuses),
  ...(filter.channelId === undefined ? [] : [shownOn(sql, "l.channel_ids", filter.channelId)]),
  ...oneOf(sql, "l.type", filter.types),
  ...searchConditions(sql, filter),
  ...(filter.beside === undefined ? [] : [goesWith(sql, storeId, { ...filter, beside: filter.beside })])
]

/** All filters, without the condition on the store. `price`: the current price of the row. */
export const listingConditions = (
  sql: Sql,
  storeId: string,
  filter: ProductFilter,
  price: Statement.Fragment
): ReadonlyArray<Statement.Fragment> => [
  ...baseConditions(sql, storeId, filter),
  ...facetConditions(sql, storeId, filter, price)
]
