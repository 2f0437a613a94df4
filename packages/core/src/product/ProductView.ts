/**
 * The product on the wire: the schemas of an admin's product, a shopper's product, and the product in events. Every
 * documented field is present. Money is decimal strings in the store's currency.
 */
import { Schema, Struct } from "effect"
import {
  arrayOf,
  boolean,
  integer,
  json,
  listedText,
  money,
  nullable,
  nullableMoney,
  nullableNumber,
  nullableString,
  nullableTimestamp,
  oneOf,
  string,
  timestamp,
  textMap,
  timestampMap
} from "../kernel/Fields.ts"
import { translationsView } from "../kernel/Translations.ts"
import { ModifierGroupView } from "../modifier/AttachedModifierGroup.ts"
import { DownloadView, PublicDownloadView } from "./DownloadData.ts"
import { descriptionFormats, kitPricingModes, productStatuses, productTypes, weightUnits } from "./ProductEnums.ts"
import { taxBehaviors } from "../taxonomy/Category.ts"
import { ChannelPublishView } from "../taxonomy/Publication.ts"
import {
  ImageView,
  ProductAttributeOptionView,
  ProductAttributeView,
  ProductBrandView,
  ProductCategoryView,
  ShippingClassRef,
  ProductKitComponentView
} from "./ProductParts.ts"
import { SeoScore } from "./SeoScore.ts"
import { CustomizationFieldView } from "../metafield/ProductMetafield.ts"
import { InventoryView, PublicVariantView, VariantView } from "./VariantView.ts"

