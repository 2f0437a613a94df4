/**
 * What a line of a cart, checkout or order is made of: one product or variant as it stands now, with the modifiers that
 * were chosen for the line, and its price, tax and stock facts. Read models embed `sellableJson` in their own
 * statement, so that fifty lines cost what one costs.
 */
import type { MetafieldFacts } from "../metafield/MetafieldFields.ts"
import type { SqlClient, Statement } from "effect/sql"
import { type KitPartRow, liveStock } from "../product/KitParts.ts"
import { isPricedByComponents, kitPrice } from "../product/KitPrice.ts"
import type { StockFacts } from "../kernel/Availability.ts"
import type { KitComponent } from "../kernel/Kit.ts"
import { priceAt } from "../kernel/SalePrice.ts"
import { type LineModifiers, modifierErrors, priceWith } from "../modifier/LineModifiers.ts"

export type SellableStock = StockFacts

/**
 * As the statement returns it: minor units as text, times in epoch milliseconds. `price` is the variant's if there is a
 * variant.
 */
export interface Sellable {
  readonly productId: string
  readonly variantId: string | null
  readonly type: "SIMPLE" | "VARIABLE" | "KIT"
  /** The product and its variant are active and not deleted, and shown on the sale's channel, if that is known. */
  readonly visible: boolean
  readonly deleted: boolean
  readonly name: string
  readonly slug: string
  readonly variantName: string | null
  readonly attributes: Record<string, string> | null
  readonly sku: string | null
  readonly image: string | null
  readonly price: string
  readonly salePrice: string | null
  readonly saleStartsAt: number | null
  readonly saleEndsAt: number | null
  readonly taxExempt: boolean
  readonly taxClassId: string | null
  readonly shippingClassId: string | null
  readonly weight: string | null
  readonly weightUnit: string | null
  readonly isDownloadable: boolean
  /** Null for a KIT: its stock is that of its components. */
  readonly stock: SellableStock | null
  /** What a KIT is made of; null for everything else. */
  readonly kit: ReadonlyArray<KitPartRow> | null
  readonly kitPricingMode: string | null
  readonly kitDiscountValue: string | null
  /** What rules and coupons may name; null where none of the store does. */
  readonly groups: ProductGroups | null
  /** What was chosen for the line; null where the product has no modifier groups and nothing was chosen. */
  readonly modifiers: LineModifiers | null
}

/** Ids of what a product belongs to. */
export interface ProductGroups {
  /** With all their ancestors. */
  readonly categories: ReadonlyArray<string>
  readonly brands: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
}

/** With its customer inputs, which are needed when the product is added to a cart. */
export interface OfferedSellable extends Sellable {
  readonly customerInputs: ReadonlyArray<MetafieldFacts>
}

/** Where a line is sold, as SQL. */
export interface SoldWhere {
  /** The channel that it is sold on; NULL for a merchant's own sale, which may include what no channel shows. */
  readonly channelId: Statement.Fragment
  /** The language of its names; NULL for the store's own. */
  readonly locale: Statement.Fragment
}

/**
 * JSON of a Sellable, from the aliases p (product), v (product_variant) and s (stock), and of the row `i`, whose
 * `modifiers` are what was chosen for it; NULL stands for the defaults. A product is tax exempt by its own tax
 * behaviour or, if it has none, by one exempt category.
 */
export const sellableJson = (
  sql: SqlClient.SqlClient,
  now: Date,
  { channelId, locale }: SoldWhere
): Statement.Fragment => sql`json_build_object(
  'productId', p.id, 'variantId', v.id, 'type', p.type,
  'visible', p.status = 'active' AND p.deleted_at IS NULL AND (v.id IS NULL OR v.status = 'active')
    AND (p.channel_ids IS NULL OR ${channelId} IS NULL OR ${channelId} = ANY(p.channel_ids)),
  'deleted', p.deleted_at IS NOT NULL, 'name',
    text_in(p.translations, ${locale}, 'name', p.name), 'slug', p.slug, 'variantName',
    CASE WHEN v.name = '' AND v.option_ids <> '{}' THEN variant_name(v.store_id, v.option_ids, ${locale})
      ELSE v.name END,
  'attributes', CASE WHEN v.option_ids <> '{}' THEN variant_attributes(v.store_id, v.option_ids, ${locale})
    ELSE v.attributes::json END,
  'sku', coalesce(v.sku, p.sku), 'image', coalesce(v.image, p.images -> 0 ->> 'url'),
  'price', coalesce(v.price, p.base_price)::text,
  'salePrice', (CASE WHEN v.id IS NULL THEN p.sale_price ELSE v.sale_price END)::text,
  'saleStartsAt', round(extract(epoch FROM p.sale_price_starts_at) * 1000),
  'saleEndsAt', round(extract(epoch FROM p.sale_price_ends_at) * 1000),
  'taxExempt', coalesce(p.tax_behavior = 'exempt', EXISTS (
    SELECT 1 FROM product_category pc JOIN category c ON c.store_id = pc.store_id AND c.id = pc.category_id
    WHERE pc.store_id = p.store_id AND pc.product_id = p.id AND c.tax_behavior = 'exempt' AND c.deleted_at IS NULL)),
  'taxClassId', p.tax_class_id, 'shippingClassId', coalesce(v.shipping_class_id, p.shipping_class_id),
  'weight', p.shipping_weight_value::text, 'weightUnit', p.shipping_weight_unit,
  'isDownloadable', p.is_downloadable OR coalesce(v.is_downloadable, false),
  'kitPricingMode', p.kit_pricing_mode, 'kitDiscountValue', trim_scale(p.kit_discount_value)::text,
  'stock', CASE WHEN p.type = 'KIT' THEN NULL ELSE ${liveStock(sql, now)} END,
  'kit', CASE WHEN p.type = 'KIT' THEN kit_parts(p.store_id, p.id, ${now}, false) END,
  'groups', CASE WHEN (SELECT discounts_groups FROM store WHERE id = p.store_id) THEN
    product_groups(p.store_id, p.id, p.tags) END,
  'modifiers', CASE WHEN p.has_modifier_groups OR i.modifiers <> '[]'::jsonb THEN json_build_object('chosen',
    i.modifiers, 'groups', offered_modifier_groups(p.store_id, p.id, v.id, i.modifiers, ${locale})) END)`

