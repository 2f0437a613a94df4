/**
 * The baseline's lists with a category, a search or a range of prices: what somebody writes by hand over the tables of
 * products, with the price to pay computed on request. One statement finds a page, one counts.
 */
import type { Pool } from "pg"

/** What a list is narrowed by; null does not narrow it. Prices are minor units. */
export interface ListFilter {
  readonly category: string | null
  readonly search: string | null
  readonly minPrice: string | null
  readonly maxPrice: string | null
}

const isOnSale = `(p.sale_price_starts_at IS NULL OR p.sale_price_starts_at <= now())
  AND (p.sale_price_ends_at IS NULL OR p.sale_price_ends_at > now())`
const toPay = (row: string, price: string) =>
  `CASE WHEN ${isOnSale} THEN coalesce(${row}.sale_price, ${row}.${price}) ELSE ${row}.${price} END`
/** The lowest price of its variants, or its own. */
const price = `coalesce((SELECT min(${toPay("v", "price")}) FROM product_variant v
  WHERE v.store_id = p.store_id AND v.product_id = p.id AND v.status = 'active'), ${toPay("p", "base_price")})`

/** The SQL of each filter, with its value. */
const conditions: Readonly<Record<keyof ListFilter, (value: string) => string>> = {
  category: (slug) => `EXISTS (
    SELECT FROM product_category pc JOIN category c ON c.store_id = pc.store_id AND c.id = pc.category_id
    LEFT JOIN category up ON up.store_id = c.store_id AND up.id = c.parent_id
    WHERE pc.store_id = p.store_id AND pc.product_id = p.id AND c.deleted_at IS NULL
      AND (c.slug = ${slug} OR up.slug = ${slug}))`,
  search: (text) => `(p.name ILIKE '%' || ${text} || '%' OR p.description ILIKE '%' || ${text} || '%')`,
  minPrice: (amount) => `pay.now >= ${amount}`,
  maxPrice: (amount) => `pay.now <= ${amount}`
}
const fields = ["category", "search", "minPrice", "maxPrice"] as const

const minor = (amount: string | null): string | null => {
  if (amount === null) return null
  const [whole = "0", cents = ""] = amount.split(".")
  return `${whole}${cents.padEnd(2, "0")}`
}

/** Undefined where nothing narrows the list. */
export const readFilter = (query: URLSearchParams): ListFilter | undefined => {
  const filter = {
    category: query.get("category"),
    search: query.get("search"),
    minPrice: minor(query.get("minPrice")),
    maxPrice: minor(query.get("maxPrice"))
  }
  return fields.every((field) => filter[field] === null) ? undefined : filter
}

/** Ids of a page in the order of the menu, and how many products there are. */
export const findFiltered = async (
  pool: Pool,
  storeId: string,
  filter: ListFilter,
  page: { readonly limit: number; readonly offset: number }
): Promise<{ readonly ids: ReadonlyArray<string>; readonly total: number }> => {
  const set = fields.filter((field) => filter[field] !== null)
  const isPriced = filter.minPrice !== null || filter.maxPrice !== null
  const priced = isPriced ? `CROSS JOIN LATERAL (SELECT ${price} AS now OFFSET 0) pay` : ""
  const from = `FROM product p ${priced} WHERE p.store_id = $1 AND p.deleted_at IS NULL AND p.status = 'active'
    ${set.map((field, i) => `AND ${conditions[field](`$${i + 2}`)}`).join(" ")}`
  const name = set.join("_")
  const values = [storeId, ...set.map((field) => filter[field])]
  const next = values.length + 1
  const [found, counted] = await Promise.all([
    pool.query({
      name: `find_${name}`,
      text: `SELECT p.id ${from} ORDER BY p.menu_order, p.id LIMIT $${next} OFFSET $${next + 1}`,
      values: [...values, page.limit, page.offset]
    }),
    pool.query({ name: `count_${name}`, text: `SELECT count(*)::int AS n ${from}`, values })
  ])
  return { ids: found.rows.map((row) => String(row["id"])), total: Number(counted.rows[0]?.["n"] ?? 0) }
}
