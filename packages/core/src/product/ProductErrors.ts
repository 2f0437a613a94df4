/** The errors of products, variants and imports, with the facts that a caller needs. */
import { Schema } from "effect"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { MetafieldsRejected } from "../metafield/MetafieldErrors.ts"
import { ProductQuotaReached } from "../quota/QuotaErrors.ts"

export class VariantNotFound extends Schema.TaggedError<VariantNotFound>()("VariantNotFound", { id: Schema.String }) {}

/** The body names a slug that another product has. A generated slug gets a number instead. */
export class ProductSlugTaken extends Schema.TaggedError<ProductSlugTaken>()("ProductSlugTaken", {
  slug: Schema.String
}) {}

export class ProductExternalIdTaken extends Schema.TaggedError<ProductExternalIdTaken>()("ProductExternalIdTaken", {
  externalSourceId: Schema.String
}) {}

/** Two variants of a product have the same options. */
export class VariantAttributesTaken extends Schema.TaggedError<VariantAttributesTaken>()("VariantAttributesTaken", {
  productId: Schema.String
}) {}

/** A VARIABLE product with several variants cannot become a SIMPLE one. */
export class ProductTypeFixed extends Schema.TaggedError<ProductTypeFixed>()("ProductTypeFixed", {
  variantCount: Schema.Int
}) {}

/** The new total is lower than what is reserved for shoppers, and backorders do not cover the difference. */
export class StockBelowReserved extends Schema.TaggedError<StockBelowReserved>()("StockBelowReserved", {
  total: Schema.Int,
  reserved: Schema.Int
}) {}

export class ProductImportNotFound extends Schema.TaggedError<ProductImportNotFound>()("ProductImportNotFound", {
  id: Schema.String
}) {}

/** An unexpected error while a product of a bulk call was created; the log has the cause. */
export class ProductImportBroken extends Schema.TaggedError<ProductImportBroken>()("ProductImportBroken", {}) {}

/** Why a product of a bulk call was not created. Stored as JSON until the job is deleted. */
export const ProductRefusal = Schema.Union([
  FieldRejected,
  MetafieldsRejected,
  ProductSlugTaken,
  ProductExternalIdTaken,
  VariantAttributesTaken,
  ProductQuotaReached,
  ProductImportBroken
])
export type ProductRefusal = typeof ProductRefusal.Type
