/** The filters of a list of products, and the orders that it may have. */
import type { ListingSort } from "../product/ProductEnums.ts"

/**
 * Products with one of these options of an attribute. Attribute and options are given by id, or by name in any language
 * and in upper or lower case; options also by value.
 */
export interface AttributeFilter {
  readonly attribute: string
  readonly options: ReadonlyArray<string>
}

/** Products with one of these values of a filterable metafield; `foldedValue` folds the values. */
export interface MetafieldFilter {
  readonly key: string
  readonly values: ReadonlyArray<string>
}

/** All of its words must occur; quoted, one after the other. The SQL function `catalog_search` reads it as JSON. */
export interface SearchTerm {
  readonly words: ReadonlyArray<string>
  /** The words as one, where punctuation stands between them. */
  readonly joined: string | null
  readonly quoted: boolean
  /** Products that match it are excluded. */
  readonly excluded: boolean
  /** The shopper may still be typing the last word: words that begin with it match. */
  readonly begins: boolean
}

/** Alternatives, each a list of terms that must all match. */
export type SearchQuery = ReadonlyArray<ReadonlyArray<SearchTerm>>

/** Undefined fields do not filter. Prices are minor units, compared with what a shopper pays at `now`. */
export interface ProductFilter {
  readonly statuses?: ReadonlyArray<string> | undefined
  readonly types?: ReadonlyArray<string> | undefined
  readonly search?: SearchQuery | undefined
  /** Products that go with these. */
  readonly beside?: ReadonlyArray<string> | undefined
  /** By id or slug; products of the categories below them match too. Categories that shoppers do not see match none. */
  readonly categories?: ReadonlyArray<string> | undefined
  /** By id or slug; inactive brands match no product. */
  readonly brands?: ReadonlyArray<string> | undefined
  readonly attributes?: ReadonlyArray<AttributeFilter> | undefined
  readonly metafields?: ReadonlyArray<MetafieldFilter> | undefined
  readonly minPrice?: bigint | undefined
  readonly maxPrice?: bigint | undefined
  readonly inStock?: boolean | undefined
  /**
   * Products, categories and brands match where this channel shows them, names of categories and brands too. Null is
   * the public, undefined is every channel.
   */
  readonly channelId?: string | null | undefined
  readonly now: Date
}

/** `beside`: the order of recommendations. `relevance`: products whose names match the search come first. */
export type ListingOrder = ListingSort | "beside" | "relevance"
