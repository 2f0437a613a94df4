/** A list of products as a storefront asks for it, at one moment: what it finds, and what it is remembered by. */
import type { Page } from "../../kernel/Pagination.ts"
import { defaultLanguage, type StoreContext } from "../../store/StoreContext.ts"
import type { FacetContext } from "../Facets.ts"
import type { ListingSort } from "../../product/Product.ts"
import type { ProductFilter } from "../../product/ProductRepository.ts"
import type { StorefrontReader } from "../../taxonomy/Publication.ts"
import type { ListingOrder } from "./foundIds.ts"
import { blockOf } from "./foundLists.ts"
import { parseSearch } from "./searchQuery.ts"
import type { PageCheck } from "./storefrontReading.ts"

export interface StorefrontQuery {
  readonly page: Page
  readonly filter: Omit<ProductFilter, "now" | "statuses" | "channelId">
  /** Undefined: by relevance where something is searched, else in menu order. */
  readonly sortBy?: ListingSort | undefined
  readonly descending: boolean
  /** What the list can be narrowed by is told beside it. */
  readonly facets?: boolean | undefined
}

export interface AskedList {
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
  /** Of what is answered. */
  readonly pageKey: string
}

export const shownNow = (
  filter: StorefrontQuery["filter"],
  { channelId }: StorefrontReader,
  now: number
): ProductFilter => ({ ...filter, channelId, statuses: ["active"], now: new Date(now) })

export const askedList = (
  store: StoreContext,
  query: StorefrontQuery,
  { channelId, languages = [] }: StorefrontReader,
  now: number
): AskedList => {
  const { page, filter, descending, facets = false } = query
  const sortBy = query.sortBy ?? (parseSearch(filter.search) === undefined ? "menuOrder" : "relevance")
  const at = blockOf(page)
  const asked = [store.id, channelId, filter, sortBy, descending, facets, page.limit]
  const key = keyOf([...asked, at.block.offset])
  const own = defaultLanguage(store)
  return {
    page,
    filter: shownNow(filter, { channelId }, now),
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

/** By what a product is remembered that was asked for by its id, or by a slug in languages. */
export const askedProduct = (
  store: StoreContext,
  by: { readonly id: string } | { readonly slug: string },
  { channelId, languages = [] }: StorefrontReader
): string => keyOf([store.id, channelId, by, languages, defaultLanguage(store)])

/** Amounts are bigint, which JSON does not know. */
const keyOf = (parts: ReadonlyArray<unknown>): string =>
  JSON.stringify(parts, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))

/** Filters that ask for nothing of the vocabulary by name, or by its place in it. */
const byPrice = new Set(["minPrice", "maxPrice", "inStock", "channelId", "statuses", "now"])

/**
 * What a list that was found stays the same with; undefined where it cannot be remembered, because stock is about to
 * change what it finds.
 */
export const versionOf = (
  { listing, vocabulary, unsettled }: Pick<PageCheck, "listing" | "vocabulary" | "unsettled">,
  { filter, facets, isByStock }: AskedList
): bigint | undefined => {
  if (isByStock && unsettled) return undefined
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined)
  // Both only grow, and so does their sum: it is another one where either is.
  return !facets && asked.every(([name]) => byPrice.has(name)) ? listing : listing + vocabulary
}
