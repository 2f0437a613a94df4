/** Routes by which storefronts and the public read the catalogue. */
import { BrandPage, StorefrontBrand } from "@effect-commerce/core/taxonomy/Brand"
import { BrandNotFound, CategoryNotFound, ProductNotFound } from "@effect-commerce/core/taxonomy/TaxonomyErrors"
import { CategoryNode, CategoryPage } from "@effect-commerce/core/taxonomy/Category"
import { PublicProductView } from "@effect-commerce/core/product/ProductView"
import { Facets } from "@effect-commerce/core/storefront/Facets"
import { arrayOf, optional, string, text } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery, sortQuery } from "@effect-commerce/core/kernel/Pagination"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { askedEachTime, keptBriefly } from "../middleware/CacheFacts.ts"
import { CommaList } from "../middleware/CommaList.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { channelRoute, publicRoute } from "../middleware/Policy.ts"
import { listingSorts } from "@effect-commerce/core/product/ProductEnums"
import { namedFilterWords, withNamedFilters } from "./ProductFilters.ts"
import { taxonomyErrors } from "../taxonomy/taxonomyErrors.ts"

const fails = failsBy(taxonomyErrors)

const locale = {
  locale: optional(
    Schema.String,
    "Language of names and descriptions. Without it Accept-Language decides, then the store's own language.",
    "de"
  )
}
/** `displayPriceMin` is what a shopper pays now; `price` is an older name of `basePrice`. */
const storefrontSorting = sortQuery(
  [...listingSorts, "price"],
  "menuOrder, ascending. `price` is another name of `basePrice`; `displayPriceMin` is the lowest price to pay now"
)
export const storefrontQuery = withNamedFilters({
  ...pageQuery,
  ...storefrontSorting,
  search: optional(
    text(200),
    "What to look for in names, numbers (SKU, GTIN, MPN), tags, names of brands and categories, and descriptions. " +
      'All words must be there, the last by its beginning; case and accents do not matter. `"desk lamp"` asks for ' +
      "words in this order, `lamp or chair` for either, `-black` for products without it. A word that no product has " +
      "is taken for the nearest ones. Without `sortBy`, products whose names have the words come first.",
    "desk lamp"
  ),
  category: optional(CommaList, "Ids or slugs of categories separated by commas; what is below them counts.", "lamps"),
  brand: optional(CommaList, "Ids or slugs of brands separated by commas."),
  minPrice: optional(Schema.String, "Lowest price to pay now, inclusive: a decimal string.", "10.00"),
  maxPrice: optional(Schema.String, "Highest price to pay now, inclusive: a decimal string.", "50.00"),
  inStock: optional(
    Schema.Literals(["true", "false"]),
    "`true` shows only products that can be bought now, `false` only others."
  ),
  facets: optional(
    Schema.Literals(["true", "false"]),
    "`true` also returns the filters that can narrow the list, with counts.",
    "true"
  ),
  ...locale
})
const { fields } = listEnvelope(PublicProductView)
const Products = Schema.Struct({ ...fields, facets: Schema.optionalKey(Facets) }).annotate({
  identifier: "ProductPage",
  description: "One page of a list of products."
})
const Recommended = Schema.Struct({
  products: arrayOf(PublicProductView, "The recommended products, best first.")
}).annotate({ identifier: "ProductRecommendations", description: "Products to show beside another one." })
const Tree = Schema.Struct({ categories: arrayOf(CategoryNode, "The roots of the tree.") }).annotate({
  identifier: "CategoryTree",
  description: "The active categories of the store, as a tree."
})
const Brands = Schema.Struct({ brands: arrayOf(StorefrontBrand, "The active brands, by name.") }).annotate({
  identifier: "StorefrontBrands",
  description: "The brands that shoppers can choose products by."
})

/** Storefronts and the public have the same routes; only who may call them differs. */
const words = {
  products: {
    summary: "List products",
    description:
      "Lists the active products, with prices, pictures, variants and stock, a page at a time. Combine search, " +
      "categories, brands, attributes (`attr.Colour=red,blue`), fields of the store's own (`mf.material=oak`), " +
      "prices and stock as you like: every parameter must be met, by any of its values. With `facets=true` the " +
      "response also lists the filters that can narrow the list; each choice has its number of products under all " +
      "other filters. Names and descriptions are in the language of the request."
  },
  productBySlug: {
    summary: "Get a product by its slug",
    description:
      "Returns one active product by its slug. Use it for product pages. Drafts and deleted products are 404."
  },
  product: {
    summary: "Get a product",
    description: "Returns one active product by its id. Drafts and deleted products are 404."
  },
  recommendations: {
    summary: "List recommendations for a product",
    description:
      "Returns products to show beside this one: first those that the merchant chose (related, cross-sells, " +
      "upsells), then others of its categories."
  },
  categories: {
    summary: "Get the category tree",
    description: "Returns the active categories as a tree, roots first. Use it for menus."
  },
  categoryBySlug: {
    summary: "Get a category by its slug",
    description: "Returns one active category by its slug, with its breadcrumb. Use it for category pages."
  },
  brands: {
    summary: "List brands",
    description: "Returns all active brands by name. Use it for a filter, or a page of brands."
  },
  brandBySlug: {
    summary: "Get a brand by its slug",
    description: "Returns one active brand by its slug. Use it for brand pages."
  }
} as const

