/** A storefront's query for a list of products at a given time, and the keys that its results are cached under. */
import type { Page } from "../../kernel/Pagination.ts"
import type { ListingSort } from "../../product/ProductEnums.ts"
import type { ListingOrder, ProductFilter } from "../ProductFilter.ts"
import { defaultLanguage, type StoreContext } from "../../store/StoreContext.ts"
import type { StorefrontReader } from "../../taxonomy/Publication.ts"
import type { FacetContext } from "../Facets.ts"
import { blockOf } from "./ListCache.ts"
import { parseSearch } from "./searchQuery.ts"
import type { Versions } from "./storefrontReading.ts"

export interface StorefrontQuery {
  readonly page: Page
  readonly filter: Omit<ProductFilter, "now" | "statuses" | "channelId" | "search"> & {
    readonly search?: string | undefined
  }
  /** Undefined: by relevance if there is a search, else in menu order. */
  readonly sortBy?: ListingSort | undefined
  readonly descending: boolean
  /** Whether to return the facets of the list. */
  readonly facets?: boolean | undefined
}

export interface ListQuery {
  readonly page: Page
  readonly filter: ProductFilter
  readonly sortBy: ListingOrder
  readonly descending: boolean
  readonly facets: boolean
  readonly at: ReturnType<typeof blockOf>
  readonly facetContext: FacetContext
  /** The list depends on stock. */
  readonly isByStock: boolean
  /** Cache key of the ids found. */
  readonly key: string
  /** Cache key of the page's response. */
  readonly pageKey: string
}

export const filterNow = (
  filter: StorefrontQuery["filter"],
  { channelId }: StorefrontReader,
  now: number
): ProductFilter => ({
  ...filter,
  search: parseSearch(filter.search),
  channelId,
  statuses: ["active"],
  now: new Date(now)
})

export const listQueryOf = (
  store: StoreContext,
  query: StorefrontQuery,
  { channelId, languages = [] }: StorefrontReader,
  now: number
): ListQuery => {
  const { page, filter, descending, facets = false } = query
  const shown = filterNow(filter, { channelId }, now)
  const sortBy = query.sortBy ?? (shown.search === undefined ? "menuOrder" : "relevance")
  const at = blockOf(page)
  const asked = [store.id, channelId, filter, sortBy, descending, facets, page.limit]
  const key = keyOf([...asked, at.block.offset])
  const own = defaultLanguage(store)
  return {
    page,
    filter: shown,
    sortBy,
    descending,
    facets,
    at,
    facetContext: {
      currency: store.currency,
      reading: languages.length === 0 ? undefined : { wanted: languages, own }
    },
    isByStock: filter.inStock !== undefined || facets,
    key,
    pageKey: keyOf([key, page.page, languages, own])
  }
}

/** The cache key of a product's page, by its id, or by its slug and languages. */
export const productKeyOf = (
  store: StoreContext,
  by: { readonly id: string } | { readonly slug: string },
  { channelId, languages = [] }: StorefrontReader
): string => keyOf([store.id, channelId, by, languages, defaultLanguage(store)])

/** Amounts are bigint, which JSON cannot represent. */
const keyOf = (parts: ReadonlyArray<unknown>): string =>
  JSON.stringify(parts, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))

/** Sort orders that depend on texts of the product. */
const byText = new Set<ListingOrder>(["name", "slug", "sku", "relevance"])
const byPrice = new Set<ListingOrder>(["basePrice", "displayPriceMin"])
/** Filters that do not depend on labels. */
const unlabelled = new Set(["minPrice", "maxPrice", "inStock", "channelId", "statuses", "now"])

/**
 * The version of the data that a list filters and sorts by: while it is unchanged, so are the ids found. Undefined if
 * the list cannot be cached: it depends on stock that is about to change, or every write changes it. Versions only
 * grow, so their sum changes whenever one of them does.
 */
export const versionOf = (
  { versions, unsettled }: { readonly versions: Versions; readonly unsettled: boolean },
  { filter, sortBy, facets, isByStock }: ListQuery
): bigint | undefined => {
  if (sortBy === "updatedAt" || (isByStock && unsettled)) return undefined
  const { members, text, price, stock, labels } = versions
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined)
  const isPriced = filter.minPrice !== undefined || filter.maxPrice !== undefined || byPrice.has(sortBy)
  return [
    members,
    byText.has(sortBy) || filter.search !== undefined ? text : 0n,
    facets || isPriced ? price : 0n,
    isByStock ? stock : 0n,
    facets || asked.some(([name]) => !unlabelled.has(name)) ? labels : 0n
  ].reduce((sum, version) => sum + version)
}

/** The version of the data that maps a product's address to the product. */
export const addressVersionOf = ({ members, text }: Versions): bigint => members + text
