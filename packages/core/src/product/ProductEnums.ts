/** Values that fields of products can have, and fields that lists of products are sorted by. */
export const productTypes = ["SIMPLE", "VARIABLE", "KIT"] as const
/** FIXED: the kit has prices of its own. COMPONENTS: it costs what its components cost, less a percentage. */
export const kitPricingModes = ["FIXED", "COMPONENTS"] as const
export const productStatuses = ["active", "draft"] as const
export const descriptionFormats = ["html", "markdown", "text"] as const
export const weightUnits = ["kg", "lb", "g", "oz"] as const

/** What a list of products can be sorted by. */
export const productSorts = [
  "name",
  "createdAt",
  "updatedAt",
  "menuOrder",
  "status",
  "sku",
  "slug",
  "basePrice"
] as const
export type ProductSort = (typeof productSorts)[number]

/** A list of a storefront can be sorted by the lowest price now as well. */
export const listingSorts = [...productSorts, "displayPriceMin"] as const
export type ListingSort = (typeof listingSorts)[number]
