/**
 * The Product on the wire (interface.md, Product): for admins whole, for storefronts without what is private, for
 * subscribers to events as admins see it but for costs and the places of downloads. Every documented field is there.
 * Money is decimal strings in the store's currency; `display*` is what a shopper is shown now.
 */
import { Schema, Struct } from "effect"
import { textOr, translationIn } from "../kernel/Locale.ts"
import { formatMoney } from "../kernel/Money.ts"
import { isWindowActive } from "../kernel/TimeWindow.ts"
import { canPurchase, isInStock, stockTogether, TrackingMode, unitsFree } from "../kernel/Availability.ts"
import { DownloadView, downloadView, PublicDownloadView } from "./DownloadData.ts"
import type { ProductState, StockState, VariantState } from "./Product.ts"

const nullableText = Schema.NullOr(Schema.String)
const nullableNumber = Schema.NullOr(Schema.Number)
const list = Schema.Array(Schema.Unknown)
const json = Schema.Record(Schema.String, Schema.Unknown)

export const InventoryView = Schema.Struct({
  trackingMode: TrackingMode,
  total: Schema.Int,
  reserved: Schema.Int,
  available: Schema.Int,
  inStock: Schema.Boolean,
  canPurchase: Schema.Boolean,
  lastInventorySyncAt: nullableText
})
export type InventoryView = typeof InventoryView.Type

export const VariantView = Schema.Struct({
  id: Schema.String,
  productId: Schema.String,
  sku: nullableText,
  name: Schema.String,
  attributes: json,
  price: Schema.String,
  salePrice: nullableText,
  costPrice: Schema.optionalKey(nullableText),
  displayPrice: Schema.String,
  displaySalePrice: nullableText,
  displayCurrency: Schema.String,
  image: nullableText,
  position: Schema.Int,
  status: Schema.String,
  inventory: InventoryView,
  isDownloadable: Schema.Boolean,
  downloadData: Schema.NullOr(DownloadView),
  shippingClassId: nullableText,
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type VariantView = typeof VariantView.Type

export const ProductView = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  slug: Schema.String,
  localeSlugs: json,
  externalSourceId: nullableText,
  description: nullableText,
  descriptionFormat: Schema.String,
  basePrice: Schema.String,
  salePrice: nullableText,
  costPrice: Schema.optionalKey(nullableText),
  priceMin: Schema.String,
  priceMax: Schema.String,
  priceVaries: Schema.Boolean,
  displayPrice: Schema.String,
  displaySalePrice: nullableText,
  displayPriceMin: Schema.String,
  displayPriceMax: Schema.String,
  displayCurrency: Schema.String,
  gtin: nullableText,
  mpn: nullableText,
  salePriceStartsAt: nullableText,
  salePriceEndsAt: nullableText,
  shippingWeightValue: nullableNumber,
  shippingWeightUnit: nullableText,
  shippingLengthValue: nullableNumber,
  shippingWidthValue: nullableNumber,
  shippingHeightValue: nullableNumber,
  shippingDimensionUnit: nullableText,
  metaDescription: nullableText,
  status: Schema.String,
  sku: nullableText,
  type: Schema.String,
  kitPricingMode: nullableText,
  kitDiscountValue: nullableText,
  isDownloadable: Schema.Boolean,
  downloadData: Schema.NullOr(DownloadView),
  needsSync: Schema.Boolean,
  lastSyncedAt: Schema.NullOr(json),
  menuOrder: Schema.Int,
  taxBehavior: nullableText,
  taxClassId: nullableText,
  createdAt: Schema.String,
  updatedAt: Schema.String,
  inventory: InventoryView,
  variants: Schema.Array(VariantView),
  images: list,
  channels: json,
  translations: json,
  categories: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String, taxBehavior: Schema.String })),
  brands: list,
  attributes: list,
  productAttributeOptions: list,
  tags: Schema.Array(Schema.String),
  metafields: json,
  customizationFields: list,
  channelPublishes: list,
  vibeCodedPublishes: list,
  channelSync: json,
  shippingClassId: nullableText,
  shippingClass: Schema.NullOr(json),
  crossSells: Schema.Array(Schema.String),
  upsells: Schema.Array(Schema.String),
  related: Schema.Array(Schema.String),
  bundleOfferCount: Schema.Int,
  orderBumpCount: Schema.Int,
  avgRating: nullableNumber,
  reviewCount: Schema.Int,
  seoScore: Schema.NullOr(json),
  modifierGroups: list
})
export type ProductView = typeof ProductView.Type

