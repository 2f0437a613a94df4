/** How lists of products are sorted, for merchants and for shoppers. */
import { sortQuery } from "@effect-commerce/core/kernel/Pagination"
import { type ListingSort, productSorts } from "@effect-commerce/core/product/ProductEnums"

/** Names that a list of products can be sorted by; `price` is another name of `basePrice`. */
export const productSorting = sortQuery([...productSorts, "price"], "menuOrder, ascending")

export const isOneOf = <Name extends string>(names: ReadonlyArray<Name>, text: string): text is Name =>
  (names as ReadonlyArray<string>).includes(text)

/** An unknown `sortBy` is not an error: the default order applies, and `sortOrder` alone reverses it. */
export const sortingOf = <Sort extends ListingSort>(
  names: ReadonlyArray<Sort>,
  { sortBy = "menuOrder", sortOrder }: { readonly sortBy?: string; readonly sortOrder?: string }
): { readonly sortBy: Sort | "menuOrder" | "basePrice"; readonly descending: boolean } => {
  const descending = sortOrder === "desc"
  if (sortBy === "price") return { sortBy: "basePrice", descending }
  return isOneOf(names, sortBy) ? { sortBy, descending } : { sortBy: "menuOrder", descending: false }
}