export const ProductView = Schema.Struct({
  id: string("Id of the product.", "prod_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  name: string("Name, in the language of the request where it is translated.", "Desk lamp"),
  slug: string("Slug of the product for URLs, unique in the store.", "desk-lamp"),
  localeSlugs: textMap("Slugs by language code, of those translations that have one. Each finds the product too."),
  externalSourceId: nullableString("Id in the system it came from, unique in the store.", "erp-1042"),
  description: nullableString(
    "Description, in the language of the request where it is translated. HTML is not sanitised."
  ),
  descriptionFormat: listedText(descriptionFormats, "Format of `description`."),
  basePrice: money("Regular price of one unit."),
  salePrice: nullableMoney("Price while the sale runs; null without one.", "14.99"),
  costPrice: Schema.optionalKey(nullableMoney("What one unit costs the merchant.", "7.50")),
  priceMin: money("Lowest price that can be paid now, over all active variants."),
  priceMax: money("Highest price that can be paid now, over all active variants.", "24.99"),
  priceVaries: boolean("Whether `priceMin` and `priceMax` differ."),
  displayPrice: money("Regular price to show."),
  displaySalePrice: nullableMoney("Sale price to show now; null while no sale runs.", "14.99"),
  displayPriceMin: money("`priceMin`, to show."),
  displayPriceMax: money("`priceMax`, to show.", "24.99"),
  displayCurrency: string("ISO 4217 currency of all prices of the product.", "USD"),
  gtin: nullableString("Barcode number: GTIN of 8, 12, 13 or 14 digits.", "4006381333931"),
  mpn: nullableString("Part number of the manufacturer.", "DL-100"),
  salePriceStartsAt: nullableTimestamp("When the sale price begins to apply; null where it always does."),
  salePriceEndsAt: nullableTimestamp("When the sale price stops to apply; null where it never does."),
  shippingWeightValue: nullableNumber("Weight of one unit, in `shippingWeightUnit`.", 1.2),
  shippingWeightUnit: nullable(listedText(weightUnits, "A unit of weight."), "Unit of the weight."),
  shippingLengthValue: nullableNumber("Length of one unit, in `shippingDimensionUnit`.", 30),
  shippingWidthValue: nullableNumber("Width of one unit, in `shippingDimensionUnit`.", 20),
  shippingHeightValue: nullableNumber("Height of one unit, in `shippingDimensionUnit`.", 10),
  shippingDimensionUnit: nullableString("Unit of length, width and height.", "cm"),
  metaDescription: nullableString("Description for search engines."),
  status: oneOf(productStatuses, "`draft` products are hidden from storefronts and cannot be bought."),
  sku: nullableString("Stock keeping unit. Two products may have the same one.", "LAMP"),
  type: oneOf(productTypes, "SIMPLE is sold by itself, VARIABLE by its variants, KIT as a set of other products."),
  kitPricingMode: nullable(
    Schema.Literals(kitPricingModes),
    "How a KIT is priced. FIXED: by its own prices. COMPONENTS: it costs what its components cost now, less " +
      "`kitDiscountValue` percent. Null for other types."
  ),
  kitDiscountValue: nullableString("Percent off what the components cost together; null is none.", "10"),
  kitComponents: arrayOf(ProductKitComponentView, "What a KIT is made of; empty for other types."),
  isDownloadable: boolean("Whether it is a download, which needs no shipping."),
  downloadData: nullable(DownloadView, "The files that come with it; null without any."),
  needsSync: boolean("Whether its last change has still to be sent to connected platforms."),
  lastSyncedAt: nullable(
    timestampMap("By platform."),
    "When each connected platform was last up to date, by platform; null where there is none."
  ),
  menuOrder: integer("Its place in lists by default, ascending.", 0),
  taxBehavior: nullable(
    Schema.Literals(taxBehaviors),
    "Whether it is taxed; null where its categories decide, of which one exempt one exempts it."
  ),
  taxClassId: nullableString("Tax class, whose rates apply; null is the Standard class."),
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares."),
  inventory: InventoryView,
  variants: arrayOf(VariantView, "Variants of a VARIABLE product; a storefront sees the active ones."),
  images: arrayOf(ImageView, "Pictures. Sort them by `position`."),
  channels: json("What differs by connected platform, by platform."),
  translations: translationsView("Translated texts by language code, each with `name`, `description` and `slug`."),
  categories: arrayOf(ProductCategoryView, "Categories it is filed under; a storefront sees the active ones."),
  brands: arrayOf(ProductBrandView, "Its brands."),
  attributes: arrayOf(ProductAttributeView, "Attributes whose options make its variants."),
  productAttributeOptions: arrayOf(ProductAttributeOptionView, "Options of those attributes that it uses."),
  tags: arrayOf(Schema.String, "Tags that merchants sort their products by."),
  metafields: json("Values of the store's own fields, by key."),
  customizationFields: arrayOf(CustomizationFieldView, "What a shopper can fill in when adding it to a cart."),
  salesChannelIds: Schema.optionalKey(
    nullable(
      Schema.Array(Schema.String),
      "Channels that show it, as a body says them: null is every channel, an empty list is none. For merchants alone."
    )
  ),
  channelPublishes: arrayOf(
    ChannelPublishView,
    "Channels it is published to. Empty for shoppers, and where it is on every channel."
  ),
  vibeCodedPublishes: arrayOf(ChannelPublishView, "The same as `channelPublishes`, under an older name."),
  channelSync: json("Synchronisation status by connected platform."),
  shippingClassId: nullableString("Shipping class, which can cost extra on a shipping rate."),
  shippingClass: nullable(ShippingClassRef, "The shipping class; null without one."),
  crossSells: arrayOf(Schema.String, "Ids of products to show beside it in the cart."),
  upsells: arrayOf(Schema.String, "Ids of better products to show in its place."),
  related: arrayOf(Schema.String, "Ids of similar products."),
  bundleOfferCount: integer("How many active bundle offers it brings up.", 0),
  orderBumpCount: integer("How many active order bumps it brings up.", 0),
  avgRating: nullableNumber("Average of its approved ratings, from 1 to 5; null without any.", 4.5),
  reviewCount: integer("How many approved reviews it has.", 0),
  seoScore: nullable(SeoScore, "How well it is prepared for search engines."),
  modifierGroups: arrayOf(ModifierGroupView, "What a shopper can add to it.")
}).annotate({ identifier: "AdminProduct", description: "A product as the merchant sees it." })
export type ProductView = typeof ProductView.Type

/**
 * A product as shoppers and product.* events see it: without costs and download locations, of the product and of its
 * variants.
 */
export const PublicProductView = ProductView.mapFields((fields) => ({
  ...Struct.omit(fields, ["costPrice", "salesChannelIds"]),
  downloadData: nullable(PublicDownloadView, "The files that come with it; null without any."),
  variants: arrayOf(PublicVariantView, "Variants of a VARIABLE product; a storefront sees the active ones.")
})).annotate({ identifier: "Product", description: "A product that is sold, with its prices, pictures and stock." })

/** What product.* events carry. */
export const ProductSnapshot = PublicProductView
