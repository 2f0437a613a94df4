/**
 * The components of a kit as the function `kit_parts` of the database returns them: what the product, the cart and the
 * stock all need to know of them. Statements that read products call it, so that a kit costs no statement of its own.
 */
import type { SqlClient, Statement } from "effect/sql"
import type { StockFacts } from "../kernel/Availability.ts"
import type { KitPart } from "../kernel/Kit.ts"

/**
 * As the statement answers it: minor units as text, times in epoch milliseconds. Prices are the variant's where one is
 * named.
 */
export interface KitPartRow extends KitPart {
  /** It is not deleted, and its variant is there, also where shoppers cannot see it. */
  readonly isThere: boolean
  readonly price: string
  readonly salePrice: string | null
  readonly saleStartsAt: number | null
  readonly saleEndsAt: number | null
  readonly weight: string | null
  readonly weightUnit: string | null
  readonly isDownloadable: boolean
  readonly stock: (StockFacts & { readonly lowStockThreshold: number | null }) | null
}

/** What a product shows of a component besides: `kit_parts` with names. */
export interface KitPartLook {
  readonly name: string
  readonly slug: string
  /** Address of the variant's picture, or of the first of the product. */
  readonly image: string | null
  /** Of each language the name alone. */
  readonly translations: Readonly<Record<string, unknown>>
}

/** Units of the row of stock `s` that are reserved now, without reservations that have expired. */
export const reservedNow = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`(SELECT * FROM stock_reserved_at(s.store_id, s.key, s.reserved, ${now}))`

/** JSON of the row of stock `s` as it is now, NULL where there is none. */
export const liveStock = (
  sql: SqlClient.SqlClient,
  now: Date
): Statement.Fragment => sql`CASE WHEN s.key IS NULL THEN NULL
  ELSE json_build_object('trackingMode', s.tracking_mode, 'backorderMode', s.backorder_mode, 'backorderLimit',
    s.backorder_limit, 'total', s.total, 'lowStockThreshold', s.low_stock_threshold,
    'reserved', ${reservedNow(sql, now)}) END`
