import { Brands } from "@effect-commerce/core/catalog/Brands"
import { Categories } from "@effect-commerce/core/catalog/Categories"
import { type ListingSort, listingSorts, productSorts } from "@effect-commerce/core/catalog/Product"
import { type ImportResult, ProductImports } from "@effect-commerce/core/catalog/ProductImports"
import { Products } from "@effect-commerce/core/catalog/Products"
import { type StorefrontAnswer, StorefrontProducts } from "@effect-commerce/core/catalog/StorefrontProducts"
import { parseAmount } from "@effect-commerce/core/kernel/Money"
import { pageOf, toEnvelope, toPageOf } from "@effect-commerce/core/kernel/Pagination"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin, onChannel, publicly } from "../middleware/Surfaces.ts"
import { listOf } from "../middleware/CommaList.ts"
import { refusalOf } from "../middleware/Envelope.ts"
import { written, writtenText } from "../middleware/Written.ts"
import { languagesOf } from "./RequestLanguages.ts"
import { blankAsAbsent } from "./CatalogQuery.ts"
import { namedFilters } from "./ProductFilters.ts"

const isOneOf = <Name extends string>(names: ReadonlyArray<Name>, text: string): text is Name =>
  (names as ReadonlyArray<string>).includes(text)

/**
 * An unknown sortBy is no mistake: the default order applies (interface.md, Pagination), which an order asked for alone
 * turns round.
 */
const sortingOf = <Sort extends ListingSort>(
  names: ReadonlyArray<Sort>,
  { sortBy = "menuOrder", sortOrder }: { readonly sortBy?: string; readonly sortOrder?: string }
): { readonly sortBy: Sort | "menuOrder" | "basePrice"; readonly descending: boolean } => {
  const descending = sortOrder === "desc"
  if (sortBy === "price") return { sortBy: "basePrice", descending }
  return isOneOf(names, sortBy) ? { sortBy, descending } : { sortBy: "menuOrder", descending: false }
}

const isSorted = ({ sortBy = "" }: { readonly sortBy?: string }): boolean =>
  sortBy === "price" || isOneOf(listingSorts, sortBy)

/** A refused row says what the route of one product would have said. */
const bulkResult = ({ index, productId, error }: ImportResult) => {
  if (error === null) return { index, ...(productId === null ? {} : { productId }) }
  const { code, message, details } = refusalOf(error)
  return { index, error: { code, message, ...(details === undefined ? {} : { details }) } }
}

const products = HttpApiBuilder.group(
  Api,
  "products",
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* Products
    const imports = yield* ProductImports
    return handlers.handleAll({
      list: asAdmin(
        Effect.fnUntraced(function* ({ store }, { query }) {
          const page = pageOf(query)
          const filter = {
            statuses: listOf(query.status),
            types: listOf(query.type),
            search: blankAsAbsent(query.search)
          }
          return written(
            toEnvelope(page, yield* useCases.list(store, { page, ...sortingOf(productSorts, query), filter }, "admin"))
          )
        })
      ),
      create: asAdmin(({ store }, { payload }) => useCases.create(store, payload)),
      createMany: asAdmin(({ store }, { payload }) => imports.start(store, payload.products)),
      bulkProgress: asAdmin(({ store }, { params }) =>
        Effect.map(imports.progress(store, params.jobId), ({ results, ...job }) => ({
          ...job,
          results: results.map(bulkResult)
        }))
      ),
      get: asAdmin(({ store }, { params }) => useCases.get(store, { id: params.id }, "admin")),
      update: asAdmin(({ store }, { params, payload }) => useCases.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(useCases.remove(store, params.id))),
      variants: asAdmin(({ store }, { params, query }) =>
        Effect.map(useCases.variants(store, params.id), (all) => toPageOf(pageOf(query), all))
      ),
      createVariant: asAdmin(({ store }, { params, payload }) => useCases.createVariant(store, params.id, payload)),
      previewVariants: asAdmin(({ store }, { params, payload }) => useCases.previewVariants(store, params.id, payload)),
      updateVariant: asAdmin(({ store }, { params, payload }) =>
        useCases.updateVariant(store, params.id, params.variantId, payload)
      ),
      removeVariant: asAdmin(({ store }, { params }) =>
        succeed(useCases.removeVariant(store, params.id, params.variantId))
      )
    })
  })
)

const categories = HttpApiBuilder.group(
  Api,
  "categories",
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* Categories
    return handlers.handleAll({
      list: asAdmin(({ store }, { query }) =>
        paged(query, (page) =>
          useCases.list(store, page, {
            search: blankAsAbsent(query.search),
            platform: blankAsAbsent(query.platform)
          })
        )
      ),
      create: asAdmin(({ store }, { payload }) => useCases.create(store, payload)),
      get: asAdmin(({ store }, { params }) => useCases.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => useCases.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params, query }) =>
        succeed(useCases.remove(store, params.id, query.children ?? "reparent"))
      )
    })
  })
)

interface LocaleQuery {
  readonly locale?: string
}

interface StorefrontQuery extends LocaleQuery {
  readonly page?: string
  readonly limit?: string
  readonly sortBy?: string
  readonly sortOrder?: string
  readonly search?: string
  readonly category?: string
  readonly brand?: string
  readonly minPrice?: string
  readonly maxPrice?: string
  readonly inStock?: "true" | "false"
  readonly facets?: "true" | "false"
}

