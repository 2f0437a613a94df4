/**
 * Maps product states to views: complete for admins, without private fields for storefronts, and for subscribers to
 * events like an admin's but without costs and download locations. `display*` is what a shopper currently sees.
 */
import { askedTranslations, type Reading, textOr, translationIn } from "../kernel/Locale.ts"
import { formatMoney } from "../kernel/Money.ts"
import { priceOnSale } from "../kernel/SalePrice.ts"
import { kitStock } from "../kernel/Kit.ts"
import { type OwnPrices, ownPrices } from "./KitPrice.ts"
import { attachedGroupViews } from "../modifier/AttachedModifierGroup.ts"
import { canPurchase, isInStock, type StockFacts, stockTogether, unitsFree } from "../kernel/Availability.ts"
import { attributeViews, brandView, categoryView, imageView, kitPartView, variantReader } from "./NamedInProduct.ts"
import { downloadView } from "./DownloadData.ts"
import type { ProductState, VariantState } from "./Product.ts"
import { isOnChannel, publicationsOf } from "../taxonomy/Publication.ts"
import { localeSlugsOf } from "../taxonomy/LocaleSlugs.ts"
import { seoScoreOf } from "./SeoScore.ts"
import { averageOf, reviewCountOf } from "./Stars.ts"
import { customizationFields, valuesByKey } from "../metafield/ProductMetafield.ts"
import type { InventoryView, VariantView } from "./VariantView.ts"
import type { ProductView } from "./ProductView.ts"

/**
 * Who reads: an admin sees everything; a subscriber the same without costs and download locations; a shopper only
 * active parts, and no negative counts.
 */
export type Audience = "admin" | "subscriber" | "storefront"

const inventoryView = (stock: StockFacts | null, audience: Audience): InventoryView => {
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

/** The stock of a product that is sold by itself: its own row, or for a kit what its components allow. */
const ownStock = ({ type, stock, kitComponents }: ProductState): StockFacts | null =>
  type === "KIT" ? kitStock(kitComponents) : stock

/** The total over the variants of a VARIABLE product; it can be bought if one of its active variants can. */
const togetherView = (
  variants: ReadonlyArray<{ readonly inventory: InventoryView; readonly status: string }>
): InventoryView => {
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
  /** Epoch milliseconds; decides which sale prices apply. */
  readonly now: number
  /** The shopper's sales channel; absent or null is the public. */
  readonly channelId?: string | null | undefined
  /** The shopper's languages; absent means the texts as stored. */
  readonly reading?: Reading | undefined
}

/**
 * Each view is one object literal, and the fields for admins are added after it: a spread in the middle of a large
 * literal costs more than all of its fields, for every product of every page.
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

/** The prices that a shopper currently pays, for each active variant or for the product itself. */
export const effectivePrices = (
  product: ProductState,
  { basePrice, salePrice, onSale }: OwnPrices
): ReadonlyArray<bigint> => {
  const priced = product.type === "VARIABLE" ? product.variants.filter((variant) => variant.status === "active") : []
  if (priced.length === 0) return [priceOnSale({ price: basePrice, salePrice }, onSale)]
  return priced.map((variant) => priceOnSale(variant, onSale))
}

export const toProductView = (product: ProductState, context: ViewContext): ProductView => {
  const { currency, audience, now, reading, channelId = null } = context
  const isShopper = audience === "storefront"
  const texts = reading === undefined ? undefined : translationIn(product.translations, reading.wanted, reading.own)
  const money = (minor: bigint) => formatMoney(minor, currency)
  const own = ownPrices(product, now)
  const { onSale } = own
  const prices = effectivePrices(product, own)
  const min = money(prices.reduce((low, price) => (price < low ? price : low)))
  const max = money(prices.reduce((high, price) => (price > high ? price : high)))
  const basePrice = money(own.basePrice)
  const salePrice = own.salePrice === null ? null : money(own.salePrice)
  const shown = isShopper ? product.variants.filter((variant) => variant.status === "active") : product.variants
  const read = variantReader(product, reading)
  const variants = shown.map((variant) => toVariantView(read(variant), onSale, context))
  const attributes = attributeViews(product.attributes, reading)
  const published = isShopper ? [] : publicationsOf(product.publishedChannels)
  const view: ProductView = {
    id: product.id,
    name: textOr(texts, "name", product.name),
    slug: product.slug,
    localeSlugs: localeSlugsOf(product.translations),
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
    kitPricingMode: product.kitPricingMode,
    kitDiscountValue: product.kitDiscountValue,
    // If shoppers cannot see one of its components, the kit cannot be bought.
    kitComponents: product.kitComponents
      .filter(({ isOffered }) => !isShopper || isOffered)
      .map((part) => kitPartView(part, reading)),
    isDownloadable: product.isDownloadable,
    downloadData: downloadView(product.downloadData, audience === "admin"),
    needsSync: false,
    lastSyncedAt: null,
    menuOrder: product.menuOrder,
    taxBehavior: product.taxBehavior,
    taxClassId: product.taxClassId,
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString(),
    inventory: product.type === "VARIABLE" ? togetherView(variants) : inventoryView(ownStock(product), audience),
    variants,
    images: product.images.map(imageView),
    channels: {},
    translations: askedTranslations(product.translations, reading?.wanted),
    categories: product.categories
      .filter(({ isActive, channelIds }) => !isShopper || (isActive && isOnChannel(channelIds, channelId)))
      .map((category) => categoryView(category, reading)),
    brands: product.brands
      .filter(({ channelIds }) => !isShopper || isOnChannel(channelIds, channelId))
      .map((brand) => brandView(brand, reading)),
    attributes,
    productAttributeOptions: attributes.flatMap(({ options }) => options),
    tags: product.tags,
    metafields: valuesByKey(product.metafields, isShopper),
    customizationFields: customizationFields(product.metafields, reading),
    channelPublishes: published,
    vibeCodedPublishes: published,
    channelSync: {},
    shippingClassId: product.shippingClassId,
    shippingClass: product.shippingClass,
    crossSells: product.crossSells,
    upsells: product.upsells,
    related: product.related,
    bundleOfferCount: product.offers.bundles,
    orderBumpCount: product.offers.orderBumps,
    avgRating: averageOf(product.stars),
    reviewCount: reviewCountOf(product.stars),
    seoScore: seoScoreOf(product),
    modifierGroups: attachedGroupViews(product, context)
  }
  const whole = audience === "admin" ? { ...view, salesChannelIds: product.salesChannelIds } : view
  return withCost(whole, product.costPrice, context)
}
