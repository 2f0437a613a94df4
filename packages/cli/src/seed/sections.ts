/** The sections of a store description, in the order in which they are loaded: what a row refers to comes before it. */
export const sections = [
  "categories",
  "brands",
  "regions",
  "taxClasses",
  "taxRates",
  "shippingClasses",
  "shippingZones",
  "attributes",
  "metafieldDefinitions",
  "modifierGroups",
  "products",
  "customers",
  "reviews"
] as const

export type Section = (typeof sections)[number]
