/** Bodies of product writes. On an update a field that is absent stays as it is, and null clears it. */
import { Schema } from "effect"
import {
  clearable,
  Decimal,
  described,
  filledText,
  int4,
  Moment,
  named,
  optional,
  Reference,
  text
} from "../kernel/Fields.ts"
import { manyProblem } from "../kernel/FieldErrors.ts"
import { maxKitComponents, maxKitQuantity } from "../kernel/Kit.ts"
import { translations } from "../kernel/Translations.ts"
import { fileAddress } from "../kernel/FileAddress.ts"
import { maxAttachedGroups, ModifierGroupAttachment } from "../modifier/AttachedModifierGroup.ts"
import { salesChannelIds } from "../taxonomy/Publication.ts"
import { MetafieldValuesByKey } from "../metafield/MetafieldValue.ts"
import { descriptionFormats, kitPricingModes, productStatuses, productTypes, weightUnits } from "./ProductEnums.ts"
import { taxBehaviors } from "../taxonomy/Category.ts"
import {
  costPrice,
  downloadData,
  inventory,
  isDownloadable,
  onUpdate,
  shippingClassId,
  VariantChange,
  VariantInput
} from "./VariantInput.ts"

/** Languages of a product: its document holds the texts of each. */
const maxTranslations = 100
const Translations = translations().pipe(
  Schema.check(
    Schema.makeFilter(
      (texts: Readonly<Record<string, unknown>>) => manyProblem(Object.keys(texts).length, maxTranslations) ?? true,
      { toJsonSchema: () => ({}) }
    )
  )
)
const ids = Schema.Array(text(100)).pipe(Schema.check(Schema.isMaxLength(500)))
const measure = Schema.Finite.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 9_999_999 })))

/** An image with the `id` of an existing image updates that image. */
export const ImageInput = named(
  "ProductImageInput",
  "A picture of a product.",
  Schema.Struct({
    id: optional(
      text(100),
      "Id of an image that is there: it stays that image, with its address where neither `url` nor `key` is given."
    ),
    url: clearable(fileAddress, "Address of the image. Give this or `key`.", "https://cdn.example.com/lamp.jpg"),
    key: clearable(
      text(500),
      "Key of a file of the media library, which brings its address and size. Give this or `url`."
    ),
    alt: clearable(text(500), "Text for those who cannot see it.", "A red lamp on a desk"),
    position: optional(int4, "Its place among the images, ascending. By default the order of the list."),
    isMain: optional(Schema.Boolean, "Whether it is the one to show first. The first image by default.")
  }).pipe(
    Schema.check(
      Schema.makeFilter((image) => (image.url ?? image.key ?? image.id ?? "") !== "" || "needs a url or a key")
    )
  )
)

/** Attributes of one product. A unique index holds the options of a variant, and its entries have a maximum size. */
const maxProductAttributes = 50
const AttributeInput = Schema.Struct({
  attributeId: described(Reference, "Id of the attribute."),
  optionIds: described(ids, "Ids of the options that the product uses, in their order: at least one.")
}).annotate({ identifier: "ProductAttributeInput", description: "An attribute of a product, and the options it uses." })

const KitComponentInput = Schema.Struct({
  productId: described(Reference, "The product: a SIMPLE one, or a VARIABLE one with its variant. No KIT."),
  variantId: clearable(text(200), "The variant, where the product is sold by its variants."),
  quantity: described(
    Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: maxKitQuantity }))),
    "How many units of it one kit contains.",
    2
  )
}).annotate({ identifier: "KitComponentInput", description: "A product that a KIT is made of." })

