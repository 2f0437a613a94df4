/** The ids of a block of a list, in its order, as SQL. */
import type { SqlClient, Statement } from "effect/sql"
import type { ListingSort } from "../Product.ts"
import type { ProductFilter } from "../ProductRepository.ts"
import { listingConditions } from "./listingConditions.ts"
import { priceNow } from "./listingNow.ts"
import { searchPlaces } from "./searchConditions.ts"

/** `named`: as the filter names their ids. `relevance`: those that a search finds in their names first. */
export type ListingOrder = ListingSort | "named" | "relevance"

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

interface FoundList {
  readonly filter: ProductFilter
  readonly sortBy: ListingOrder
  readonly descending: boolean
  readonly block: { readonly offset: number; readonly length: number }
}

const orderOf = (sql: SqlClient.SqlClient, { filter: { ids = [], now }, sortBy, descending }: FoundList) => {
  const direction = sql.literal(descending ? " DESC" : "")
  if (sortBy === "named") return sql`array_position(${ids}::text[], l.product_id)`
  if (sortBy === "relevance") return sql`l.menu_order, l.product_id`
  const column = sortBy === "displayPriceMin" ? priceNow(sql, now) : sql.literal(sortColumns[sortBy])
  return sql`${column}${direction}${sql.literal(sortBy === "sku" ? " NULLS LAST" : "")}, l.product_id${direction}`
}

/** A part of a WITH: `found (ids)`, one row. */
export const foundIds = (sql: SqlClient.SqlClient, storeId: string, list: FoundList): Statement.Fragment => {
  const { filter, sortBy, block } = list
  const firstOf = (conditions: ReadonlyArray<Statement.Fragment>, bounds: string) =>
    sql`ARRAY(SELECT l.product_id FROM product_listing l WHERE ${sql.and([sql`l.store_id = ${storeId}`, ...conditions])}
      ORDER BY ${orderOf(sql, list)} ${sql.literal(bounds)})`
  if (sortBy !== "relevance") {
    const ids = firstOf(listingConditions(sql, storeId, filter), `LIMIT ${block.length} OFFSET ${block.offset}`)
    return sql`found AS MATERIALIZED (SELECT ${ids} AS ids)`
  }
  // The products of each place are read only where the places before it have too few.
  const end = block.offset + block.length
  const others = listingConditions(sql, storeId, { ...filter, search: undefined })
  const filled = searchPlaces(sql, storeId, filter).reduce((before, place) => {
    const more = firstOf([place, ...others], `LIMIT ${end}`)
    return sql`SELECT CASE WHEN cardinality(b.ids) >= ${end} THEN b.ids ELSE b.ids || ${more} END AS ids
        FROM (${before} OFFSET 0) b`
  }, sql`SELECT '{}'::text[] AS ids`)
  return sql`found AS MATERIALIZED (SELECT (b.ids)[${block.offset}::int + 1 : ${end}::int] AS ids FROM (${filled}) b)`
}
