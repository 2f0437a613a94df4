/** Rows of a product as the statements answer and take them, and the state they stand for. */
import { brandJson, categoryJson, publishedChannels } from "../../taxonomy/TaxonomyColumns.ts"
import { starsOfProduct } from "../ProductRatingRepository.ts"
import { noStars } from "../Stars.ts"
import { attachedMetafields, metafieldsJson } from "../../metafield/MetafieldColumns.ts"
import { type AttachedGroupJson, attachedGroupsJson, toAttachedGroup } from "../ModifierAttachmentRepository.ts"
import type { ProductFields, ProductState, StockState, VariantFields, VariantState } from "../Product.ts"
import { optionNamesOf, withOptionNames } from "../VariantNames.ts"

interface VariantJson
  extends Omit<VariantState, "price" | "salePrice" | "costPrice" | "createdAt" | "updatedAt" | "isNameMade"> {
  readonly price: string
  readonly salePrice: string | null
  readonly costPrice: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

type Measure = "shippingWeightValue" | "shippingLengthValue" | "shippingWidthValue" | "shippingHeightValue"

export type ProductRow = Omit<
  ProductState,
  Measure | "variants" | "stock" | "kitComponents" | "attributes" | "modifierGroups" | "attachedMetafields"
> & {
  readonly [K in Measure]: string | null
} & {
  readonly variants: ReadonlyArray<VariantJson> | null
  readonly kitComponents: ProductState["kitComponents"] | null
  readonly stock: StockState | null
  readonly categories: ProductState["categories"] | null
  readonly metafields: ProductState["metafields"] | null
  readonly attachedMetafields: ProductState["attachedMetafields"] | null
  readonly attributes: ProductState["attributes"] | null
  readonly brands: ProductState["brands"] | null
  readonly stars: ProductState["stars"] | null
  readonly modifierGroups: ReadonlyArray<AttachedGroupJson> | null
}

const stockJson = `json_build_object('trackingMode', s.tracking_mode, 'backorderMode', s.backorder_mode,
  'backorderLimit', s.backorder_limit, 'total', s.total, 'reserved', s.reserved, 'lowStockThreshold',
    s.low_stock_threshold)`

/** What a product shows of a shipping class `sc`. */
const shippingClassJson = "json_build_object('id', sc.id, 'name', sc.name, 'slug', sc.slug)"

const variantsJson = `CASE WHEN p.type = 'VARIABLE' THEN (
    SELECT json_agg(json_build_object('id', v.id, 'productId', v.product_id, 'externalId', v.external_id, 'sku', v.sku,
      'name', v.name, 'attributes', v.attributes, 'optionIds', v.option_ids, 'price', v.price::text, 'salePrice',
      v.sale_price::text, 'costPrice', v.cost_price::text, 'image', v.image, 'position', v.position,
      'status', v.status, 'isDownloadable', v.is_downloadable,
      'downloadData', v.download_data, 'shippingClassId', v.shipping_class_id, 'createdAt',
      round(extract(epoch FROM v.created_at) * 1000), 'updatedAt', round(extract(epoch FROM v.updated_at) * 1000),
      'stock', CASE WHEN s.key IS NULL THEN NULL ELSE ${stockJson} END) ORDER BY v.position, v.id)
    FROM product_variant v LEFT JOIN stock s ON s.store_id = v.store_id AND s.key = v.id
    WHERE v.store_id = p.store_id AND v.product_id = p.id) END`
const attributesJson = `(SELECT json_agg(json_build_object('id', a.id, 'name', a.name, 'displayType', a.display_type,
    'translations',
    a.translations, 'isDeleted', a.deleted_at IS NOT NULL, 'options', (
      SELECT coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'value', o.value, 'swatchColor',
        o.swatch_color, 'swatchColor2', o.swatch_color2, 'swatchImageUrl', o.swatch_image_url, 'translations',
        o.translations, 'position', o.position, 'isDeleted', o.deleted_at IS NOT NULL) ORDER BY k.n), '[]')
      FROM unnest(pa.option_ids) WITH ORDINALITY AS k (id, n)
      JOIN attribute_option o ON o.store_id = pa.store_id AND o.id = k.id)) ORDER BY pa.position)
    FROM product_attribute pa JOIN attribute a ON a.store_id = pa.store_id AND a.id = pa.attribute_id
    WHERE pa.store_id = p.store_id AND pa.product_id = p.id)`
const ownShippingClassJson = `CASE WHEN p.shipping_class_id IS NOT NULL THEN (SELECT ${shippingClassJson}
    FROM shipping_class sc WHERE sc.store_id = p.store_id AND sc.id = p.shipping_class_id) END`

/**
 * What other tables say of a product. Keys serve every part: variants by product_variant_store_id_product_id_idx, stock
 * by its primary key.
 */
const parts = {
  kit_components: "CASE WHEN p.type = 'KIT' THEN kit_parts(p.store_id, p.id, '-infinity', true) END",
  stock: `(SELECT ${stockJson} FROM stock s WHERE s.store_id = p.store_id AND s.key = p.id)`,
  stars: starsOfProduct,
  variants: variantsJson,
  categories: `(SELECT json_agg(${categoryJson} ORDER BY pc.position)
    FROM product_category pc JOIN category c ON c.store_id = pc.store_id AND c.id = pc.category_id
    WHERE pc.store_id = p.store_id AND pc.product_id = p.id AND c.deleted_at IS NULL)`,
  attributes: attributesJson,
  brands: `(SELECT json_agg(${brandJson} ORDER BY pb.position)
    FROM product_brand pb JOIN brand b ON b.store_id = pb.store_id AND b.id = pb.brand_id
    WHERE pb.store_id = p.store_id AND pb.product_id = p.id AND b.deleted_at IS NULL)`,
  shipping_class: ownShippingClassJson,
  modifier_groups: attachedGroupsJson,
  published_channels: publishedChannels("p"),
  metafields: metafieldsJson,
  attached_metafields: attachedMetafields
}
export const productColumns = `p.id, p.external_source_id, p.type, p.kit_pricing_mode,
  trim_scale(p.kit_discount_value)::text AS kit_discount_value, p.status, p.name, p.slug, p.sku, p.gtin, p.mpn,
  p.description, p.description_format, p.meta_description, p.base_price, p.sale_price, p.cost_price,
  p.sale_price_starts_at, p.sale_price_ends_at, p.shipping_weight_value, p.shipping_weight_unit,
  p.shipping_length_value, p.shipping_width_value, p.shipping_height_value, p.shipping_dimension_unit,
  p.shipping_class_id, p.tax_behavior, p.tax_class_id, p.is_downloadable, p.download_data, p.menu_order, p.tags,
  p.images, p.translations, p.cross_sells, p.upsells, p.related, p.channel_ids AS sales_channel_ids,
  p.created_at, p.updated_at,
  ${Object.entries(parts)
    .map(([name, part]) => `${part} AS ${name}`)
    .join(", ")}`

export const productSelect = `SELECT ${productColumns} FROM product p`

const bigintOrNull = (text: string | null): bigint | null => (text === null ? null : BigInt(text))
const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text))