const downloadData = Schema.NullOr(PublicDownloadView)
/** A product as product.* events carry it: without costs and places of downloads, its own and its variants'. */
export const ProductSnapshot = ProductView.mapFields((fields) => ({
  ...Struct.omit(fields, ["costPrice"]),
  downloadData,
  variants: Schema.Array(
    VariantView.mapFields((ofVariant) => ({ ...Struct.omit(ofVariant, ["costPrice"]), downloadData }))
  )
}))

/**
 * Who reads: an admin sees everything; a subscriber what an admin sees, without costs and the places of downloads; a
 * shopper what is active, and no count below zero.
 */
export type Audience = "admin" | "subscriber" | "storefront"

export const inventoryView = (stock: StockState | null, audience: Audience): InventoryView => {
  const { total, reserved } = stock ?? { total: 0, reserved: 0 }
  return {
    trackingMode: stock?.trackingMode ?? "TRACKED",
    total,
    reserved,
    available: audience === "storefront" ? unitsFree(stock) : total - reserved,
    inStock: isInStock(stock),
    canPurchase: canPurchase(stock),
    lastInventorySyncAt: null
  }
}

/** A VARIABLE product has what its variants have together; it can be bought where one that is active can. */
const togetherView = (variants: ReadonlyArray<VariantView>): InventoryView => {
  const parts = variants.map(({ inventory, status }) => ({ ...inventory, isActive: status === "active" }))
  return {
    ...stockTogether(parts),
    inStock: parts.some((part) => part.isActive && part.inStock),
    canPurchase: parts.some((part) => part.isActive && part.canPurchase),
    lastInventorySyncAt: null
  }
}

export interface ViewContext {
  readonly currency: string
  readonly audience: Audience
  /** Epoch milliseconds; sale windows are judged by it. */
  readonly now: number
  /** What a shopper reads in; absent, the texts as they are kept. */
  readonly reading?: Reading | undefined
}

/** Languages wanted, best first, and the store's own. */
export interface Reading {
  readonly wanted: ReadonlyArray<string>
  readonly own: string
}

/**
 * Objects are written as one literal each, and what admins see besides is added after: a spread in the middle of a
 * literal of many fields costs more than all of its fields, for every product of every page.
 */
const withCost = <View extends object>(
  view: View,
  costPrice: bigint | null,
  { currency, audience }: ViewContext
): View =>
  audience === "admin" ? { ...view, costPrice: costPrice === null ? null : formatMoney(costPrice, currency) } : view

export const toVariantView = (variant: VariantState, onSale: boolean, context: ViewContext): VariantView => {
  const { currency, audience } = context
  const price = formatMoney(variant.price, currency)
  const salePrice = variant.salePrice === null ? null : formatMoney(variant.salePrice, currency)
  const view: VariantView = {
    id: variant.id,
    productId: variant.productId,
    sku: variant.sku,
    name: variant.name,
    attributes: variant.attributes,
    price,
    salePrice,
    displayPrice: price,
    displaySalePrice: onSale ? salePrice : null,
    displayCurrency: currency,
    image: variant.image,
    position: variant.position,
    status: variant.status,
    inventory: inventoryView(variant.stock, audience),
    isDownloadable: variant.isDownloadable,
    downloadData: downloadView(variant.downloadData, audience === "admin"),
    shippingClassId: variant.shippingClassId,
    createdAt: variant.createdAt.toISOString(),
    updatedAt: variant.updatedAt.toISOString()
  }
  return withCost(view, variant.costPrice, context)
}

/** Whether the product's sale prices hold now; without dates they always do. */
export const isOnSale = (product: Pick<ProductState, "salePriceStartsAt" | "salePriceEndsAt">, now: number): boolean =>
  isWindowActive({ startsAt: product.salePriceStartsAt, endsAt: product.salePriceEndsAt }, now)

