/**
 * The components of a kit as a statement reads them: what the product, the cart and the stock all need to know of them.
 * Whoever reads products embeds this sub-select, so that a kit costs no statement of its own, and a product that is not
 * a kit costs nothing.
 */
import { translatedNames } from "../taxonomy/TaxonomyColumns.ts"
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

/** What a product shows of a component besides. */
export interface KitPartLook {
  readonly name: string
  readonly slug: string
  /** Address of the variant's picture, or of the first of the product. */
  readonly image: string | null
  /** Of each language the name alone. */
  readonly translations: Readonly<Record<string, unknown>>
}

/**
 * JSON of the components of the product `p`, NULL where it is not a KIT. What stands between the two halves is JSON of
 * the row of stock `s` of each component, as the embedding statement tells of stock. kit_component_pkey finds them, and
 * primary keys what they are.
 */
export const kitParts = {
  before: `CASE WHEN p.type = 'KIT' THEN coalesce((
    SELECT json_agg(json_build_object('productId', kc.product_id, 'variantId', kc.variant_id, 'quantity', kc.quantity,
      'isOffered', kit_component_is_offered(kc.variant_id, cp.type, cp.status, cp.deleted_at, cv.status),
      'isThere', kit_component_fits(kc.variant_id, cp.type, cp.deleted_at)
        AND (kc.variant_id IS NULL OR cv.id IS NOT NULL),
      'price', coalesce(cv.price, cp.base_price)::text,
      'salePrice', (CASE WHEN cv.id IS NULL THEN cp.sale_price ELSE cv.sale_price END)::text,
      'saleStartsAt', round(extract(epoch FROM cp.sale_price_starts_at) * 1000),
      'saleEndsAt', round(extract(epoch FROM cp.sale_price_ends_at) * 1000),
      'weight', cp.shipping_weight_value::text, 'weightUnit', cp.shipping_weight_unit,
      'isDownloadable', coalesce(cv.is_downloadable, cp.is_downloadable), 'stock', `,
  after: `) ORDER BY kc.position)
    FROM kit_component kc JOIN product cp ON cp.store_id = kc.store_id AND cp.id = kc.product_id
    LEFT JOIN product_variant cv ON cv.store_id = kc.store_id AND cv.id = kc.variant_id AND cv.product_id = cp.id
    LEFT JOIN stock s ON s.store_id = kc.store_id AND s.key = coalesce(kc.variant_id, kc.product_id)
    WHERE kc.store_id = p.store_id AND kc.kit_id = p.id), '[]'::json) END`
}

/** The facts of `KitPartLook`, between the two halves and behind the row of stock. */
export const kitPartLook = `, 'name', cp.name, 'slug', cp.slug, 'image', coalesce(cv.image, cp.images -> 0 ->> 'url'),
  'translations', ${translatedNames("cp")}`

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
