/** What lists of the catalogue take in common, for merchants and for shoppers. */
import { listingSorts, productSorts } from "@effect-commerce/core/product/Product"
import { optional, text } from "@effect-commerce/core/kernel/Fields"
import { sortQuery } from "@effect-commerce/core/kernel/Pagination"

/** Names that a list of products can be sorted by; `price` is another name of `basePrice`. */
export const productSorting = sortQuery([...productSorts, "price"], "menuOrder, ascending")
/** Storefronts sort by what a shopper pays now as well. */
export const storefrontSorting = sortQuery(
  [...listingSorts, "price"],
  "menuOrder, ascending. `price` is another name of `basePrice`; `displayPriceMin` is the lowest price to pay now"
)

/** What a query says that is nothing but blanks says nothing. */
export const blankAsAbsent = (words: string | undefined): string | undefined =>
  words === undefined || words.trim() === "" ? undefined : words.trim()

/** Words to look for in a list. */
export const searchOf = (where: string) => optional(text(200), `Shows only what has this text in its ${where}.`)
