/** The errors of categories, brands, attributes and publication, with the facts that a caller needs. */
import { Schema } from "effect"

export class BrandNotFound extends Schema.TaggedError<BrandNotFound>()("BrandNotFound", { id: Schema.String }) {}

/** Another brand of the store has the name or the slug. */
export class BrandTaken extends Schema.TaggedError<BrandTaken>()("BrandTaken", {
  field: Schema.Literals(["name", "slug"]),
  value: Schema.String
}) {}

export class CategoryNotFound extends Schema.TaggedError<CategoryNotFound>()("CategoryNotFound", {
  id: Schema.String
}) {}

/** Another category of the store has the slug or the external id. */
export class CategoryTaken extends Schema.TaggedError<CategoryTaken>()("CategoryTaken", {
  field: Schema.Literals(["slug", "externalId"]),
  value: Schema.String
}) {}

/** `children=restrict` was requested and the category has children. */
export class CategoryHasChildren extends Schema.TaggedError<CategoryHasChildren>()("CategoryHasChildren", {
  childCount: Schema.Int
}) {}

export class AttributeNotFound extends Schema.TaggedError<AttributeNotFound>()("AttributeNotFound", {
  id: Schema.String
}) {}

export class AttributeOptionNotFound extends Schema.TaggedError<AttributeOptionNotFound>()("AttributeOptionNotFound", {
  id: Schema.String
}) {}

/** Another attribute of the store, or another option of the attribute, has the same value in this field. */
export class AttributeTaken extends Schema.TaggedError<AttributeTaken>()("AttributeTaken", {
  thing: Schema.Literals(["attribute", "option"]),
  field: Schema.Literals(["name", "value", "externalId"]),
  value: Schema.String
}) {}

/** Variants have the option, or an option of the attribute. */
export class AttributeInUse extends Schema.TaggedError<AttributeInUse>()("AttributeInUse", {
  variantCount: Schema.Int
}) {}

/** The request names no channel or platform to publish a product to. */
export class PlatformsRequired extends Schema.TaggedError<PlatformsRequired>()("PlatformsRequired", {}) {}

/** The product in a request does not exist. Defined here because metafields, a room below products, need it too. */
export class ProductNotFound extends Schema.TaggedError<ProductNotFound>()("ProductNotFound", { id: Schema.String }) {}