const amountOf = (
  store: StoreContext,
  field: string,
  text: string | undefined
): Effect.Effect<bigint | undefined, FieldRejected> => {
  if (text === undefined || text === "") return Effect.undefined
  const minor = parseAmount(text, store.currency)
  return typeof minor === "bigint"
    ? Effect.succeed(minor)
    : Effect.fail(new FieldRejected({ field, reason: minor.message }))
}

/** What storefronts and the public read is the same; only who may ask differs. */
const catalogRead = Effect.gen(function* () {
  const products = yield* StorefrontProducts
  const tree = yield* Categories
  const inLanguages = <E>(
    store: StoreContext,
    query: LocaleQuery,
    read: (languages: ReadonlyArray<string>) => Effect.Effect<StorefrontAnswer, E>
  ) => Effect.map(Effect.flatMap(languagesOf(store, query), read), writtenText)
  const brands = yield* Brands
  return {
    list: Effect.fnUntraced(function* (store: StoreContext, query: StorefrontQuery) {
      const page = pageOf(query)
      const minPrice = yield* amountOf(store, "minPrice", query.minPrice)
      const maxPrice = yield* amountOf(store, "maxPrice", query.maxPrice)
      const filter = {
        search: blankAsAbsent(query.search),
        categories: listOf(query.category),
        brands: listOf(query.brand),
        minPrice,
        maxPrice,
        inStock: query.inStock === undefined ? undefined : query.inStock === "true",
        ...(yield* namedFilters(query))
      }
      const { sortBy, descending } = sortingOf(listingSorts, query)
      const isByRelevance = filter.search !== undefined && !isSorted(query)
      return yield* inLanguages(store, query, (languages) =>
        products.list(
          store,
          { page, sortBy: isByRelevance ? undefined : sortBy, descending, filter, facets: query.facets === "true" },
          languages
        )
      )
    }),
    get: (store: StoreContext, id: string, query: LocaleQuery) =>
      inLanguages(store, query, (languages) => products.get(store, { id }, languages)),
    getBySlug: (store: StoreContext, slug: string, query: LocaleQuery) =>
      inLanguages(store, query, (languages) => products.get(store, { slug }, languages)),
    recommendations: (store: StoreContext, productId: string, query: LocaleQuery) =>
      inLanguages(store, query, (languages) =>
        Effect.map(products.recommendations(store, productId, languages), ({ json, tag }) => ({
          json: `{"products":${json}}`,
          tag
        }))
      ),
    categories: (store: StoreContext, query: LocaleQuery) =>
      Effect.flatMap(languagesOf(store, query), (languages) =>
        Effect.map(tree.tree(store, languages), (nodes) => ({ categories: nodes }))
      ),
    categoryBySlug: (store: StoreContext, slug: string, query: LocaleQuery) =>
      Effect.flatMap(languagesOf(store, query), (languages) => tree.page(store, slug, languages)),
    brands: (store: StoreContext, query: LocaleQuery) =>
      Effect.flatMap(languagesOf(store, query), (languages) =>
        Effect.map(brands.shown(store, languages), (shown) => ({ brands: shown }))
      ),
    brandBySlug: (store: StoreContext, slug: string, query: LocaleQuery) =>
      Effect.flatMap(languagesOf(store, query), (languages) => brands.page(store, slug, languages))
  }
})

const storefront = HttpApiBuilder.group(
  Api,
  "storefront",
  Effect.fnUntraced(function* (handlers) {
    const read = yield* catalogRead
    return handlers.handleAll({
      products: onChannel(({ store }, { query }) => read.list(store, query)),
      productBySlug: onChannel(({ store }, { params, query }) => read.getBySlug(store, params.slug, query)),
      product: onChannel(({ store }, { params, query }) => read.get(store, params.id, query)),
      recommendations: onChannel(({ store }, { params, query }) => read.recommendations(store, params.id, query)),
      categories: onChannel(({ store }, { query }) => read.categories(store, query)),
      categoryBySlug: onChannel(({ store }, { params, query }) => read.categoryBySlug(store, params.slug, query)),
      brands: onChannel(({ store }, { query }) => read.brands(store, query)),
      brandBySlug: onChannel(({ store }, { params, query }) => read.brandBySlug(store, params.slug, query))
    })
  })
)

const publicCatalog = HttpApiBuilder.group(
  Api,
  "publicCatalog",
  Effect.fnUntraced(function* (handlers) {
    const read = yield* catalogRead
    return handlers.handleAll({
      products: publicly(({ store }, { query }) => read.list(store, query)),
      productBySlug: publicly(({ store }, { params, query }) => read.getBySlug(store, params.slug, query)),
      product: publicly(({ store }, { params, query }) => read.get(store, params.id, query)),
      recommendations: publicly(({ store }, { params, query }) => read.recommendations(store, params.id, query)),
      categories: publicly(({ store }, { query }) => read.categories(store, query)),
      brands: publicly(({ store }, { query }) => read.brands(store, query))
    })
  })
)

export const catalogEndpoints = Layer.mergeAll(products, categories, storefront, publicCatalog)
