import type {
  AttributeInUse,
  AttributeNotFound,
  AttributeOptionNotFound,
  AttributeTaken,
  BrandNotFound,
  BrandTaken,
  CategoryHasChildren,
  CategoryNotFound,
  CategoryTaken,
  PlatformsRequired,
  ProductNotFound
} from "@effect-commerce/core/taxonomy/TaxonomyErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const taxonomyErrors: ErrorRows<
  | BrandNotFound
  | BrandTaken
  | CategoryNotFound
  | CategoryTaken
  | CategoryHasChildren
  | AttributeNotFound
  | AttributeOptionNotFound
  | AttributeTaken
  | AttributeInUse
  | PlatformsRequired
  | ProductNotFound
> = {
  BrandNotFound: missing("brand"),
  BrandTaken: {
    code: "CONFLICT",
    message: (e) => `Another brand has the ${e.field} ${e.value}`,
    details: (e) => ({ [e.field]: e.value })
  },
  CategoryNotFound: missing("category"),
  CategoryTaken: {
    code: "CONFLICT",
    message: (e) => `Another category has the ${e.field} ${e.value}`,
    details: (e) => ({ [e.field]: e.value })
  },
  CategoryHasChildren: {
    code: "CONFLICT",
    message: (e) => `This category has ${e.childCount} children`,
    details: (e) => ({ childCount: e.childCount })
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
  PlatformsRequired: { code: "PLATFORMS_REQUIRED", message: () => "Give salesChannelIds or platforms" },
  ProductNotFound: missing("product", "PRODUCT_NOT_FOUND")
}
