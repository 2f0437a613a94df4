/** The service of the offer room. Needs `ProductReadModel`, which the storefront room implements. */
import type { Room } from "../database/Room.ts"
import { bundleOfferBound } from "./BundleOffer.ts"
import { BundleOffers } from "./BundleOffers.ts"

export const offerRoom = {
  layer: BundleOffers.layer,
  rows: { bundleOffer: { table: "bundle_offer", lockFirst: "bundle_offer" } },
  bounds: [bundleOfferBound]
} as const satisfies Room
