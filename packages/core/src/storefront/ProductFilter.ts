/** The filters and sort orders of a list of products. */
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

/** All of its words must occur, quoted ones in order. The SQL function `catalog_search` reads it as JSON. */
export interface SearchTerm {
  readonly words: ReadonlyArray<string>
  /** The words as a single word, if punctuation stands between them. */
  readonly joined: string | null
  readonly quoted: boolean
  /** Products that match it are excluded. */
  readonly excluded: boolean
  /** The shopper may still be typing the last word: words that begin with it match. */
  readonly begins: boolean
}

/** Alternatives, each a list of terms that must all match. */
export type SearchQuery = ReadonlyArray<ReadonlyArray<SearchTerm>>

/** Undefined fields do not filter. Prices are minor units, compared with the price that a shopper pays at `now`. */
export interface ProductFilter {
  readonly statuses?: ReadonlyArray<string> | undefined
  readonly types?: ReadonlyArray<string> | undefined
  readonly search?: SearchQuery | undefined
  /** Products recommended with these. */
  readonly beside?: ReadonlyArray<string> | undefined
  /** By id or slug; includes products of subcategories. Categories that shoppers do not see match nothing. */
  readonly categories?: ReadonlyArray<string> | undefined
  /** By id or slug; inactive brands match no product. */
  readonly brands?: ReadonlyArray<string> | undefined
  readonly attributes?: ReadonlyArray<AttributeFilter> | undefined
  readonly metafields?: ReadonlyArray<MetafieldFilter> | undefined
  readonly minPrice?: bigint | undefined
  readonly maxPrice?: bigint | undefined
  readonly inStock?: boolean | undefined
  /**
   * Only products, categories and brands that this channel shows, also in searches by category or brand name. Null is
   * the public, undefined is every channel.
   */
  readonly channelId?: string | null | undefined
  readonly now: Date
}

/** `beside`: the order of recommendations. `relevance`: products whose names match the search come first. */
export type ListingOrder = ListingSort | "beside" | "relevance"
