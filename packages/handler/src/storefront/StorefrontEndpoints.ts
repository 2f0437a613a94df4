/** Endpoints by which storefronts and the public read products, categories and brands. */
import { Brands } from "@effect-commerce/core/taxonomy/Brands"
import { Categories } from "@effect-commerce/core/taxonomy/Categories"
import { listingSorts } from "@effect-commerce/core/product/ProductEnums"
import type { StorefrontReader } from "@effect-commerce/core/taxonomy/Publication"
import { type StorefrontAnswer, StorefrontProducts } from "@effect-commerce/core/storefront/StorefrontProducts"
import { parseAmount } from "@effect-commerce/core/kernel/Money"
import { pageOf } from "@effect-commerce/core/kernel/Pagination"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { listOf } from "../middleware/CommaList.ts"
import { blankAsAbsent } from "../middleware/SearchQuery.ts"
import { onChannel, publicly, type Shopper } from "../middleware/Surfaces.ts"
import { writtenText } from "../middleware/Written.ts"
import { isOneOf, sortingOf } from "../product/ProductSorting.ts"
import { namedFilters } from "./ProductFilters.ts"
import { languagesOf } from "../middleware/RequestLanguages.ts"
import { PublicCatalogGroup, StorefrontGroup } from "./StorefrontApi.ts"

const isSorted = ({ sortBy = "" }: { readonly sortBy?: string }): boolean =>
  sortBy === "price" || isOneOf(listingSorts, sortBy)

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
  return typeof minor === "bigint" ? Effect.succeed(minor) : FieldRejected.at(field, minor.message)
}

/** A store, and the channel that reads it; null is the public. */
interface Shop {
  readonly store: StoreContext
  readonly channelId: string | null
}
const onItsChannel = ({ store, channel }: Shopper): Shop => ({ store, channelId: channel.id })
const inPublic = ({ store }: { readonly store: StoreContext }): Shop => ({ store, channelId: null })

/** Storefronts and the public have the same endpoints; only who may call them differs. */
const storefrontReads = Effect.gen(function* () {
  const products = yield* StorefrontProducts
  const tree = yield* Categories
  const asReader = <A, E>(
    { store, channelId }: Shop,
    query: LocaleQuery,
    read: (reader: StorefrontReader) => Effect.Effect<A, E>
  ) => Effect.flatMap(languagesOf(store, query), (languages) => read({ channelId, languages }))
  const readText = <E>(
    shop: Shop,
    query: LocaleQuery,
    read: (reader: StorefrontReader) => Effect.Effect<StorefrontAnswer, E>
  ) => Effect.map(asReader(shop, query, read), writtenText)
  const brands = yield* Brands
  return {
    list: Effect.fnUntraced(function* (shop: Shop, query: StorefrontQuery) {
      const { store } = shop
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
      return yield* readText(shop, query, (reader) =>
        products.list(
          store,
          { page, sortBy: isByRelevance ? undefined : sortBy, descending, filter, facets: query.facets === "true" },
          reader
        )
      )
    }),
    get: (shop: Shop, id: string, query: LocaleQuery) =>
      readText(shop, query, (reader) => products.get(shop.store, { id }, reader)),
    getBySlug: (shop: Shop, slug: string, query: LocaleQuery) =>
      readText(shop, query, (reader) => products.get(shop.store, { slug }, reader)),
    recommendations: (shop: Shop, productId: string, query: LocaleQuery) =>
      readText(shop, query, (reader) => products.recommendations(shop.store, productId, reader)),
    categories: (shop: Shop, query: LocaleQuery) =>
      asReader(shop, query, (reader) => Effect.map(tree.tree(shop.store, reader), (nodes) => ({ categories: nodes }))),
    categoryBySlug: (shop: Shop, slug: string, query: LocaleQuery) =>
      asReader(shop, query, (reader) => tree.page(shop.store, slug, reader)),
    brands: (shop: Shop, query: LocaleQuery) =>
      asReader(shop, query, (reader) => Effect.map(brands.shown(shop.store, reader), (shown) => ({ brands: shown }))),
    brandBySlug: (shop: Shop, slug: string, query: LocaleQuery) =>
      asReader(shop, query, (reader) => brands.page(shop.store, slug, reader))
  }
})

const storefront = endpointsOf(
  StorefrontGroup,
  Effect.fnUntraced(function* (handlers) {
    const read = yield* storefrontReads
    return handlers.handleAll({
      products: onChannel((caller, { query }) => read.list(onItsChannel(caller), query)),
      productBySlug: onChannel((caller, { params, query }) => read.getBySlug(onItsChannel(caller), params.slug, query)),
      product: onChannel((caller, { params, query }) => read.get(onItsChannel(caller), params.id, query)),
      recommendations: onChannel((caller, { params, query }) =>
        read.recommendations(onItsChannel(caller), params.id, query)
      ),
      categories: onChannel((caller, { query }) => read.categories(onItsChannel(caller), query)),
      categoryBySlug: onChannel((caller, { params, query }) =>
        read.categoryBySlug(onItsChannel(caller), params.slug, query)
      ),
      brands: onChannel((caller, { query }) => read.brands(onItsChannel(caller), query)),
      brandBySlug: onChannel((caller, { params, query }) => read.brandBySlug(onItsChannel(caller), params.slug, query))
    })
  })
)

const publicCatalog = endpointsOf(
  PublicCatalogGroup,
  Effect.fnUntraced(function* (handlers) {
    const read = yield* storefrontReads
    return handlers.handleAll({
      products: publicly((caller, { query }) => read.list(inPublic(caller), query)),
      productBySlug: publicly((caller, { params, query }) => read.getBySlug(inPublic(caller), params.slug, query)),
      product: publicly((caller, { params, query }) => read.get(inPublic(caller), params.id, query)),
      recommendations: publicly((caller, { params, query }) =>
        read.recommendations(inPublic(caller), params.id, query)
      ),
      categories: publicly((caller, { query }) => read.categories(inPublic(caller), query)),
      brands: publicly((caller, { query }) => read.brands(inPublic(caller), query))
    })
  })
)

export const storefrontEndpoints = Layer.merge(storefront, publicCatalog)