const listed = { cached: askedEachTime, openQuery: namedFilterWords }
const id = { id: string("Id of the product.") }
const slug = { slug: string("Slug of the product.", "desk-lamp") }
const channel = { salesChannelId: string("Id of the sales channel.", "vc_01k9f3m2q7x4b8n6c5d1e0h2jk") }
export class StorefrontGroup extends apiGroup("storefront", {
  part: "Storefront",
  title: "Catalogue",
  description: "Products of a sales channel with prices and stock, categories and brands."
}).add(
  HttpApiEndpoint.get("products", "/vc/:salesChannelId/products", {
    params: channel,
    query: storefrontQuery,
    success: Products,
    error: fails(FieldRejected)
  }).pipe(channelRoute("storefrontRead", { ...words.products, ...listed })),
  HttpApiEndpoint.get("productBySlug", "/vc/:salesChannelId/products/slug/:slug", {
    params: { ...channel, ...slug },
    query: locale,
    success: PublicProductView,
    error: fails(ProductNotFound)
  }).pipe(channelRoute("storefrontRead", { ...words.productBySlug, cached: askedEachTime })),
  HttpApiEndpoint.get("product", "/vc/:salesChannelId/products/:id", {
    params: { ...channel, ...id },
    query: locale,
    success: PublicProductView,
    error: fails(ProductNotFound)
  }).pipe(channelRoute("storefrontRead", { ...words.product, cached: askedEachTime })),
  HttpApiEndpoint.get("recommendations", "/vc/:salesChannelId/products/:id/recommendations", {
    params: { ...channel, ...id },
    query: locale,
    success: Recommended,
    error: fails(ProductNotFound)
  }).pipe(channelRoute("storefrontRead", { ...words.recommendations, cached: askedEachTime })),
  HttpApiEndpoint.get("categories", "/vc/:salesChannelId/categories", {
    params: channel,
    query: locale,
    success: Tree
  }).pipe(channelRoute("storefrontRead", { ...words.categories, cached: keptBriefly })),
  HttpApiEndpoint.get("categoryBySlug", "/vc/:salesChannelId/categories/slug/:slug", {
    params: { ...channel, slug: string("Slug of the category.", "lamps") },
    query: locale,
    success: CategoryPage,
    error: fails(CategoryNotFound)
  }).pipe(channelRoute("storefrontRead", { ...words.categoryBySlug, cached: keptBriefly })),
  HttpApiEndpoint.get("brands", "/vc/:salesChannelId/brands", {
    params: channel,
    query: locale,
    success: Brands
  }).pipe(channelRoute("storefrontRead", { ...words.brands, cached: keptBriefly })),
  HttpApiEndpoint.get("brandBySlug", "/vc/:salesChannelId/brands/slug/:slug", {
    params: { ...channel, slug: string("Slug of the brand.", "acme") },
    query: locale,
    success: BrandPage,
    error: fails(BrandNotFound)
  }).pipe(channelRoute("storefrontRead", { ...words.brandBySlug, cached: keptBriefly }))
) {}

const store = { storeId: string("Id of the store.") }
export class PublicCatalogGroup extends apiGroup("publicCatalog", {
  part: "Public",
  title: "Public catalogue",
  description: "The same catalogue for any origin, without a sales channel. Read-only."
}).add(
  HttpApiEndpoint.get("products", "/stores/:storeId/products", {
    params: store,
    query: storefrontQuery,
    success: Products,
    error: fails(FieldRejected)
  }).pipe(publicRoute({ ...words.products, ...listed })),
  HttpApiEndpoint.get("productBySlug", "/stores/:storeId/products/slug/:slug", {
    params: { ...store, ...slug },
    query: locale,
    success: PublicProductView,
    error: fails(ProductNotFound)
  }).pipe(publicRoute({ ...words.productBySlug, cached: askedEachTime })),
  HttpApiEndpoint.get("product", "/stores/:storeId/products/:id", {
    params: { ...store, ...id },
    query: locale,
    success: PublicProductView,
    error: fails(ProductNotFound)
  }).pipe(publicRoute({ ...words.product, cached: askedEachTime })),
  HttpApiEndpoint.get("recommendations", "/stores/:storeId/products/:id/recommendations", {
    params: { ...store, ...id },
    query: locale,
    success: Recommended,
    error: fails(ProductNotFound)
  }).pipe(publicRoute({ ...words.recommendations, cached: askedEachTime })),
  HttpApiEndpoint.get("categories", "/stores/:storeId/categories", {
    params: store,
    query: locale,
    success: Tree
  }).pipe(publicRoute({ ...words.categories, cached: keptBriefly })),
  HttpApiEndpoint.get("brands", "/stores/:storeId/brands", {
    params: store,
    query: locale,
    success: Brands
  }).pipe(publicRoute({ ...words.brands, cached: keptBriefly }))
) {}

export const storefrontGroups = [StorefrontGroup, PublicCatalogGroup] as const
