/** Products and variants as they are kept. Prices are minor units of the store's currency; times are Dates. */
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
  /** Of a file of the media library; absent for an image that lies elsewhere. */
  readonly thumbnailUrl?: string | null
  readonly width?: number | null
  readonly height?: number | null
  readonly size?: number | null
  readonly mimeType?: string | null
}

export interface ProductFields {
  readonly externalSourceId: string | null
  readonly type: (typeof productTypes)[number]
  /** Null for everything that is not a KIT. */
  readonly kitPricingMode: (typeof kitPricingModes)[number] | null
  /** Percent off what the components cost together, as a decimal such as "7.5"; null is none. */
  readonly kitDiscountValue: string | null
  readonly status: (typeof productStatuses)[number]
  readonly name: string
  readonly slug: string
  readonly sku: string | null
  readonly gtin: string | null
  readonly mpn: string | null
  readonly description: string | null
  readonly descriptionFormat: string
  readonly metaDescription: string | null
  readonly basePrice: bigint
  readonly salePrice: bigint | null
  readonly costPrice: bigint | null
  readonly salePriceStartsAt: Date | null
  readonly salePriceEndsAt: Date | null
  readonly shippingWeightValue: number | null
  readonly shippingWeightUnit: string | null
  readonly shippingLengthValue: number | null
  readonly shippingWidthValue: number | null
  readonly shippingHeightValue: number | null
  readonly shippingDimensionUnit: string | null
  readonly shippingClassId: string | null
  readonly taxBehavior: (typeof taxBehaviors)[number] | null
  readonly taxClassId: string | null
  readonly isDownloadable: boolean
  readonly downloadData: DownloadData | null
  readonly menuOrder: number
  readonly tags: ReadonlyArray<string>
  readonly images: ReadonlyArray<ProductImage>
  readonly translations: Record<string, unknown>
  readonly crossSells: ReadonlyArray<string>
  readonly upsells: ReadonlyArray<string>
  readonly related: ReadonlyArray<string>
  /** Sales channels that show it; null is every channel. */
  readonly salesChannelIds: ChannelIds
}

/** The fields of a product that nothing has been said of, all of them. `name` and `slug` are always given. */
export const emptyProduct = (name: string, slug: string): ProductFields => ({
  externalSourceId: null,
  type: "SIMPLE",
  kitPricingMode: null,
  kitDiscountValue: null,
  status: "draft",
  name,
  slug,
  sku: null,
  gtin: null,
  mpn: null,
  description: null,
  descriptionFormat: "html",
  metaDescription: null,
  basePrice: 0n,
  salePrice: null,
  costPrice: null,
  salePriceStartsAt: null,
  salePriceEndsAt: null,
  shippingWeightValue: null,
  shippingWeightUnit: null,
  shippingLengthValue: null,
  shippingWidthValue: null,
  shippingHeightValue: null,
  shippingDimensionUnit: null,
  shippingClassId: null,
  taxBehavior: null,
  taxClassId: null,
  isDownloadable: false,
  downloadData: null,
  menuOrder: 0,
  tags: [],
  images: [],
  translations: {},
  crossSells: [],
  upsells: [],
  related: [],
  salesChannelIds: null
})

export interface StockState {
  readonly trackingMode: TrackingMode
  readonly backorderMode: BackorderMode
  readonly backorderLimit: number | null
  readonly total: number
  readonly reserved: number
  readonly lowStockThreshold: number | null
}

/** An option that a product uses, as it is named now. */
export interface ProductOptionState {
  readonly id: string
  readonly name: string
  readonly value: string
  readonly swatchColor: string | null
  readonly swatchColor2: string | null
  readonly swatchImageUrl: string | null
  readonly translations: Record<string, unknown>
  readonly position: number
  /** Deleted by force: variants that have it keep it. */
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

export interface VariantFields {
  readonly externalId: string | null
  readonly sku: string | null
  /** Made of the names of its options where `isNameMade`. */
  readonly name: string
  readonly isNameMade: boolean
  /** Attribute name to option name: free-form, or of its `optionIds`. */
  readonly attributes: Record<string, string>
  /** Options of its product's attributes, in their order; empty where the product has no attributes. */
  readonly optionIds: ReadonlyArray<string>
  readonly price: bigint
  readonly salePrice: bigint | null
  readonly costPrice: bigint | null
  readonly image: string | null
  readonly position: number
  readonly status: (typeof productStatuses)[number]
  readonly isDownloadable: boolean
  readonly downloadData: DownloadData | null
  readonly shippingClassId: string | null
}

/** What a variant inherits until told: its product's prices, and a name made of its options. */
export const emptyVariant = (product: Pick<ProductFields, "basePrice">, position: number): VariantFields => ({
  externalId: null,
  sku: null,
  name: "",
  isNameMade: false,
  attributes: {},
  optionIds: [],
  price: product.basePrice,
  salePrice: null,
  costPrice: null,
  image: null,
  position,
  status: "active",
  isDownloadable: false,
  downloadData: null,
  shippingClassId: null
})

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
  /** What a KIT is made of, as it stands now; empty for everything else. */
  readonly kitComponents: ReadonlyArray<KitPartRow & KitPartLook>
  /** Those of `salesChannelIds` that there are; null where it is on every channel. */
  readonly publishedChannels: ReadonlyArray<PublishedChannel> | null
  readonly categories: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly slug: string
    /** Of each language the name alone. */
    readonly translations: Record<string, unknown>
    readonly taxBehavior: (typeof taxBehaviors)[number]
    readonly isActive: boolean
    readonly parentId: string | null
    readonly channelIds: ChannelIds
  }>
  /** By position: those that it has a value of, or may need one of, and what shoppers fill in. */
  readonly metafields: ReadonlyArray<ProductMetafield>
  /** Ids of definitions that it has by name and not because all products have them. */
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
  readonly shippingClass: { readonly id: string; readonly name: string; readonly slug: string } | null
  readonly modifierGroups: ReadonlyArray<AttachedGroup>
}
