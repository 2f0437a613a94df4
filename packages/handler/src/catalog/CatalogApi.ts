/**
 * Products and categories: for admin keys, for sales channels, and read-only for the public (interface.md, Products and
 * Categories).
 */
import {
  CategoryHasChildren,
  CategoryNotFound,
  CategorySlugTaken,
  ProductExternalIdTaken,
  ProductImportNotFound,
  ProductNotFound,
  ProductSlugTaken,
  ProductTypeFixed,
  StockBelowReserved,
  VariantAttributesTaken,
  VariantNotFound
} from "@effect-commerce/core/catalog/CatalogErrors"
import {
  CategoryInput,
  CategoryNode,
  CategoryPage,
  CategoryPatch,
  CategoryView
} from "@effect-commerce/core/catalog/Category"
import { ProductInput, ProductPatch, VariantInput, VariantPatch } from "@effect-commerce/core/catalog/ProductInput"
import { ProductView, VariantView } from "@effect-commerce/core/catalog/ProductView"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { text as textOf } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { CommaList } from "../middleware/CommaList.ts"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { fails } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute, publicRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../store/StoreApi.ts"

const id = { id: Schema.String }
const variant = { id: Schema.String, variantId: Schema.String }
const text = Schema.optionalKey(Schema.String)
const search = Schema.optionalKey(textOf(200))
const sorting = { sortBy: text, sortOrder: text }
const writes = [FieldRejected, ProductSlugTaken, ProductExternalIdTaken, VariantAttributesTaken] as const
const Products = listEnvelope(ProductView)

/** One of these, or several with commas between (interface.md, Pagination). */
const anyOf = (...known: ReadonlyArray<string>) =>
  CommaList.pipe(
    Schema.check(
      Schema.makeFilter(
        (text: string) => text.split(",").every((part) => known.includes(part)) || `must be of ${known.join(", ")}`
      )
    )
  )

/** Products in one call (interface.md, Other limits). */
export const maxBulkProducts = 1_000
const BulkAccepted = Schema.Struct({
  jobId: Schema.String,
  accepted: Schema.Int,
  skipped: Schema.Array(Schema.Struct({ index: Schema.Int, externalSourceId: Schema.String, productId: Schema.String }))
})
const BulkProgress = Schema.Struct({
  status: Schema.Literals(["QUEUED", "RUNNING", "COMPLETED", "FAILED"]),
  processed: Schema.Int,
  succeeded: Schema.Int,
  failed: Schema.Int,
  results: Schema.Array(
    Schema.Struct({
      index: Schema.Int,
      productId: Schema.optionalKey(Schema.String),
      error: Schema.optionalKey(
        Schema.Struct({
          code: Schema.String,
          message: Schema.String,
          details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
        })
      )
    })
  )
})

export class ProductsGroup extends apiGroup("products", {
  part: "Admin",
  title: "Products",
  description: "The catalogue that a store sells from: products, their variants, and imports of many at once."
}).add(
  HttpApiEndpoint.get("list", "/v1/products", {
    query: {
      ...pageQuery,
      ...sorting,
      search,
      status: Schema.optionalKey(anyOf("active", "draft")),
      type: Schema.optionalKey(anyOf("SIMPLE", "VARIABLE", "KIT")),
      regionId: text,
      storeId: text
    },
    success: Products
  }).pipe(adminRoute()),
  HttpApiEndpoint.post("create", "/v1/products", {
    payload: ProductInput,
    success: ProductView.pipe(HttpApiSchema.status(201)),
    error: fails(...writes)
  }).pipe(adminRoute({ oneTransaction: true })),
  HttpApiEndpoint.post("createMany", "/v1/products/bulk", {
    payload: Schema.Struct({
      products: Schema.Array(Schema.Json).pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maxBulkProducts)))
    }),
    success: BulkAccepted.pipe(HttpApiSchema.status(202)),
    error: fails(FieldRejected)
  }).pipe(adminRoute({ maxBody: 10 * 1_048_576, oneTransaction: true })),
  HttpApiEndpoint.get("bulkProgress", "/v1/products/bulk/:jobId", {
    params: { jobId: Schema.String },
    success: BulkProgress,
    error: fails(ProductImportNotFound)
  }).pipe(adminRoute()),
  HttpApiEndpoint.get("get", "/v1/products/:id", {
    params: id,
    success: ProductView,
    error: fails(ProductNotFound)
  }).pipe(adminRoute()),
  HttpApiEndpoint.patch("update", "/v1/products/:id", {
    params: id,
    payload: ProductPatch,
    success: ProductView,
    error: fails(...writes, ProductNotFound, ProductTypeFixed, StockBelowReserved)
  }).pipe(adminRoute({ version: row("product", "id") })),
  HttpApiEndpoint.delete("remove", "/v1/products/:id", {
    params: id,
    success: Success,
    error: fails(ProductNotFound)
  }).pipe(adminRoute({ version: row("product", "id") })),
  HttpApiEndpoint.get("variants", "/v1/products/:id/variants", {
    params: id,
    query: pageQuery,
    success: listEnvelope(VariantView),
    error: fails(ProductNotFound)
  }).pipe(adminRoute()),
  HttpApiEndpoint.post("createVariant", "/v1/products/:id/variants", {
    params: id,
    payload: VariantInput,
    success: VariantView.pipe(HttpApiSchema.status(201)),
    error: fails(...writes, ProductNotFound)
  }).pipe(adminRoute({ oneTransaction: true })),
  HttpApiEndpoint.patch("updateVariant", "/v1/products/:id/variants/:variantId", {
    params: variant,
    payload: VariantPatch,
    success: VariantView,
    error: fails(...writes, ProductNotFound, VariantNotFound, StockBelowReserved)
  }).pipe(adminRoute({ version: row("variant", "id", "variantId") })),
  HttpApiEndpoint.delete("removeVariant", "/v1/products/:id/variants/:variantId", {
    params: variant,
    success: Success,
    error: fails(ProductNotFound, VariantNotFound)
  }).pipe(adminRoute({ version: row("variant", "id", "variantId") }))
) {}

