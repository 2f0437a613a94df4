/** The SQL that finds a list: how many products it has, and the ids of one block of them in the order of the list. */
import type { SqlClient, Statement } from "effect/sql"
import type { ListingSort } from "../../product/Product.ts"
import type { ProductFilter } from "../ProductFilter.ts"
import { listingConditions } from "./listingConditions.ts"
import { type ListingPart, partsByPrice, priceNow } from "./listingNow.ts"
import { besideOrder } from "./recommended.ts"
import { searchConditions, searchPlaces } from "./searchConditions.ts"

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

/** What a part of the listing is sorted by; products that are alike in it follow by their ids. */
const keyOf = (
  sql: SqlClient.SqlClient,
  storeId: string,
  { filter, sortBy }: FoundList,
  { price }: ListingPart
): Statement.Fragment => {
  if (sortBy === "beside") return besideOrder(sql, storeId, { ...filter, beside: filter.beside ?? [] })
  if (sortBy === "relevance") return sql`l.menu_order`
  return sortBy === "displayPriceMin" ? price : sql.literal(sortColumns[sortBy])
}

/** Where words or filter keys find the products, an index of theirs does, and the price of each is looked at. */
const isFoundByPrice = ({ filter, sortBy }: FoundList): boolean => {
  const { search, beside, categories, brands, attributes, metafields, minPrice, maxPrice } = filter
  const isPriced = minPrice !== undefined || maxPrice !== undefined || sortBy === "displayPriceMin"
  return isPriced && [search, beside, categories, brands, attributes, metafields].every((one) => one === undefined)
}

const whole = (sql: SqlClient.SqlClient, { now }: ProductFilter): ListingPart => ({
  rows: sql.literal("true"),
  price: priceNow(sql, now)
})

const partsOf = (sql: SqlClient.SqlClient, list: FoundList): ReadonlyArray<ListingPart> =>
  isFoundByPrice(list) ? partsByPrice(sql, list.filter.now) : [whole(sql, list.filter)]

/** What a part must match, of the conditions of a list. */
type Conditions = (part: ListingPart) => ReadonlyArray<Statement.Fragment>

/** The number of products, and the ids of the first ones in the order of the list, as SELECTs over all parts. */
const selectsOf = (sql: SqlClient.SqlClient, storeId: string, list: FoundList) => {
  const parts = partsOf(sql, list)
  const direction = sql.literal(list.descending ? " DESC" : "")
  const nulls = sql.literal(list.sortBy === "sku" ? " NULLS LAST" : "")
  const matching = (part: ListingPart, conditions: Conditions) =>
    sql`FROM product_listing l WHERE ${sql.and([sql`l.store_id = ${storeId}`, part.rows, ...conditions(part)])}`
  const joined = (selects: ReadonlyArray<Statement.Fragment>, by: string) =>
    selects.reduce((all, one) => sql`${all} ${sql.literal(by)} ${one}`)

  const count = (conditions: Conditions) => {
    const counts = parts.map((part) => sql`(SELECT count(*) ${matching(part, conditions)})`)
    return sql`SELECT ${joined(counts, "+")} AS n`
  }
  const first = (conditions: Conditions, { offset, length }: FoundList["block"]) => {
    const each = parts.map(
      (part) => sql`(SELECT l.product_id, ${keyOf(sql, storeId, list, part)} AS key ${matching(part, conditions)}
        ORDER BY key${direction}${nulls}, l.product_id${direction} LIMIT ${offset + length})`
    )
    return sql`SELECT f.product_id FROM (${joined(each, "UNION ALL")}) f
      ORDER BY f.key${direction}${nulls}, f.product_id${direction} LIMIT ${length} OFFSET ${offset}`
  }
  return { count, first }
}

/** A search that finds more products than this is looked for among the first of the menu before all that it finds is sorted. */
const manyFound = 10_000
/** Products of the menu that are looked at then, each with its words: as much work as to sort some thousands. */
const firstOfMenu = 2_000

/** By relevance: the products of a level are read only where the levels before it have too few and the search finds more. */
const idsByRelevance = (sql: SqlClient.SqlClient, storeId: string, list: FoundList): Statement.Fragment => {
  const { filter, block } = list
  const { first } = selectsOf(sql, storeId, list)
  const end = block.offset + block.length
  const unseen = sql`l.product_id NOT IN (SELECT unnest(b.ids))`
  const others: Conditions = ({ price }) => [
    unseen,
    ...listingConditions(sql, storeId, { ...filter, search: undefined }, price)
  ]
  const found = searchConditions(sql, storeId, filter)
  const after = (before: Statement.Fragment, more: Statement.Fragment) =>
    sql`SELECT CASE WHEN cardinality(b.ids) >= least(${end}, (SELECT n FROM counted)) THEN b.ids
        ELSE b.ids || ARRAY(${more}) END AS ids FROM (${before} OFFSET 0) b`
  const fromStart = { offset: 0, length: end }
  const better = searchPlaces(sql, storeId, filter).reduce(
    (before, place) =>
      after(
        before,
        first((part) => [place, ...others(part)], fromStart)
      ),
    sql`SELECT '{}'::text[] AS ids`
  )
  const nearTheStart = sql`SELECT l.product_id FROM (SELECT * FROM product_listing l WHERE l.store_id = ${storeId}
      ORDER BY l.menu_order, l.product_id LIMIT ${firstOfMenu}) l
    WHERE (SELECT n FROM counted) > ${manyFound}
      AND ${sql.and([...found, ...others(whole(sql, filter))])}
    ORDER BY l.menu_order, l.product_id LIMIT ${end}`
  const rest = first((part) => [...found, ...others(part)], fromStart)
  return sql`SELECT (b.ids)[${block.offset}::int + 1 : ${end}::int] AS ids
    FROM (${after(after(better, nearTheStart), rest)}) b`
}

/** Two parts of a WITH, of one row each: `counted (n)`, the number of products, and `found (ids)`, the block's ids. */
export const foundIds = (sql: SqlClient.SqlClient, storeId: string, list: FoundList): Statement.Fragment => {
  const { filter, sortBy, block } = list
  const { count, first } = selectsOf(sql, storeId, list)
  const all: Conditions = ({ price }) => listingConditions(sql, storeId, filter, price)
  const ids =
    sortBy === "relevance" ? idsByRelevance(sql, storeId, list) : sql`SELECT ARRAY(${first(all, block)}) AS ids`
  return sql`counted AS MATERIALIZED (${count(all)}), found AS MATERIALIZED (${ids})`
}
