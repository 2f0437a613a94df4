/** SQL for what depends on a listing row `l` and the time: the current price, and whether the product can be bought. */
import type { SqlClient, Statement } from "effect/sql"

type Sql = SqlClient.SqlClient

/**
 * Whether the stored price of a row is not valid now: a sale has begun or ended since, or a process whose clock is
 * ahead wrote it. The indexes of price_until and price_since find such rows.
 */
const isPriceOutdated = (sql: Sql, now: Date): Statement.Fragment =>
  sql`(l.price_until <= ${now} AND l.price_until < 'infinity'
    OR l.price_since > ${now} AND l.price_since > '-infinity')`

/** The current price of such a row. */
const computedPrice = (sql: Sql, now: Date): Statement.Fragment => sql`coalesce(
  CASE WHEN l.type = 'KIT' THEN kit_price_at(l.store_id, l.product_id, ${now}) END,
  price_at(l.regular_price, l.sale_price, l.sale_starts_at, l.sale_ends_at, ${now}))`

/** The lowest price a shopper pays at `now`. */
export const priceNow = (sql: Sql, now: Date): Statement.Fragment =>
  sql`CASE WHEN l.price_since <= ${now} AND l.price_until > ${now} THEN l.price ELSE ${computedPrice(sql, now)} END`

/** Conditions that select rows, and the current price of each row. */
export interface ListingPart {
  readonly rows: ReadonlyArray<Statement.Fragment>
  readonly price: Statement.Fragment
}

/**
 * All rows in two parts: those whose stored price is valid, which product_listing_store_id_price_idx finds and counts,
 * and the few whose price is computed.
 */
export const partsByPrice = (sql: Sql, now: Date): ReadonlyArray<ListingPart> => [
  { rows: [sql`l.price_since <= ${now}`, sql`l.price_until > ${now}`], price: sql`l.price` },
  { rows: [isPriceOutdated(sql, now)], price: computedPrice(sql, now) }
]

/** The next time at which the price of a product of the store changes without a write. */
export const nextPrice = (sql: Sql, storeId: string, now: Date): Statement.Fragment => sql`(SELECT least(
  (SELECT min(l.price_until) FROM product_listing l WHERE l.store_id = ${storeId} AND l.price_until > ${now}
    AND l.price_until < 'infinity'),
  (SELECT min(CASE WHEN l.type = 'KIT' THEN ${now}
    ELSE nullif(price_until(l.sale_starts_at, l.sale_ends_at, ${now}), 'infinity') END) FROM product_listing l
    WHERE l.store_id = ${storeId} AND ${isPriceOutdated(sql, now)})))`

/**
 * Whether a unit can be bought at `now`. Stored in the column `buyable`, except for KITs, products that are marked
 * stale and products with expired reservations. These are few, and computed.
 */
export const buyableNow = (sql: Sql, storeId: string, now: Date): Statement.Fragment => sql`CASE
  WHEN l.buyable IS NULL
    OR l.product_id IN (SELECT n.product_id FROM product_stale n WHERE n.store_id = ${storeId}
      AND n.cause <> 'again')
    OR l.product_id IN (SELECT s.product_id FROM reservation r JOIN stock s ON s.store_id = r.store_id AND s.key = r.key
      WHERE r.store_id = ${storeId} AND r.expires_at <= ${now})
  THEN listing_buyable_at(l.store_id, l.product_id, l.type, ${now})
  ELSE l.buyable END`