export class CategoriesGroup extends apiGroup("categories", {
  part: "Admin",
  title: "Categories",
  description: "The tree that products are sorted into."
}).add(
  HttpApiEndpoint.get("list", "/v1/categories", {
    query: { ...pageQuery, search, platform: text, storeId: text },
    success: listEnvelope(CategoryView)
  }).pipe(adminRoute()),
  HttpApiEndpoint.post("create", "/v1/categories", {
    payload: CategoryInput,
    success: CategoryView.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, CategorySlugTaken)
  }).pipe(adminRoute({ oneTransaction: true })),
  HttpApiEndpoint.get("get", "/v1/categories/:id", {
    params: id,
    success: CategoryView,
    error: fails(CategoryNotFound)
  }).pipe(adminRoute()),
  HttpApiEndpoint.patch("update", "/v1/categories/:id", {
    params: id,
    payload: CategoryPatch,
    success: CategoryView,
    error: fails(FieldRejected, CategorySlugTaken, CategoryNotFound)
  }).pipe(adminRoute({ version: row("category", "id") })),
  HttpApiEndpoint.delete("remove", "/v1/categories/:id", {
    params: id,
    query: { children: Schema.optionalKey(Schema.Literals(["reparent", "cascade", "restrict"])), storeId: text },
    success: Success,
    error: fails(CategoryNotFound, CategoryHasChildren)
  }).pipe(adminRoute({ version: row("category", "id") }))
) {}

/** Filters of a storefront list; prices are decimal strings, lists are comma-separated. */
export const storefrontQuery = {
  ...pageQuery,
  ...sorting,
  search,
  category: Schema.optionalKey(CommaList),
  brand: Schema.optionalKey(CommaList),
  minPrice: text,
  maxPrice: text,
  inStock: Schema.optionalKey(Schema.Literals(["true", "false"])),
  locale: text
}
const locale = { locale: text }
const Recommended = Schema.Struct({ products: Schema.Array(ProductView) })
const Tree = Schema.Struct({ categories: Schema.Array(CategoryNode) })

const channel = { salesChannelId: Schema.String }
export class StorefrontGroup extends apiGroup("storefront", {
  part: "Storefront",
  title: "Catalogue",
  description: "What shoppers browse: products and categories of a sales channel, as they are for sale."
}).add(
  HttpApiEndpoint.get("products", "/vc/:salesChannelId/products", {
    params: channel,
    query: storefrontQuery,
    success: Products,
    error: fails(FieldRejected)
  }).pipe(channelRoute("storefrontRead")),
  HttpApiEndpoint.get("productBySlug", "/vc/:salesChannelId/products/slug/:slug", {
    params: { ...channel, slug: Schema.String },
    query: locale,
    success: ProductView,
    error: fails(ProductNotFound)
  }).pipe(channelRoute("storefrontRead")),
  HttpApiEndpoint.get("product", "/vc/:salesChannelId/products/:id", {
    params: { ...channel, ...id },
    query: locale,
    success: ProductView,
    error: fails(ProductNotFound)
  }).pipe(channelRoute("storefrontRead")),
  HttpApiEndpoint.get("recommendations", "/vc/:salesChannelId/products/:id/recommendations", {
    params: { ...channel, ...id },
    query: locale,
    success: Recommended,
    error: fails(ProductNotFound)
  }).pipe(channelRoute("storefrontRead")),
  HttpApiEndpoint.get("categories", "/vc/:salesChannelId/categories", {
    params: channel,
    query: locale,
    success: Tree
  }).pipe(channelRoute("storefrontRead")),
  HttpApiEndpoint.get("categoryBySlug", "/vc/:salesChannelId/categories/slug/:slug", {
    params: { ...channel, slug: Schema.String },
    query: locale,
    success: CategoryPage,
    error: fails(CategoryNotFound)
  }).pipe(channelRoute("storefrontRead"))
) {}

const store = { storeId: Schema.String }
export class PublicCatalogGroup extends apiGroup("publicCatalog", {
  part: "Public",
  title: "Public catalogue",
  description: "Products and categories of a store for any origin, to read only."
}).add(
  HttpApiEndpoint.get("products", "/stores/:storeId/products", {
    params: store,
    query: storefrontQuery,
    success: Products,
    error: fails(FieldRejected)
  }).pipe(publicRoute()),
  HttpApiEndpoint.get("productBySlug", "/stores/:storeId/products/slug/:slug", {
    params: { ...store, slug: Schema.String },
    query: locale,
    success: ProductView,
    error: fails(ProductNotFound)
  }).pipe(publicRoute()),
  HttpApiEndpoint.get("product", "/stores/:storeId/products/:id", {
    params: { ...store, ...id },
    query: locale,
    success: ProductView,
    error: fails(ProductNotFound)
  }).pipe(publicRoute()),
  HttpApiEndpoint.get("recommendations", "/stores/:storeId/products/:id/recommendations", {
    params: { ...store, ...id },
    query: locale,
    success: Recommended,
    error: fails(ProductNotFound)
  }).pipe(publicRoute()),
  HttpApiEndpoint.get("categories", "/stores/:storeId/categories", {
    params: store,
    query: locale,
    success: Tree
  }).pipe(publicRoute())
) {}

export const catalogGroups = [ProductsGroup, CategoriesGroup, StorefrontGroup, PublicCatalogGroup] as const
