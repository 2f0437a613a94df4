/** Rows of a product as statements return them, and the product state that they are mapped to. */
import { Struct } from "effect"
import { constraintViolations } from "../../database/SqlErrors.ts"
import { selectedFields, type StoreTable } from "../../database/StoreTable.ts"
import { FieldRejected } from "../../kernel/FieldRejected.ts"
import { brandJson, categoryJson, publishedChannels } from "../../taxonomy/TaxonomyColumns.ts"
import { starsOfProduct } from "../ProductRatingRepository.ts"
import { noStars } from "../Stars.ts"
import { attachedMetafields, metafieldsJson } from "../../metafield/MetafieldColumns.ts"
import { type AttachedGroupJson, attachedGroupsJson, toAttachedGroup } from "../ModifierAttachmentRepository.ts"
import { emptyProduct, type ProductFields, type ProductState, type VariantState } from "../Product.ts"
import { ProductExternalIdTaken, ProductSlugTaken } from "../ProductErrors.ts"
import { optionNamesOf, withOptionNames } from "../VariantNames.ts"

/** Maps constraint violations of a product row to errors. */
export const productRefusals = ({ slug, externalSourceId }: ProductFields) =>
  constraintViolations({
    product_store_id_slug_key: () => new ProductSlugTaken({ slug }),
    product_store_id_external_source_id_key: () =>
      new ProductExternalIdTaken({ externalSourceId: externalSourceId ?? "" }),
    product_store_id_tax_class_id_fkey: () => FieldRejected.at("taxClassId", "is not a tax class of this store"),
    product_store_id_shipping_class_id_fkey: () =>
      FieldRejected.at("shippingClassId", "is not a shipping class of this store")
  })

interface VariantJson
  extends Omit<VariantState, "price" | "salePrice" | "costPrice" | "createdAt" | "updatedAt" | "isNameMade"> {
  readonly price: string
  readonly salePrice: string | null
  readonly costPrice: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

type Measure = "shippingWeightValue" | "shippingLengthValue" | "shippingWidthValue" | "shippingHeightValue"

/** Lists that the row of a product leaves out where they are empty. */
type Listed = "attachedMetafields" | "attributes" | "brands" | "categories" | "kitComponents" | "metafields" | "stars"

export type ProductRow = Omit<ProductState, Measure | Listed | "variants" | "modifierGroups"> & {
  readonly [K in Measure]: string | null
} & {
  readonly [K in Listed]: ProductState[K] | null
} & {
  readonly variants: ReadonlyArray<VariantJson> | null
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
/** bundle_offer_trigger_product_id_idx has the active ones. */
const offersOfProduct = `(SELECT json_build_object('bundles', count(*) FILTER (WHERE o.kind = 'BUNDLE'),
    'orderBumps', count(*) FILTER (WHERE o.kind = 'ORDER_BUMP')) FROM bundle_offer o
    WHERE o.store_id = p.store_id AND o.trigger_product_id = p.id AND o.is_active)`
const ownShippingClassJson = `CASE WHEN p.shipping_class_id IS NOT NULL THEN (SELECT ${shippingClassJson}
    FROM shipping_class sc WHERE sc.store_id = p.store_id AND sc.id = p.shipping_class_id) END`

/**
 * Parts of a product from other tables. All of them are read by index: variants by
 * product_variant_store_id_product_id_idx, stock by its primary key.
 */
const parts = {
  kit_components: "CASE WHEN p.type = 'KIT' THEN kit_parts(p.store_id, p.id, '-infinity', true) END",
  stock: `(SELECT ${stockJson} FROM stock s WHERE s.store_id = p.store_id AND s.key = p.id)`,
  stars: starsOfProduct,
  offers: offersOfProduct,
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
/** The fields of a product, which are columns of its row; `search` is the text to search in. */
export const productTable: StoreTable<ProductFields & { readonly search: string }> = {
  table: "product",
  fields: [...Struct.keys(emptyProduct("", "")), "search"],
  columns: { salesChannelIds: "channel_ids" },
  json: ["downloadData", "images", "translations"],
  keepsDeleted: true
}

export const withSearch = <Fields extends ProductFields>(fields: Fields): Fields & { readonly search: string } => ({
  ...fields,
  search: [fields.name, fields.sku, fields.gtin, fields.mpn, fields.description]
    .filter((part) => part !== null)
    .join(" ")
    .toLowerCase()
})

const readColumns = {
  ...productTable,
  fields: productTable.fields.filter((field) => field !== "search" && field !== "kitDiscountValue")
}

export const productColumns = `p.id, p.created_at, p.updated_at, ${selectedFields(readColumns, "p")},
  trim_scale(p.kit_discount_value)::text AS kit_discount_value,
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
