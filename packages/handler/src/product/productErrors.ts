import type {
  ProductExternalIdTaken,
  ProductImportBroken,
  ProductImportNotFound,
  ProductSlugTaken,
  ProductTypeFixed,
  VariantAttributesTaken,
  VariantNotFound
} from "@effect-commerce/core/product/ProductErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const productErrors: ErrorRows<
  | ProductImportNotFound
  | ProductImportBroken
  | VariantNotFound
  | ProductSlugTaken
  | ProductExternalIdTaken
  | VariantAttributesTaken
  | ProductTypeFixed
> = {
  ProductImportNotFound: missing("bulk job"),
  ProductImportBroken: { code: "INTERNAL_SERVER_ERROR", message: () => "Internal server error" },
  VariantNotFound: missing("variant"),
  ProductSlugTaken: {
    code: "CONFLICT",
    message: (e) => `Another product has the slug ${e.slug}`,
    details: (e) => ({ slug: e.slug })
  },
  ProductExternalIdTaken: {
    code: "CONFLICT",
    message: (e) => `Another product has the external source id ${e.externalSourceId}`,
    details: (e) => ({ externalSourceId: e.externalSourceId })
  },
  VariantAttributesTaken: { code: "CONFLICT", message: () => "Another variant of this product has the same options" },
  ProductTypeFixed: {
    code: "CONFLICT",
    message: (e) => `A product with ${e.variantCount} variants cannot become SIMPLE`,
    details: (e) => ({ variantCount: e.variantCount })
  }
}