/**
 * Joins one row by its primary key, for each row before it. `OFFSET 0` keeps the planner from reading the whole table
 * where it expects many lines.
 */
const each = (table: string, alias: string, key: string): string =>
  `LATERAL (SELECT * FROM ${table} k WHERE k.store_id = i.store_id AND ${key} OFFSET 0) ${alias} ON true`

/**
 * Units that are reserved now for the cart or checkout of a row `c`, by the key of their stock row; reservation_pkey
 * finds them. `holder` is the column of `c` with the id under which they are reserved.
 */
export const holdingJson = (
  sql: SqlClient.SqlClient,
  holder: "c.id" | "c.cart_id",
  now: Date
): Statement.Fragment => sql`coalesce((SELECT json_object_agg(h.key, h.quantity) FROM reservation h WHERE h.store_id =
  c.store_id AND h.holder_id = ${sql.literal(holder)} AND h.expires_at > ${now}), '{}'::json)`

/** Joins p, v and s to a row `i` that names product_id, variant_id and modifiers. */
export const sellableJoins = `JOIN ${each("product", "p", "k.id = i.product_id")}
  LEFT JOIN ${each("product_variant", "v", "k.product_id = i.product_id AND k.id = i.variant_id")}
  LEFT JOIN ${each("stock", "s", "k.key = coalesce(i.variant_id, i.product_id)")}`

/**
 * What one unit costs now without its modifiers, in minor units: the sale price inside its window, else the price; or,
 * for a kit that is priced by its components, what these cost.
 */
export const basePriceAt = (sellable: Sellable, now: number): bigint => {
  if (sellable.kit !== null && isPricedByComponents(sellable.kitPricingMode))
    return kitPrice(sellable.kit, sellable.kitDiscountValue, now)
  return priceAt(sellable, now)
}

/** Whether none of it is shipped: it is a download, or a kit of nothing but downloads. */
export const isDownload = ({ isDownloadable, kit }: Pick<Sellable, "isDownloadable" | "kit">): boolean =>
  isDownloadable || (kit !== null && kit.length > 0 && kit.every((part) => part.isDownloadable))

/** What one unit takes out of stock: the components of a kit; null for anything else. */
export const componentsOf = (sellable: Pick<Sellable, "kit"> | null): ReadonlyArray<KitComponent> | null =>
  sellable?.kit?.map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity })) ?? null

/** What one unit costs now, in minor units, with its modifiers. */
export const unitPriceAt = (sellable: Sellable, now: number): bigint => {
  const price = basePriceAt(sellable, now)
  return sellable.modifiers === null ? price : priceWith(price, sellable.modifiers)
}

/**
 * Whether the product is sold at all: shown, a VARIABLE one by its variant and any other without one, and a KIT only
 * while all of its components are sold.
 */
export const isSold = (sellable: Sellable, variantId: string | null): boolean =>
  sellable.visible &&
  sellable.variantId === variantId &&
  (sellable.type === "VARIABLE") === (variantId !== null) &&
  (sellable.kit === null || (sellable.kit.length > 0 && sellable.kit.every((part) => part.isOffered)))

/** Whether it is sold by its variants, and none was named. */
export const lacksVariant = ({ visible, deleted, type }: Sellable, variantId: string | null): boolean =>
  visible && !deleted && type === "VARIABLE" && variantId === null

export const chooseVariant = "this product is sold by its variants: choose one"

/** Whether it can be bought as the line has it: sold, with modifiers that fit. */
export const isBuyable = (sellable: Sellable, variantId: string | null): boolean =>
  isSold(sellable, variantId) && (sellable.modifiers === null || modifierErrors(sellable.modifiers).length === 0)

/** Line names as shoppers read them: product, and its variant where there is one. */
export const lineName = (sellable: Sellable): string =>
  sellable.variantName === null || sellable.variantName === "" || sellable.variantName === sellable.name
    ? sellable.name
    : `${sellable.name} - ${sellable.variantName}`
