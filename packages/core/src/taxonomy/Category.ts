/** Categories: a tree of at most ten levels. */
import { Schema } from "effect"
import {
  arrayOf,
  boolean,
  clearable,
  type Complete,
  described,
  integer,
  nullableFileUrl,
  nullableInteger,
  nullableString,
  nullableTimestamp,
  oneOf,
  optional,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import { translations, translationsView } from "../kernel/Translations.ts"
import { fileAddress } from "../kernel/FileAddress.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { noPlatforms, platformFields, shownSource, source } from "./Origin.ts"
import { publicationFields, publicationsOf, type PublishedChannel, salesChannelIds } from "./Publication.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

/** Limited because the tree is read whole. */
export const categoryBound: StoreBound = { field: "categories", most: 5_000, words: "categories" }

/** Whether products of a category are taxed. */
export const taxBehaviors = ["taxable", "exempt"] as const

/** Products that a category's page shows; the product list has all of them. */
export const shownCategoryProducts = 20

export const maxDepth = 10

const slug = text(190)
const fields = {
  parentId: clearable(text(100), "The category above it. Null makes it a root. A tree has at most ten levels."),
  externalId: clearable(text(191), "Id in the system it came from, unique in the store.", "erp-lamps"),
  isActive: optional(Schema.Boolean, "Whether storefronts show it. True by default."),
  source,
  image: clearable(fileAddress, "Address of its picture.", "https://cdn.example.com/lamps.jpg"),
  imageKey: clearable(text(500), "Key of its picture in the store's object storage."),
  taxBehavior: optional(
    Schema.Literals(taxBehaviors),
    "`exempt` frees its products from tax, where they do not say otherwise themselves. `taxable` by default."
  ),
  googleProductCategory: clearable(
    Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 }))),
    "Number of the category in Google's product taxonomy.",
    2608
  ),
  description: clearable(text(100_000), "Description, in HTML that is not sanitised."),
  metaDescription: clearable(text(1_000), "Description for search engines; 50 to 160 characters read best."),
  translations: optional(
    translations(),
    "Translated texts by language code, each with `name`, `description` and `slug`."
  ),
  salesChannelIds
}
const name = text(300)

export const CategoryInput = Schema.Struct({
  name: described(name, "Name of the category.", "Lamps"),
  slug: clearable(slug, "Its slug, unique in the store. Made from the name where it is left out.", "lamps"),
  ...fields
}).annotate({ identifier: "CreateCategory", description: "A category to create." })
export type CategoryInput = typeof CategoryInput.Type
/** The stored fields of a category. */
export interface CategoryFields extends Omit<Complete<CategoryInput>, "slug"> {
  readonly slug: string
}

/** A category in the tree, which is read whole. */
export interface CategoryInTree extends CategoryFields {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface CategoryState extends CategoryInTree {
  readonly publishedChannels: ReadonlyArray<PublishedChannel> | null
  readonly productCount: number
  readonly products: ReadonlyArray<{ readonly id: string; readonly name: string; readonly sku: string | null }>
}

export const CategoryPatch = Schema.Struct({
  name: optional(name, "Name of the category.", "Lamps"),
  slug: optional(slug, "Its slug, unique in the store.", "lamps"),
  ...fields
}).annotate({
  identifier: "UpdateCategory",
  description: "Changes of a category. What is left out stays as it is; null clears."
})
export type CategoryPatch = typeof CategoryPatch.Type

export const CategoryView = Schema.Struct({
  id: string("Id of the category."),
  accountId: string("The account that owns the store."),
  storeId: string("The store it belongs to."),
  name: string("Name of the category.", "Lamps"),
  ...platformFields,
  parentId: nullableString("The category above it; null for a root."),
  slug: string("Its slug, unique in the store.", "lamps"),
  description: nullableString("Description, in HTML that is not sanitised."),
  metaDescription: nullableString("Description for search engines."),
  image: nullableFileUrl("Address of its picture.", "https://cdn.example.com/lamps.jpg"),
  imageKey: nullableString("Key of its picture in the store's object storage."),
  source: shownSource,
  googleProductCategory: nullableInteger("Number of the category in Google's product taxonomy.", 2608),
  isActive: boolean("Whether storefronts show it."),
  taxBehavior: oneOf(taxBehaviors, "`exempt` frees its products from tax, where they do not say otherwise themselves."),
  translations: translationsView("Translated texts by language code, each with `name` and `description`."),
  deletedAt: nullableTimestamp("When it was deleted; null while it is there."),
  productCount: integer("How many products are filed under it, drafts included.", 12),
  products: arrayOf(
    Schema.Struct({
      id: string("Id of the product."),
      name: string("Name of the product.", "Desk lamp"),
      sku: nullableString("Stock keeping unit of the product.", "LAMP")
    }).annotate({ identifier: "CategoryProduct", description: "A product that is filed under a category." }),
    `Its first ${shownCategoryProducts} products, oldest first. The product list has all of them.`
  ),
  ...publicationFields,
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares.")
}).annotate({ identifier: "Category", description: "A category that products are filed under." })
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
  id: string("Id of the category."),
  name: string("Name of the category, in the language of the request where it is translated.", "Lamps"),
  slug: string("Its slug.", "lamps"),
  parentId: nullableString("The category above it; null for a root."),
  image: nullableFileUrl("Address of its picture.", "https://cdn.example.com/lamps.jpg"),
  translations: translationsView("Translated texts by language code, each with `name` and `description`."),
  children: arrayOf(
    Schema.suspend((): Schema.Codec<CategoryNode> => CategoryNode),
    "The active categories directly below it."
  )
}).annotate({ identifier: "CategoryTreeNode", description: "A category of the tree, with the categories below it." })

/** A category as a storefront's page shows it. */
export const CategoryPage = Schema.Struct({
  id: string("Id of the category."),
  name: string("Name of the category, in the language of the request where it is translated.", "Lamps"),
  slug: string("Its slug.", "lamps"),
  description: nullableString("Description, in HTML that is not sanitised."),
  metaDescription: nullableString("Description for search engines."),
  image: nullableFileUrl("Address of its picture.", "https://cdn.example.com/lamps.jpg"),
  breadcrumb: arrayOf(
    Schema.Struct({
      name: string("Name of the category.", "Home"),
      slug: string("Slug of the category.", "home")
    }).annotate({ identifier: "Breadcrumb", description: "One step of the way to a category." }),
    "The way from the root down to this category, itself last."
  ),
  productCount: integer("How many visible products it and the categories below it have.", 12)
}).annotate({ identifier: "StorefrontCategory", description: "A category as a storefront's page shows it." })
export type CategoryPage = typeof CategoryPage.Type

export const toCategoryView = (store: StoreContext, category: CategoryState): CategoryView => {
  const { createdAt, updatedAt, externalId: _externalId, publishedChannels, ...fields } = category
  return {
    ...fields,
    accountId: store.accountId,
    storeId: store.id,
    ...noPlatforms,
    deletedAt: null,
    channelPublishes: publicationsOf(publishedChannels),
    vibeCodedPublishes: publicationsOf(publishedChannels),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString()
  }
}