export const toProductState = (row: ProductRow): ProductState => ({
  ...row,
  shippingWeightValue: numberOrNull(row.shippingWeightValue),
  shippingLengthValue: numberOrNull(row.shippingLengthValue),
  shippingWidthValue: numberOrNull(row.shippingWidthValue),
  shippingHeightValue: numberOrNull(row.shippingHeightValue),
  categories: row.categories ?? [],
  metafields: row.metafields ?? [],
  attachedMetafields: row.attachedMetafields ?? [],
  kitComponents: row.kitComponents ?? [],
  brands: row.brands ?? [],
  stars: row.stars ?? noStars,
  attributes: row.attributes ?? [],
  modifierGroups: (row.modifierGroups ?? []).map(toAttachedGroup),
  variants: variantStates(row)
})

const variantStates = ({ variants, attributes }: ProductRow): ProductState["variants"] => {
  if (variants === null) return []
  const names = optionNamesOf(attributes ?? [])
  return variants.map((variant) => ({
    ...withOptionNames(variant, names),
    price: BigInt(variant.price),
    salePrice: bigintOrNull(variant.salePrice),
    costPrice: bigintOrNull(variant.costPrice),
    createdAt: new Date(variant.createdAt),
    updatedAt: new Date(variant.updatedAt)
  }))
}

