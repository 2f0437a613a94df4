/** The refusals of the catalogue, with the facts that a caller needs. */
import { Schema } from "effect"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { MetafieldsRejected } from "../metafield/MetafieldErrors.ts"

export class ProductNotFound extends Schema.TaggedError<ProductNotFound>()("ProductNotFound", { id: Schema.String }) {}

export class VariantNotFound extends Schema.TaggedError<VariantNotFound>()("VariantNotFound", { id: Schema.String }) {}

/** The slug was asked for by name; a generated one gets a number instead. */
export class ProductSlugTaken extends Schema.TaggedError<ProductSlugTaken>()("ProductSlugTaken", {
  slug: Schema.String
}) {}

export class ProductExternalIdTaken extends Schema.TaggedError<ProductExternalIdTaken>()("ProductExternalIdTaken", {
  externalSourceId: Schema.String
}) {}

/** Two variants of a product with the same options. */
export class VariantAttributesTaken extends Schema.TaggedError<VariantAttributesTaken>()("VariantAttributesTaken", {
  productId: Schema.String
}) {}

/** A VARIABLE product with several variants cannot become a SIMPLE one. */
export class ProductTypeFixed extends Schema.TaggedError<ProductTypeFixed>()("ProductTypeFixed", {
  variantCount: Schema.Int
}) {}

/** The total would leave fewer units than are held for shoppers, and backorders do not cover the rest. */
export class StockBelowReserved extends Schema.TaggedError<StockBelowReserved>()("StockBelowReserved", {
  total: Schema.Int,
  reserved: Schema.Int
}) {}

export class BrandNotFound extends Schema.TaggedError<BrandNotFound>()("BrandNotFound", { id: Schema.String }) {}

/** Another brand of the store has the name or the slug. */
export class BrandTaken extends Schema.TaggedError<BrandTaken>()("BrandTaken", {
  field: Schema.Literals(["name", "slug"]),
  value: Schema.String
}) {}

export class CategoryNotFound extends Schema.TaggedError<CategoryNotFound>()("CategoryNotFound", {
  id: Schema.String
}) {}

export class CategorySlugTaken extends Schema.TaggedError<CategorySlugTaken>()("CategorySlugTaken", {
  slug: Schema.String
}) {}

/** `children=restrict` and there are some. */
export class CategoryHasChildren extends Schema.TaggedError<CategoryHasChildren>()("CategoryHasChildren", {
  childCount: Schema.Int
}) {}

export class AttributeNotFound extends Schema.TaggedError<AttributeNotFound>()("AttributeNotFound", {
  id: Schema.String
}) {}

export class AttributeOptionNotFound extends Schema.TaggedError<AttributeOptionNotFound>()("AttributeOptionNotFound", {
  id: Schema.String
}) {}

/** Another attribute of the store, or another option of the attribute, has it. */
export class AttributeTaken extends Schema.TaggedError<AttributeTaken>()("AttributeTaken", {
  thing: Schema.Literals(["attribute", "option"]),
  field: Schema.Literals(["name", "value", "externalId"]),
  value: Schema.String
}) {}

/** Variants have the option, or an option of the attribute. */
export class AttributeInUse extends Schema.TaggedError<AttributeInUse>()("AttributeInUse", {
  variantCount: Schema.Int
}) {}

export class ModifierGroupNotFound extends Schema.TaggedError<ModifierGroupNotFound>()("ModifierGroupNotFound", {
  id: Schema.String
}) {}

/** A product has the group. */
export class ModifierGroupInUse extends Schema.TaggedError<ModifierGroupInUse>()("ModifierGroupInUse", {
  id: Schema.String
}) {}

/** Nothing was named to publish a product to. */
export class PlatformsRequired extends Schema.TaggedError<PlatformsRequired>()("PlatformsRequired", {}) {}

export class ProductImportNotFound extends Schema.TaggedError<ProductImportNotFound>()("ProductImportNotFound", {
  id: Schema.String
}) {}

/** Something broke while a product of a bulk call was created; the log has the cause. */
export class ProductImportBroken extends Schema.TaggedError<ProductImportBroken>()("ProductImportBroken", {}) {}

/** Why a product of a bulk call was not created. Stored as JSON until the job is forgotten. */
export const ProductRefusal = Schema.Union([
  FieldRejected,
  MetafieldsRejected,
  ProductSlugTaken,
  ProductExternalIdTaken,
  VariantAttributesTaken,
  ProductImportBroken
])
export type ProductRefusal = typeof ProductRefusal.Type
