import type {
  AttributeInUse,
  AttributeNotFound,
  AttributeOptionNotFound,
  AttributeTaken,
  BrandNotFound,
  BrandTaken,
  CategoryHasChildren,
  CategoryNotFound,
  CategorySlugTaken,
  ModifierGroupInUse,
  ModifierGroupNotFound,
  PlatformsRequired,
  ProductExternalIdTaken,
  ProductImportBroken,
  ProductImportNotFound,
  ProductNotFound,
  ProductSlugTaken,
  ProductTypeFixed,
  VariantAttributesTaken,
  VariantNotFound
} from "@effect-commerce/core/taxonomy/CatalogErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const catalogErrors: ErrorRows<
  | ProductNotFound
  | VariantNotFound
  | ProductSlugTaken
  | ProductExternalIdTaken
  | VariantAttributesTaken
  | ProductTypeFixed
  | AttributeNotFound
  | AttributeOptionNotFound
  | AttributeTaken
  | AttributeInUse
  | BrandNotFound
  | BrandTaken
  | CategoryNotFound
  | CategorySlugTaken
  | CategoryHasChildren
  | ModifierGroupNotFound
  | ModifierGroupInUse
  | PlatformsRequired
  | ProductImportNotFound
  | ProductImportBroken
> = {
  ProductImportNotFound: missing("bulk job"),
  ProductImportBroken: { code: "INTERNAL_SERVER_ERROR", message: () => "Internal server error" },
  PlatformsRequired: { code: "PLATFORMS_REQUIRED", message: () => "Give salesChannelIds or platforms" },
  ProductNotFound: missing("product", "PRODUCT_NOT_FOUND"),
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
  },
  AttributeNotFound: missing("attribute"),
  AttributeOptionNotFound: missing("option"),
  AttributeTaken: {
    code: "CONFLICT",
    message: (e) => `Another ${e.thing} has the ${e.field} ${e.value}`,
    details: (e) => ({ [e.field]: e.value })
  },
  AttributeInUse: {
    code: "CONFLICT",
    message: (e) => `${e.variantCount} variants have it`,
    details: (e) => ({ variantCount: e.variantCount })
  },
  BrandNotFound: missing("brand"),
  BrandTaken: {
    code: "CONFLICT",
    message: (e) => `Another brand has the ${e.field} ${e.value}`,
    details: (e) => ({ [e.field]: e.value })
  },
  CategoryNotFound: missing("category"),
  CategorySlugTaken: {
    code: "CONFLICT",
    message: (e) => `Another category has the slug ${e.slug}`,
    details: (e) => ({ slug: e.slug })
  },
  CategoryHasChildren: {
    code: "CONFLICT",
    message: (e) => `This category has ${e.childCount} children`,
    details: (e) => ({ childCount: e.childCount })
  },
  ModifierGroupNotFound: missing("modifier group"),
  ModifierGroupInUse: {
    code: "CONFLICT",
    message: () => "Products have this modifier group: take it off them first, or make it a draft",
    details: () => ({ usedBy: "products" })
  }
}
