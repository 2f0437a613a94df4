/** The SQL that finds a list: how many products it has, and the ids of one block of them in the order of the list. */
import type { SqlClient, Statement } from "effect/sql"
import type { ListingSort } from "../../product/ProductEnums.ts"
import type { ListingOrder, ProductFilter } from "../ProductFilter.ts"
import { listingConditions } from "./listingConditions.ts"
import { type ListingPart, partsByPrice, priceNow } from "./listingNow.ts"
import { besideOrder } from "./recommended.ts"
import { searchPlaces } from "./searchConditions.ts"

const sortColumns: Readonly<Record<Exclude<ListingSort, "displayPriceMin">, string>> = {
  name: "l.name",
  createdAt: "l.created_at",
  updatedAt: "l.updated_at",
  menuOrder: "l.menu_order",
  status: "l.status",
  sku: "l.sku",
  slug: "l.slug",
  basePrice: "l.base_price"
}

export interface FoundList {
  readonly filter: ProductFilter
  readonly sortBy: ListingOrder
  readonly descending: boolean
  readonly block: { readonly offset: number; readonly length: number }
}

/** The sort key; products with equal keys are sorted by id. `price`: the current price of the row. */
const keyOf = (
  sql: SqlClient.SqlClient,
  storeId: string,
  { filter, sortBy }: FoundList,
  price: Statement.Fragment
): Statement.Fragment => {
  if (sortBy === "beside") return besideOrder(sql, storeId, { ...filter, beside: filter.beside ?? [] })
  if (sortBy === "relevance") return sql`l.menu_order`
  return sortBy === "displayPriceMin" ? price : sql.literal(sortColumns[sortBy])
}

/** Whether the price index finds the products. With a search or filter keys, another index does. */
const isFoundByPrice = ({ filter, sortBy }: FoundList): boolean => {
  const { search, beside, categories, brands, attributes, metafields, minPrice, maxPrice } = filter
  const isPriced = minPrice !== undefined || maxPrice !== undefined || sortBy === "displayPriceMin"
  return isPriced && [search, beside, categories, brands, attributes, metafields].every((one) => one === undefined)
}

const listed = (sql: SqlClient.SqlClient, storeId: string, conditions: ReadonlyArray<Statement.Fragment>) =>
  sql`FROM product_listing l WHERE ${sql.and([sql`l.store_id = ${storeId}`, ...conditions])}`

/** Joins several SELECTs with an operator. */
const joined = (sql: SqlClient.SqlClient, word: string, selects: ReadonlyArray<Statement.Fragment>) =>
  selects.reduce((all, one) => sql`${all} ${sql.literal(word)} ${one}`)

/** Sorted by a column of the listing, or by the current price. */
const idsByKey = (sql: SqlClient.SqlClient, storeId: string, list: FoundList) => {
  const { filter, sortBy, descending, block } = list
  const parts = isFoundByPrice(list) ? partsByPrice(sql, filter.now) : [{ rows: [], price: priceNow(sql, filter.now) }]
  const direction = sql.literal(descending ? " DESC" : "")
  const nulls = sql.literal(sortBy === "sku" ? " NULLS LAST" : "")
  const matching = ({ rows, price }: ListingPart) =>
    listed(sql, storeId, [...rows, ...listingConditions(sql, storeId, filter, price)])
  const counts = parts.map((part) => sql`(SELECT count(*) ${matching(part)})`)
  const firsts = parts.map(
    (part) => sql`(SELECT l.product_id, ${keyOf(sql, storeId, list, part.price)} AS key ${matching(part)}
      ORDER BY key${direction}${nulls}, l.product_id${direction} LIMIT ${block.offset + block.length})`
  )
  return {
    count: sql`SELECT ${joined(sql, "+", counts)} AS n`,
    ids: sql`SELECT ARRAY(SELECT f.product_id FROM (${joined(sql, "UNION ALL", firsts)}) f
      ORDER BY f.key${direction}${nulls}, f.product_id${direction} LIMIT ${block.length} OFFSET ${block.offset}) AS ids`
  }
}

/** Above this number of matches, a search looks at the beginning of the menu before it sorts all matches. */
const manyFound = 10_000
/** Products at the beginning of the menu: checking the words of each costs as much as sorting `manyFound` matches. */
const firstOfMenu = 2_000

/** The products of a level are read only if the earlier levels have too few and the search finds more. */
const idsByRelevance = (sql: SqlClient.SqlClient, storeId: string, { filter, block }: FoundList) => {
  const price = priceNow(sql, filter.now)
  const unseen = sql`l.product_id NOT IN (SELECT unnest(b.ids))`
  const others = listingConditions(sql, storeId, { ...filter, search: undefined }, price)
  const all = listingConditions(sql, storeId, filter, price)
  const end = block.offset + block.length
  const after = (before: Statement.Fragment, more: Statement.Fragment) =>
    sql`SELECT CASE WHEN cardinality(b.ids) >= least(${end}, (SELECT n FROM counted)) THEN b.ids
        ELSE b.ids || ARRAY(SELECT l.product_id ${more} ORDER BY l.menu_order, l.product_id
          ${sql.literal(`LIMIT ${end}`)}) END AS ids FROM (${before} OFFSET 0) b`
  const better = searchPlaces(sql, filter).reduce(
    (before, place) => after(before, listed(sql, storeId, [place, unseen, ...others])),
    sql`SELECT '{}'::text[] AS ids`
  )
  const nextOfMenu = sql`FROM (SELECT * FROM product_listing l WHERE l.store_id = ${storeId}
      ORDER BY l.menu_order, l.product_id ${sql.literal(`LIMIT ${firstOfMenu}`)}) l
    WHERE ${sql.and([sql`(SELECT n FROM counted) > ${sql.literal(String(manyFound))}`, unseen, ...all])}`
  return {
    count: sql`SELECT count(*) AS n ${listed(sql, storeId, all)}`,
    ids: sql`SELECT (b.ids)[${block.offset}::int + 1 : ${end}::int] AS ids
      FROM (${after(after(better, nextOfMenu), listed(sql, storeId, [unseen, ...all]))}) b`
  }
}

/** Two parts of a WITH, of one row each: `counted (n)`, the number of products, and `found (ids)`, the block's ids. */
export const foundIds = (sql: SqlClient.SqlClient, storeId: string, list: FoundList): Statement.Fragment => {
  const { count, ids } = (list.sortBy === "relevance" ? idsByRelevance : idsByKey)(sql, storeId, list)
  return sql`counted AS MATERIALIZED (${count}), found AS MATERIALIZED (${ids})`
}
