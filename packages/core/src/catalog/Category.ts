/** Categories (interface.md, Category): a tree of at most ten levels. */
import { Schema } from "effect"
import { freeForm } from "../kernel/JsonSize.ts"

export interface CategoryFields {
  readonly parentId: string | null
  readonly externalId: string | null
  readonly name: string
  readonly slug: string
  readonly description: string | null
  readonly metaDescription: string | null
  readonly image: string | null
  readonly imageKey: string | null
  readonly source: string
  readonly googleProductCategory: number | null
  readonly taxBehavior: "taxable" | "exempt"
  readonly translations: Record<string, unknown>
  readonly isActive: boolean
}

export interface CategoryState extends CategoryFields {
  readonly id: string
  readonly productCount: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const maxDepth = 10
/**
 * Descriptions and translations of all categories of a store together, in bytes of JSON: storefronts read them as a
 * whole.
 */
export const maxCategoryText = 16 * 1_024 * 1_024

const text = (max: number) => Schema.String.pipe(Schema.check(Schema.isMaxLength(max)))
const clearable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const slug = text(190)
const fields = {
  parentId: clearable(text(100)),
  externalId: clearable(text(191)),
  isActive: Schema.optionalKey(Schema.Boolean),
  source: Schema.optionalKey(Schema.Literals(["INTERNAL", "SHOPIFY", "WOOCOMMERCE", "MAGENTO", "BIGCOMMERCE"])),
  image: clearable(text(2_000)),
  imageKey: clearable(text(500)),
  taxBehavior: Schema.optionalKey(Schema.Literals(["taxable", "exempt"])),
  googleProductCategory: clearable(
    Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 })))
  ),
  description: clearable(text(100_000)),
  metaDescription: clearable(text(1_000)),
  translations: Schema.optionalKey(freeForm())
}
const name = text(300).pipe(
  Schema.check(Schema.makeFilter((value: string) => value.trim() !== "" || "must not be empty"))
)

export const CategoryInput = Schema.Struct({ name, slug: clearable(slug), ...fields })
export type CategoryInput = typeof CategoryInput.Type
export const CategoryPatch = Schema.Struct({
  name: Schema.optionalKey(name),
  slug: Schema.optionalKey(slug),
  ...fields
})
export type CategoryPatch = typeof CategoryPatch.Type

const nullableText = Schema.NullOr(Schema.String)
const json = Schema.Record(Schema.String, Schema.Unknown)
const list = Schema.Array(Schema.Unknown)

export const CategoryView = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  storeId: Schema.String,
  name: Schema.String,
  platformIds: json,
  publishedOn: Schema.Array(Schema.String),
  platformMetadata: json,
  parentId: nullableText,
  slug: Schema.String,
  description: nullableText,
  metaDescription: nullableText,
  image: nullableText,
  imageKey: nullableText,
  source: Schema.String,
  googleProductCategory: Schema.NullOr(Schema.Int),
  isActive: Schema.Boolean,
  taxBehavior: Schema.String,
  translations: json,
  deletedAt: nullableText,
  productCount: Schema.Int,
  products: list,
  channelPublishes: list,
  vibeCodedPublishes: list,
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type CategoryView = typeof CategoryView.Type

export interface CategoryNode {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly parentId: string | null
  readonly image: string | null
  readonly translations: Record<string, unknown>
  readonly children: ReadonlyArray<CategoryNode>
}
export const CategoryNode: Schema.Codec<CategoryNode> = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  slug: Schema.String,
  parentId: nullableText,
  image: nullableText,
  translations: json,
  children: Schema.Array(Schema.suspend((): Schema.Codec<CategoryNode> => CategoryNode))
})

export const CategoryPage = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  slug: Schema.String,
  description: nullableText,
  metaDescription: nullableText,
  image: nullableText,
  breadcrumb: Schema.Array(Schema.Struct({ name: Schema.String, slug: Schema.String })),
  productCount: Schema.Int
})
export type CategoryPage = typeof CategoryPage.Type
