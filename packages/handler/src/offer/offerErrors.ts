import type { BundleOfferNotFound } from "@effect-commerce/core/offer/OfferErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const offerErrors: ErrorRows<BundleOfferNotFound> = {
  BundleOfferNotFound: missing("bundle offer")
}