/** What a shopper pays now, for each active variant or for the product itself. */
const effectivePrices = (product: ProductState, onSale: boolean): ReadonlyArray<bigint> => {
  const priced = product.type === "VARIABLE" ? product.variants.filter((variant) => variant.status === "active") : []
  if (priced.length === 0) return [onSale ? (product.salePrice ?? product.basePrice) : product.basePrice]
  return priced.map((variant) => (onSale ? (variant.salePrice ?? variant.price) : variant.price))
}

export const toProductView = (product: ProductState, context: ViewContext): ProductView => {
  const { currency, audience, now, reading } = context
  const texts = reading === undefined ? undefined : translationIn(product.translations, reading.wanted, reading.own)
  const money = (minor: bigint) => formatMoney(minor, currency)
  const onSale = isOnSale(product, now)
  const prices = effectivePrices(product, onSale)
  const min = money(prices.reduce((low, price) => (price < low ? price : low)))
  const max = money(prices.reduce((high, price) => (price > high ? price : high)))
  const basePrice = money(product.basePrice)
  const salePrice = product.salePrice === null ? null : money(product.salePrice)
  const shown =
    audience === "storefront" ? product.variants.filter((variant) => variant.status === "active") : product.variants
  const variants = shown.map((variant) => toVariantView(variant, onSale, context))
  const view: ProductView = {
    id: product.id,
    name: textOr(texts, "name", product.name),
    slug: product.slug,
    localeSlugs: {},
    externalSourceId: product.externalSourceId,
    description: textOr(texts, "description", product.description),
    descriptionFormat: product.descriptionFormat,
    basePrice,
    salePrice,
    priceMin: min,
    priceMax: max,
    priceVaries: min !== max,
    displayPrice: basePrice,
    displaySalePrice: onSale ? salePrice : null,
    displayPriceMin: min,
    displayPriceMax: max,
    displayCurrency: currency,
    gtin: product.gtin,
    mpn: product.mpn,
    salePriceStartsAt: product.salePriceStartsAt?.toISOString() ?? null,
    salePriceEndsAt: product.salePriceEndsAt?.toISOString() ?? null,
    shippingWeightValue: product.shippingWeightValue,
    shippingWeightUnit: product.shippingWeightUnit,
    shippingLengthValue: product.shippingLengthValue,
    shippingWidthValue: product.shippingWidthValue,
    shippingHeightValue: product.shippingHeightValue,
    shippingDimensionUnit: product.shippingDimensionUnit,
    metaDescription: product.metaDescription,
    status: product.status,
    sku: product.sku,
    type: product.type,
    kitPricingMode: null,
    kitDiscountValue: null,
    isDownloadable: product.isDownloadable,
    downloadData: downloadView(product.downloadData, audience === "admin"),
    needsSync: false,
    lastSyncedAt: null,
    menuOrder: product.menuOrder,
    taxBehavior: product.taxBehavior,
    taxClassId: product.taxClassId,
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString(),
    inventory: product.type === "VARIABLE" ? togetherView(variants) : inventoryView(product.stock, audience),
    variants,
    images: product.images.map(toImageView),
    channels: {},
    translations: product.translations,
    categories: product.categories
      .filter(({ isActive }) => audience !== "storefront" || isActive)
      .map(({ isActive: _, ...category }) => category),
    brands: [],
    attributes: [],
    productAttributeOptions: [],
    tags: product.tags,
    metafields: {},
    customizationFields: [],
    channelPublishes: [],
    vibeCodedPublishes: [],
    channelSync: {},
    shippingClassId: product.shippingClassId,
    shippingClass: product.shippingClass,
    crossSells: product.crossSells,
    upsells: product.upsells,
    related: product.related,
    bundleOfferCount: 0,
    orderBumpCount: 0,
    avgRating: null,
    reviewCount: 0,
    seoScore: null,
    modifierGroups: []
  }
  return withCost(view, product.costPrice, context)
}

const toImageView = (image: ProductState["images"][number]) => ({
  ...image,
  thumbnailUrl: null,
  width: null,
  height: null,
  size: null,
  mimeType: null,
  source: null,
  importStatus: null,
  importError: null
})
