/** Values of product fields, and the fields that lists of products can be sorted by. */
export const productTypes = ["SIMPLE", "VARIABLE", "KIT"] as const
/** FIXED: the kit has its own price. COMPONENTS: the sum of its components' prices, less a percentage. */
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

/** Lists of a storefront can also be sorted by the current lowest price. */
export const listingSorts = [...productSorts, "displayPriceMin"] as const
export type ListingSort = (typeof listingSorts)[number]
