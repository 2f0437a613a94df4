/** A list of products as a storefront asks for it, at one moment: what it finds, and what it is remembered by. */
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
  /** Undefined: by relevance where something is searched, else in menu order. */
  readonly sortBy?: ListingSort | undefined
  readonly descending: boolean
  /** With what the list can be narrowed by. */
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
  /** What it finds depends on stock. */
  readonly isByStock: boolean
  /** Of what it finds. */
  readonly key: string
  /** Of the bytes of its page. */
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

/** The key of a product's page, by its id, or by a slug in languages. */
export const productKeyOf = (
  store: StoreContext,
  by: { readonly id: string } | { readonly slug: string },
  { channelId, languages = [] }: StorefrontReader
): string => keyOf([store.id, channelId, by, languages, defaultLanguage(store)])

/** Amounts are bigint, which JSON does not know. */
const keyOf = (parts: ReadonlyArray<unknown>): string =>
  JSON.stringify(parts, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))

/** Orders that go by what a product is called. */
const byText = new Set<ListingOrder>(["name", "slug", "sku", "relevance"])
const byPrice = new Set<ListingOrder>(["basePrice", "displayPriceMin"])
/** Filters that name no label. */
const unlabelled = new Set(["minPrice", "maxPrice", "inStock", "channelId", "statuses", "now"])

/**
 * The version of what a list filters and sorts by: while it stays, so does what the list has found. Undefined where
 * that cannot be remembered: where stock is about to change it, or every write does. Versions only grow, and so does
 * their sum: it is another one where any of them is.
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

/** The version of what an address of a product leads to. */
export const addressVersionOf = ({ members, text }: Versions): bigint => members + text
