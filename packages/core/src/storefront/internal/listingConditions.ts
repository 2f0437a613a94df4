/**
 * What a list of products asks of the listing rows `l`, as SQL. Every filter of a list is a condition here: terms (ids
 * that a product is filed under), the price now, stock now.
 */
import type { SqlClient, Statement } from "effect/sql"
import { among } from "../../database/Repository.ts"
import type { ProductFilter } from "../ProductFilter.ts"
import { shownOn } from "../../taxonomy/TaxonomyColumns.ts"
import { facetConditions } from "./facetFilters.ts"
import { goesWith } from "./recommended.ts"
import { searchConditions } from "./searchConditions.ts"

const oneOf = (sql: SqlClient.SqlClient, column: string, values: ReadonlyArray<string> | undefined) =>
  values === undefined ? [] : [among(sql, column, values)]

/** What no facet is made of, beside the store. */
export const baseConditions = (
  sql: SqlClient.SqlClient,
  storeId: string,
  filter: ProductFilter
): ReadonlyArray<Statement.Fragment> => [
  ...oneOf(sql, "l.status", filter.statuses),
  ...(filter.channelId === undefined ? [] : [shownOn(sql, "l.channel_ids", filter.channelId)]),
  ...oneOf(sql, "l.type", filter.types),
  ...searchConditions(sql, storeId, filter),
  ...(filter.beside === undefined ? [] : [goesWith(sql, storeId, { ...filter, beside: filter.beside })])
]

/** Beside the store. */
export const listingConditions = (
  sql: SqlClient.SqlClient,
  storeId: string,
  filter: ProductFilter
): ReadonlyArray<Statement.Fragment> => [
  ...baseConditions(sql, storeId, filter),
  ...facetConditions(sql, storeId, filter)
]
