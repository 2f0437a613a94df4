/** The SQL that finds a list: how many products it has, and the ids of one block of them in the order of the list. */
import type { SqlClient, Statement } from "effect/sql"
import type { ListingSort } from "../../product/Product.ts"
import type { ProductFilter } from "../ProductFilter.ts"
import { listingConditions } from "./listingConditions.ts"
import { priceNow } from "./listingNow.ts"
import { besideOrder } from "./recommended.ts"
import { searchPlaces } from "./searchConditions.ts"

/** `beside`: the order of recommendations. `relevance`: products whose names match the search come first. */
export type ListingOrder = ListingSort | "beside" | "relevance"

const sortColumns: Readonly<Record<ListingSort, string>> = {
  name: "l.name",
  createdAt: "l.created_at",
  updatedAt: "l.updated_at",
  menuOrder: "l.menu_order",
  status: "l.status",
  sku: "l.sku",
  slug: "l.slug",
  basePrice: "l.base_price",
  displayPriceMin: ""
}

export interface FoundList {
  readonly filter: ProductFilter
  readonly sortBy: ListingOrder
  readonly descending: boolean
  readonly block: { readonly offset: number; readonly length: number }
}

const orderOf = (sql: SqlClient.SqlClient, storeId: string, { filter, sortBy, descending }: FoundList) => {
  const { beside = [], now } = filter
  const direction = sql.literal(descending ? " DESC" : "")
  if (sortBy === "beside") return besideOrder(sql, storeId, { ...filter, beside })
  if (sortBy === "relevance") return sql`l.menu_order, l.product_id`
  const column = sortBy === "displayPriceMin" ? priceNow(sql, now) : sql.literal(sortColumns[sortBy])
  return sql`${column}${direction}${sql.literal(sortBy === "sku" ? " NULLS LAST" : "")}, l.product_id${direction}`
}

/** Two parts of a WITH, of one row each: `counted (n)`, the number of products, and `found (ids)`, the block's ids. */
export const foundIds = (sql: SqlClient.SqlClient, storeId: string, list: FoundList): Statement.Fragment => {
  const { filter, sortBy, block } = list
  const matching = (conditions: ReadonlyArray<Statement.Fragment>) =>
    sql`FROM product_listing l WHERE ${sql.and([sql`l.store_id = ${storeId}`, ...conditions])}`
  const all = listingConditions(sql, storeId, filter)
  const order = orderOf(sql, storeId, list)
  if (sortBy !== "relevance")
    return sql`counted AS MATERIALIZED (SELECT count(*) AS n ${matching(all)}), found AS MATERIALIZED (
      SELECT ARRAY(SELECT l.product_id ${matching(all)} ORDER BY ${order} LIMIT ${block.length} OFFSET ${block.offset})
        AS ids)`
  // The products of a level are read only where the levels before it have too few and the search finds more.
  const end = block.offset + block.length
  const others = listingConditions(sql, storeId, { ...filter, search: undefined })
  const unseen = sql`l.product_id NOT IN (SELECT unnest(b.ids))`
  const after = (before: Statement.Fragment, more: Statement.Fragment) =>
    sql`SELECT CASE WHEN cardinality(b.ids) >= least(${end}, (SELECT n FROM counted)) THEN b.ids
        ELSE b.ids || ARRAY(SELECT l.product_id ${more} ORDER BY ${order} ${sql.literal(`LIMIT ${end}`)}) END AS ids
        FROM (${before} OFFSET 0) b`
  const best = searchPlaces(sql, storeId, filter).reduce(
    (before, place) => after(before, matching([place, unseen, ...others])),
    sql`SELECT '{}'::text[] AS ids`
  )
  return sql`matched AS MATERIALIZED (SELECT l.product_id, l.menu_order ${matching(all)}),
    counted AS MATERIALIZED (SELECT count(*) AS n FROM matched),
    found AS MATERIALIZED (SELECT (b.ids)[${block.offset}::int + 1 : ${end}::int] AS ids FROM (
      ${after(best, sql`FROM matched l WHERE ${unseen}`)}) b)`
}
