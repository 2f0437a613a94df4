/**
 * Bodies of product and variant writes (interface.md, Product create body; completions.md 2.11). On an update absent
 * means unchanged, null clears.
 */
import { Schema } from "effect"
import { maxInt4 } from "../kernel/FieldErrors.ts"
import { jsonOfAtMost, maxFreeForm } from "../kernel/JsonSize.ts"
import { DownloadInput } from "./DownloadData.ts"

/** Number or decimal string; the store's currency decides how many digits it may have. */
export const Amount = Schema.Union([Schema.Finite, Schema.String])

const text = (max: number) => Schema.String.pipe(Schema.check(Schema.isMaxLength(max)))
const said = (max: number) =>
  text(max).pipe(Schema.check(Schema.makeFilter((value: string) => value.trim() !== "" || "must not be empty")))
const clearable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const object = Schema.Record(Schema.String, Schema.Unknown)
const ids = Schema.Array(text(100)).pipe(Schema.check(Schema.isMaxLength(500)))
const place = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: -maxInt4 - 1, maximum: maxInt4 })))
const measure = Schema.Finite.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 9_999_999 })))
const count = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 })))

export const InventoryInput = Schema.Struct({
  trackingMode: Schema.optionalKey(Schema.Literals(["TRACKED", "UNTRACKED", "DISABLED"])),
  total: Schema.optionalKey(count),
  lowStockThreshold: clearable(count),
  backorderMode: Schema.optionalKey(Schema.Literals(["DENY", "ALLOW", "LIMITED"])),
  backorderLimit: clearable(count)
})
export type InventoryInput = typeof InventoryInput.Type

/** With the `id` of an image that is there, it stays that image. */
export const ImageInput = Schema.Struct({
  id: Schema.optionalKey(text(100)),
  url: clearable(text(2_000)),
  key: clearable(text(500)),
  alt: clearable(text(500)),
  position: Schema.optionalKey(place),
  isMain: Schema.optionalKey(Schema.Boolean)
}).pipe(Schema.check(Schema.makeFilter((image) => (image.url ?? image.key ?? "") !== "" || "needs a url or a key")))

/** Options of a variant, by name. An index over them keeps combinations apart, and its entries have a size. */
const maxOptions = 50
const options = Schema.Record(Schema.String, Schema.String).pipe(
  Schema.check(
    Schema.makeFilter((given) => Object.keys(given).length <= maxOptions || `must have at most ${maxOptions} entries`)
  ),
  jsonOfAtMost(2_000)
)

const variantFields = {
  externalId: clearable(text(191)),
  sku: clearable(text(100)),
  attributes: Schema.optionalKey(options),
  price: Schema.optionalKey(Amount),
  salePrice: clearable(Amount),
  costPrice: clearable(Amount),
  image: clearable(text(2_000)),
  position: Schema.optionalKey(place),
  status: Schema.optionalKey(Schema.Literals(["active", "draft"])),
  isDownloadable: Schema.optionalKey(Schema.Boolean),
  downloadData: clearable(DownloadInput),
  shippingClassId: clearable(text(100))
}
export const VariantInput = Schema.Struct({
  name: Schema.optionalKey(text(500)),
  inventory: Schema.optionalKey(InventoryInput),
  ...variantFields
})
export type VariantInput = typeof VariantInput.Type
export const VariantPatch = VariantInput
export type VariantPatch = VariantInput
/**
 * A variant in the PATCH of its product: named by `id` it is changed, or with `_delete` taken away; without an `id` it
 * is new.
 */
export const VariantChange = Schema.Struct({
  id: Schema.optionalKey(Schema.String),
  _delete: Schema.optionalKey(Schema.Boolean),
  ...VariantInput.fields
})
export type VariantChange = typeof VariantChange.Type

const slug = text(190)
const productFields = {
  sku: clearable(text(100)),
  gtin: clearable(text(14)),
  mpn: clearable(text(70)),
  externalSourceId: clearable(text(191)),
  description: clearable(text(100_000)),
  descriptionFormat: Schema.optionalKey(Schema.Literals(["html", "markdown", "text"])),
  metaDescription: clearable(text(1_000)),
  basePrice: Schema.optionalKey(Amount),
  salePrice: clearable(Amount),
  costPrice: clearable(Amount),
  salePriceStartsAt: clearable(Schema.String),
  salePriceEndsAt: clearable(Schema.String),
  shippingWeightValue: clearable(measure),
  shippingWeightUnit: clearable(Schema.Literals(["kg", "lb", "g", "oz"])),
  shippingLengthValue: clearable(measure),
  shippingWidthValue: clearable(measure),
  shippingHeightValue: clearable(measure),
  shippingDimensionUnit: clearable(text(10)),
  shippingClassId: clearable(text(100)),
  status: Schema.optionalKey(Schema.Literals(["active", "draft"])),
  type: Schema.optionalKey(Schema.Literals(["SIMPLE", "VARIABLE", "KIT"])),
  taxBehavior: clearable(Schema.Literals(["taxable", "exempt"])),
  taxClassId: clearable(text(100)),
  isDownloadable: Schema.optionalKey(Schema.Boolean),
  downloadData: clearable(DownloadInput),
  menuOrder: Schema.optionalKey(place),
  tags: Schema.optionalKey(Schema.Array(text(100)).pipe(Schema.check(Schema.isMaxLength(250)))),
  images: Schema.optionalKey(Schema.Array(ImageInput).pipe(Schema.check(Schema.isMaxLength(100)))),
  translations: Schema.optionalKey(object.pipe(jsonOfAtMost(maxFreeForm))),
  categories: Schema.optionalKey(ids),
  crossSells: Schema.optionalKey(ids),
  upsells: Schema.optionalKey(ids),
  related: Schema.optionalKey(ids),
  brands: Schema.optionalKey(ids),
  attributes: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  modifierGroups: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  metafields: Schema.optionalKey(object)
}
const name = said(500)

export const ProductInput = Schema.Struct({
  name,
  /** Made from the name where it is absent. */
  slug: clearable(slug),
  ...productFields,
  variants: Schema.optionalKey(Schema.Array(VariantInput).pipe(Schema.check(Schema.isMaxLength(500)))),
  inventory: Schema.optionalKey(InventoryInput)
})
export type ProductInput = typeof ProductInput.Type
/** Variants that are not named stay as they are. */
export const ProductPatch = Schema.Struct({
  name: Schema.optionalKey(name),
  slug: Schema.optionalKey(slug),
  ...productFields,
  variants: Schema.optionalKey(Schema.Array(VariantChange).pipe(Schema.check(Schema.isMaxLength(500)))),
  inventory: Schema.optionalKey(InventoryInput)
})
export type ProductPatch = typeof ProductPatch.Type
