/**
 * What an offer offers, as the part of a statement that reads offers: each product or its pinned or chosen variant as a
 * line would sell it, with what views show beside.
 */
import type { SqlClient, Statement } from "effect/sql"
import type { StockFacts } from "../kernel/Availability.ts"
import { customerInputsOf } from "../metafield/Customizations.ts"
import { liveStock } from "../product/KitParts.ts"
import { type OfferedSellable, type Sellable, sellableJoins, sellableJson } from "../pricing/Sellable.ts"
import type { BundleOfferFields } from "./BundleOffer.ts"

/** Where an offer is shown or taken. */
export interface OfferPlace {
  /** Null for the merchant's own view. */
  readonly channelId: string | null
  /** Null for the store's own; or the SQL that finds it. */
  readonly locale: string | null | Statement.Fragment
  /** Variants that a shopper chooses, by the id of the product. */
  readonly variants?: Readonly<Record<string, string>> | undefined
  /** The variant that a shopper chooses of an offer of one product. */
  readonly variantId?: string | null | undefined
}

export const storesOwn: OfferPlace = { channelId: null, locale: null }

/** A variant that can be chosen: active, in the order of the product. */
export interface OfferedVariant {
  readonly id: string
  readonly name: string
  readonly attributes: Record<string, string> | null
  readonly image: string | null
  /** Minor units as text. */
  readonly price: string
  readonly salePrice: string | null
  readonly stock: StockFacts | null
}

export interface OfferedRow {
  readonly productId: string
  /** The pinned variant, or the chosen one. */
  readonly variantId: string | null
  readonly sellable: Sellable
  readonly inputs: OfferedSellable["customerInputs"] | null
  readonly basePrice: string
  readonly salePrice: string | null
  readonly images: ReadonlyArray<{ readonly url: string; readonly alt: string | null }> | null
  /** Of a product with variants for which none is pinned or chosen. */
  readonly variants: ReadonlyArray<OfferedVariant> | null
}

export interface OfferRow extends BundleOfferFields {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
  /** In the order of the offer. */
  readonly products: ReadonlyArray<OfferedRow>
}

const mostShownImages = 5

/** Variants of the product of the row `i`; product_variant_store_id_product_id_idx finds them. */
const variantsOf = (sql: SqlClient.SqlClient, now: Date, most: number) => sql`(SELECT json_agg(json_build_object(
    'id', w.id, 'name', CASE WHEN w.name = '' AND w.option_ids <> '{}' THEN
      variant_name(w.store_id, w.option_ids, i.locale) ELSE w.name END,
    'attributes', CASE WHEN w.option_ids <> '{}' THEN variant_attributes(w.store_id, w.option_ids, i.locale)
      ELSE w.attributes::json END,
    'image', w.image, 'price', coalesce(w.price, p.base_price)::text, 'salePrice', w.sale_price::text,
    'stock', ${liveStock(sql, now)}) ORDER BY w.position, w.id)
  FROM (SELECT * FROM product_variant k WHERE k.store_id = i.store_id AND k.product_id = i.product_id
    AND k.status = 'active' ORDER BY k.position, k.id LIMIT ${sql.literal(String(most))}) w
  LEFT JOIN stock s ON s.store_id = w.store_id AND s.key = w.id)`

/** JSON of the `OfferedRow`s of the row `o` of bundle_offer. */
export const offeredRows = (
  sql: SqlClient.SqlClient,
  { channelId, locale, variants = {}, variantId = null }: OfferPlace,
  now: Date,
  mostVariants: number
): Statement.Fragment => {
  const where = { channelId: sql`${channelId}::text`, locale: sql.literal("i.locale") }
  return sql`(SELECT json_agg(json_build_object('productId', i.product_id, 'variantId', i.variant_id,
      'sellable', ${sellableJson(sql, now, where)},
      'inputs', ${sql.literal(customerInputsOf("i.store_id", "i.product_id"))},
      'basePrice', p.base_price::text, 'salePrice', p.sale_price::text,
      'images', (SELECT json_agg(json_build_object('url', g.image ->> 'url', 'alt', g.image ->> 'alt') ORDER BY g.n)
        FROM jsonb_array_elements(p.images) WITH ORDINALITY AS g (image, n)
        WHERE g.n <= ${sql.literal(String(mostShownImages))}),
      'variants', CASE WHEN p.type = 'VARIABLE' AND i.variant_id IS NULL THEN ${variantsOf(sql, now, mostVariants)} END)
      ORDER BY i.position)
    FROM (
      SELECT o.store_id, ${locale}::text AS locale, u.product_id, u.position, NULL::jsonb AS modifiers,
        coalesce(o.pinned_variants ->> u.product_id, ${JSON.stringify(variants)}::jsonb ->> u.product_id,
          ${variantId}::text) AS variant_id
      FROM unnest(o.product_ids) WITH ORDINALITY AS u (product_id, position)
      OFFSET 0
    ) i ${sql.literal(sellableJoins)})`
}
