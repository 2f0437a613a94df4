/** Products and variants as they are stored. Prices are minor units of the store's currency; times are Dates. */
import type { taxBehaviors } from "../taxonomy/Category.ts"
import type { BackorderMode, TrackingMode } from "../kernel/Availability.ts"
import type { AttachedGroup } from "../modifier/ModifierFields.ts"
import type { DownloadData } from "./DownloadData.ts"
import type { ChannelIds, PublishedChannel } from "../taxonomy/Publication.ts"
import type { Stars } from "./Stars.ts"
import type { ProductMetafield } from "../metafield/MetafieldFields.ts"
import type { KitPartLook, KitPartRow } from "./KitParts.ts"
import type { kitPricingModes, productStatuses, productTypes } from "./ProductEnums.ts"

export interface ProductImage {
  readonly id: string
  readonly url: string
  readonly key: string | null
  readonly alt: string | null
  readonly position: number
  readonly isMain: boolean
  readonly createdAt: string
  /** Thumbnail of a file of the media library; absent for an image that is stored elsewhere. */
  readonly thumbnailUrl?: string | null
  readonly width?: number | null
  readonly height?: number | null
  readonly size?: number | null
  readonly mimeType?: string | null
}

const unset = <A>(): A | null => null

/** The fields of a product with their default values. `name` and `slug` are always given. */
export const emptyProduct = (name: string, slug: string) => ({
  externalSourceId: unset<string>(),
  type: "SIMPLE" as (typeof productTypes)[number],
  /** Null for everything that is not a KIT. */
  kitPricingMode: unset<(typeof kitPricingModes)[number]>(),
  /** Percent off the sum of the components' prices, as a decimal such as "7.5"; null means no discount. */
  kitDiscountValue: unset<string>(),
  status: "draft" as (typeof productStatuses)[number],
  name,
  slug,
  sku: unset<string>(),
  gtin: unset<string>(),
  mpn: unset<string>(),
  description: unset<string>(),
  descriptionFormat: "html",
  metaDescription: unset<string>(),
  basePrice: 0n,
  salePrice: unset<bigint>(),
  costPrice: unset<bigint>(),
  salePriceStartsAt: unset<Date>(),
  salePriceEndsAt: unset<Date>(),
  shippingWeightValue: unset<number>(),
  shippingWeightUnit: unset<string>(),
  shippingLengthValue: unset<number>(),
  shippingWidthValue: unset<number>(),
  shippingHeightValue: unset<number>(),
  shippingDimensionUnit: unset<string>(),
  shippingClassId: unset<string>(),
  taxBehavior: unset<(typeof taxBehaviors)[number]>(),
  taxClassId: unset<string>(),
  isDownloadable: false,
  downloadData: unset<DownloadData>(),
  menuOrder: 0,
  tags: [] as ReadonlyArray<string>,
  images: [] as ReadonlyArray<ProductImage>,
  translations: {} as Record<string, unknown>,
  crossSells: [] as ReadonlyArray<string>,
  upsells: [] as ReadonlyArray<string>,
  related: [] as ReadonlyArray<string>,
  /** Sales channels that show it; null is every channel. */
  salesChannelIds: unset<ReadonlyArray<string>>()
})
export interface ProductFields extends Readonly<ReturnType<typeof emptyProduct>> {}

export interface StockState {
  readonly trackingMode: TrackingMode
  readonly backorderMode: BackorderMode
  readonly backorderLimit: number | null
  readonly total: number
  readonly reserved: number
  readonly lowStockThreshold: number | null
}

/** An option that a product uses, under its current name. */
export interface ProductOptionState {
  readonly id: string
  readonly name: string
  readonly value: string
  readonly swatchColor: string | null
  readonly swatchColor2: string | null
  readonly swatchImageUrl: string | null
  readonly translations: Record<string, unknown>
  readonly position: number
  /** Deleted by force: variants with this option keep it. */
  readonly isDeleted: boolean
}

/** An attribute of a product, with the options that it uses, in the product's order. */
export interface ProductAttributeState {
  readonly id: string
  readonly name: string
  readonly displayType: string | null
  readonly translations: Record<string, unknown>
  readonly isDeleted: boolean
  readonly options: ReadonlyArray<ProductOptionState>
}

/** The fields of a variant with their default values: its price defaults to the product's. */
export const emptyVariant = (product: Pick<ProductFields, "basePrice">, position: number) => ({
  externalId: unset<string>(),
  sku: unset<string>(),
  /** Generated from the names of its options where `isNameMade`. */
  name: "",
  isNameMade: false,
  /** Attribute name to option name: free text, or the names of its `optionIds`. */
  attributes: {} as Record<string, string>,
  /** Options of its product's attributes, in the product's order; empty where the product has no attributes. */
  optionIds: [] as ReadonlyArray<string>,
  price: product.basePrice,
  salePrice: unset<bigint>(),
  costPrice: unset<bigint>(),
  image: unset<string>(),
  position,
  status: "active" as (typeof productStatuses)[number],
  isDownloadable: false,
  downloadData: unset<DownloadData>(),
  shippingClassId: unset<string>()
})
export interface VariantFields extends Readonly<ReturnType<typeof emptyVariant>> {}

export interface VariantState extends VariantFields {
  readonly id: string
  readonly productId: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly stock: StockState | null
}

export interface ProductState extends ProductFields {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly stock: StockState | null
  readonly variants: ReadonlyArray<VariantState>
  /** The components of a KIT, as they are now; empty for other types. */
  readonly kitComponents: ReadonlyArray<KitPartRow & KitPartLook>
  /** The channels of `salesChannelIds` that still exist; null means every channel. */
  readonly publishedChannels: ReadonlyArray<PublishedChannel> | null
  readonly categories: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly slug: string
    /** Only the name in each language. */
    readonly translations: Record<string, unknown>
    readonly taxBehavior: (typeof taxBehaviors)[number]
    readonly isActive: boolean
    readonly parentId: string | null
    readonly channelIds: ChannelIds
  }>
  /** By position: those with a value or a requirement on this product, and those that shoppers fill in. */
  readonly metafields: ReadonlyArray<ProductMetafield>
  /** Ids of definitions attached to this product by name, not those that apply to all products. */
  readonly attachedMetafields: ReadonlyArray<string>
  readonly attributes: ReadonlyArray<ProductAttributeState>
  readonly brands: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly slug: string
    readonly translations: Record<string, unknown>
    readonly channelIds: ChannelIds
  }>
  readonly stars: Stars
  /** How many active offers of each kind the product brings up. */
  readonly offers: { readonly bundles: number; readonly orderBumps: number }
  readonly shippingClass: { readonly id: string; readonly name: string; readonly slug: string } | null
  readonly modifierGroups: ReadonlyArray<AttachedGroup>
}

/** Fields of a product that refer to other products by id. */
export const linkFields = ["crossSells", "upsells", "related"] as const