const slug = text(190)
const productFields = {
  sku: clearable(text(100), "Stock keeping unit. It need not be unique.", "LAMP"),
  gtin: clearable(
    text(14),
    "Barcode number: GTIN of 8, 12, 13 or 14 digits with a valid check digit.",
    "4006381333931"
  ),
  mpn: clearable(text(70), "Part number of the manufacturer.", "DL-100"),
  externalSourceId: clearable(filledText(191), "Id in the system it came from, unique in the store.", "erp-1042"),
  description: clearable(
    text(100_000),
    "Description, in the format `descriptionFormat`. It is stored as sent: HTML is not sanitised."
  ),
  descriptionFormat: optional(Schema.Literals(descriptionFormats), "Format of `description`. `html` by default."),
  metaDescription: clearable(text(1_000), "Description for search engines."),
  basePrice: optional(Decimal, "Regular price of one unit. 0 by default.", "19.99"),
  salePrice: clearable(Decimal, "Price while the sale runs; not above `basePrice`.", "14.99"),
  costPrice,
  salePriceStartsAt: clearable(
    Moment,
    "When the sale price begins to apply, ISO 8601. Give both dates or neither; without them it always applies.",
    "2026-11-27T00:00:00.000Z"
  ),
  salePriceEndsAt: clearable(
    Moment,
    "When the sale price stops to apply, ISO 8601, after its start.",
    "2026-11-30T23:59:59.000Z"
  ),
  shippingWeightValue: clearable(measure, "Weight of one unit, in `shippingWeightUnit`.", 1.2),
  shippingWeightUnit: clearable(Schema.Literals(weightUnits), "Unit of the weight.", "kg"),
  shippingLengthValue: clearable(measure, "Length of one unit, in `shippingDimensionUnit`.", 30),
  shippingWidthValue: clearable(measure, "Width of one unit, in `shippingDimensionUnit`.", 20),
  shippingHeightValue: clearable(measure, "Height of one unit, in `shippingDimensionUnit`.", 10),
  shippingDimensionUnit: clearable(text(10), "Unit of length, width and height.", "cm"),
  shippingClassId,
  status: optional(
    Schema.Literals(productStatuses),
    "`draft` products are hidden from storefronts. `draft` by default."
  ),
  type: optional(
    Schema.Literals(productTypes),
    "SIMPLE (the default) is sold by itself, VARIABLE by its variants, KIT as a set of other products."
  ),
  kitPricingMode: clearable(
    Schema.Literals(kitPricingModes),
    "How a KIT is priced. FIXED (the default): by its own prices. COMPONENTS: it costs what its components cost now, " +
      "less `kitDiscountValue` percent."
  ),
  kitDiscountValue: clearable(
    Decimal,
    "With COMPONENTS: percent off what the components cost together, from 0 to 100 with at most two fraction digits.",
    10
  ),
  kitComponents: optional(
    Schema.Array(KitComponentInput).pipe(Schema.check(Schema.isMaxLength(maxKitComponents))),
    "What a KIT is made of. They replace those that are there."
  ),
  taxBehavior: clearable(
    Schema.Literals(taxBehaviors),
    "Whether it is taxed. Where it is left out its categories decide: one exempt one exempts it."
  ),
  taxClassId: clearable(text(100), "Tax class, whose rates apply. The Standard class by default."),
  isDownloadable,
  downloadData,
  menuOrder: optional(int4, "Its place in lists by default, ascending. 0 by default."),
  tags: optional(
    Schema.Array(filledText(100)).pipe(Schema.check(Schema.isMaxLength(250))),
    "Tags to sort products by, each once. They replace those that are there."
  ),
  images: optional(
    Schema.Array(ImageInput).pipe(Schema.check(Schema.isMaxLength(100))),
    "Pictures. They replace those that are there, but for the ones that are named by `id`."
  ),
  translations: optional(
    Translations,
    "Translated texts by language code, each with `name`, `description` and `slug`. A slug finds the product as its " +
      "own one does; in its language no other product has it."
  ),
  categories: optional(ids, "Ids of its categories. They replace those that are there."),
  crossSells: optional(ids, "Ids of products to show beside it in the cart."),
  upsells: optional(ids, "Ids of better products to show in its place."),
  related: optional(ids, "Ids of similar products, which its recommendations list."),
  brands: optional(ids, "Ids of its brands."),
  attributes: optional(
    Schema.Array(AttributeInput).pipe(Schema.check(Schema.isMaxLength(maxProductAttributes))),
    "Its attributes in their order, each with the options it uses. They replace those that are there. Each variant " +
      "of a VARIABLE product has one option of each; the combinations that are new are made."
  ),
  generateVariants: optional(
    Schema.Boolean,
    "`false` makes no variants of the attributes beyond those of the body; `true` makes every combination that is " +
      "missing, also one that was deleted before. By default those are made that the call's `attributes` add."
  ),
  modifierGroups: optional(
    Schema.Array(ModifierGroupAttachment).pipe(Schema.check(Schema.isMaxLength(maxAttachedGroups))),
    "Modifier groups to attach. They replace those that are attached."
  ),
  salesChannelIds,
  metafields: optional(
    MetafieldValuesByKey,
    "Values of the store's own fields, by key; null takes one away. Fields that are not named stay as they are."
  )
}
const name = text(500)

/** The attributes to preview; without them, the product's current attributes. */
export const VariantsPreviewInput = Schema.Struct({
  attributes: productFields.attributes
}).annotate({ identifier: "PreviewVariants", description: "Attributes to preview the variants of." })
export type VariantsPreviewInput = typeof VariantsPreviewInput.Type

export const ProductInput = Schema.Struct({
  name: described(name, "Name of the product.", "Desk lamp"),
  slug: clearable(
    slug,
    "Its slug, of letters, numbers and hyphens, unique in the store. Made from the name where left out.",
    "desk-lamp"
  ),
  ...productFields,
  variants: optional(
    Schema.Array(VariantInput).pipe(Schema.check(Schema.isMaxLength(500))),
    "Variants of a VARIABLE product."
  ),
  inventory
}).annotate({ identifier: "CreateProduct", description: "A product to create, with its variants and its stock." })
export type ProductInput = typeof ProductInput.Type
/** Variants that are not named stay as they are. */
export const ProductPatch = Schema.Struct({
  name: optional(name, "Name of the product.", "Desk lamp"),
  slug: optional(slug, "Its slug, of letters, numbers and hyphens, unique in the store.", "desk-lamp"),
  ...productFields,
  variants: optional(
    Schema.Array(VariantChange).pipe(Schema.check(Schema.isMaxLength(500))),
    "Variants to create, change or delete. Variants that are not named stay as they are."
  ),
  inventory
}).annotate({ identifier: "UpdateProduct", description: `Changes of a product. ${onUpdate}` })
export type ProductPatch = typeof ProductPatch.Type
