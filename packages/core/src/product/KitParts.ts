/**
 * The components of a kit as the database function `kit_parts` returns them, for products, carts and stock. Statements
 * that read products call it, so that a kit needs no statement of its own.
 */
import type { SqlClient, Statement } from "effect/sql"
import type { StockFacts } from "../kernel/Availability.ts"
import type { KitPart } from "../kernel/Kit.ts"

/**
 * As the statement returns it: minor units as text, times in epoch milliseconds. Prices are the variant's where the
 * component names one.
 */
export interface KitPartRow extends KitPart {
  /** The product is not deleted and its variant exists, even if shoppers cannot see it. */
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

/** What a product shows of a component in addition: `kit_parts` with names. */
export interface KitPartLook {
  readonly name: string
  readonly slug: string
  /** URL of the variant's picture, or of the product's first one. */
  readonly image: string | null
  /** Only the name in each language. */
  readonly translations: Readonly<Record<string, unknown>>
}

/** Units of the row of stock `s` that are currently reserved, without expired reservations. */
export const reservedNow = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`(SELECT * FROM stock_reserved_at(s.store_id, s.key, s.reserved, ${now}))`

/** JSON of the current state of the row of stock `s`, NULL where there is none. */
export const liveStock = (
  sql: SqlClient.SqlClient,
  now: Date
): Statement.Fragment => sql`CASE WHEN s.key IS NULL THEN NULL
  ELSE json_build_object('trackingMode', s.tracking_mode, 'backorderMode', s.backorder_mode, 'backorderLimit',
    s.backorder_limit, 'total', s.total, 'lowStockThreshold', s.low_stock_threshold,
    'reserved', ${reservedNow(sql, now)}) END`
