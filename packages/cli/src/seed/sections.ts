/**
 * The sections of a store description, in the order in which they are loaded: what a row refers to comes before it. The
 * module of a section is loaded when there is something to load, so that the command can name the sections without it.
 * Its `load` creates rows that are new and updates those that are there.
 */
export const sections = {
  categories: () => import("./loadCategories.ts"),
  brands: () => import("./loadBrands.ts"),
  regions: () => import("./loadRegions.ts"),
  taxClasses: () => import("./loadTaxClasses.ts"),
  taxRates: () => import("./loadTaxRates.ts"),
  shippingClasses: () => import("./loadShippingClasses.ts"),
  shippingZones: () => import("./loadShippingZones.ts"),
  attributes: () => import("./loadAttributes.ts"),
  metafieldDefinitions: () => import("./loadMetafieldDefinitions.ts"),
  modifierGroups: () => import("./loadModifierGroups.ts"),
  products: () => import("./loadProducts.ts"),
  promotions: () => import("./loadPromotions.ts"),
  checkoutFields: () => import("./loadCheckoutFields.ts"),
  coupons: () => import("./loadCoupons.ts"),
  bundleOffers: () => import("./loadBundleOffers.ts"),
  customers: () => import("./loadCustomers.ts"),
  giftCards: () => import("./loadGiftCards.ts"),
  loyalty: () => import("./loadLoyalty.ts"),
  reviews: () => import("./loadReviews.ts")
}

export type Section = keyof typeof sections

export const sectionNames = Object.keys(sections) as ReadonlyArray<Section>