const jsonb = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** Columns of a product; `search` is what a search looks through. */
export const productRecord = (fields: ProductFields) => ({
  name: fields.name,
  sku: fields.sku,
  gtin: fields.gtin,
  mpn: fields.mpn,
  description: fields.description,
  meta_description: fields.metaDescription,
  base_price: fields.basePrice,
  sale_price: fields.salePrice,
  cost_price: fields.costPrice,
  sale_price_starts_at: fields.salePriceStartsAt,
  sale_price_ends_at: fields.salePriceEndsAt,
  menu_order: fields.menuOrder,
  tags: fields.tags,
  search: [fields.name, fields.sku, fields.gtin, fields.mpn, fields.description]
    .filter((part) => part !== null)
    .join(" ")
    .toLowerCase(),
  external_source_id: fields.externalSourceId,
  type: fields.type,
  kit_pricing_mode: fields.kitPricingMode,
  kit_discount_value: fields.kitDiscountValue,
  status: fields.status,
  slug: fields.slug,
  description_format: fields.descriptionFormat,
  shipping_weight_value: fields.shippingWeightValue,
  shipping_weight_unit: fields.shippingWeightUnit,
  shipping_length_value: fields.shippingLengthValue,
  shipping_width_value: fields.shippingWidthValue,
  shipping_height_value: fields.shippingHeightValue,
  shipping_dimension_unit: fields.shippingDimensionUnit,
  shipping_class_id: fields.shippingClassId,
  tax_behavior: fields.taxBehavior,
  tax_class_id: fields.taxClassId,
  is_downloadable: fields.isDownloadable,
  download_data: jsonb(fields.downloadData),
  images: jsonb(fields.images),
  translations: jsonb(fields.translations),
  cross_sells: fields.crossSells,
  upsells: fields.upsells,
  related: fields.related,
  channel_ids: fields.salesChannelIds
})

/** Columns of a product in JSON that PostgreSQL reads back exactly: minor units as text. */
export const productJson = (fields: ProductFields) => ({
  ...productRecord(fields),
  base_price: String(fields.basePrice),
  sale_price: fields.salePrice === null ? null : String(fields.salePrice),
  cost_price: fields.costPrice === null ? null : String(fields.costPrice),
  download_data: fields.downloadData,
  images: fields.images,
  translations: fields.translations
})

/** The same of a variant. */
export const variantJson = (variant: VariantFields & { readonly id: string }) => ({
  ...variantRecord(variant),
  id: variant.id,
  attributes: variant.optionIds.length > 0 ? {} : variant.attributes,
  download_data: variant.downloadData,
  price: String(variant.price),
  sale_price: variant.salePrice === null ? null : String(variant.salePrice),
  cost_price: variant.costPrice === null ? null : String(variant.costPrice)
})

export const variantRecord = (fields: VariantFields) => ({
  external_id: fields.externalId,
  sku: fields.sku,
  name: fields.isNameMade ? "" : fields.name,
  attributes: jsonb(fields.optionIds.length > 0 ? {} : fields.attributes),
  option_ids: fields.optionIds,
  price: fields.price,
  sale_price: fields.salePrice,
  cost_price: fields.costPrice,
  image: fields.image,
  position: fields.position,
  status: fields.status,
  is_downloadable: fields.isDownloadable,
  download_data: jsonb(fields.downloadData),
  shipping_class_id: fields.shippingClassId
})
