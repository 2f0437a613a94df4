/** The errors of offers, with the facts that a caller needs. */
import { Schema } from "effect"

export class BundleOfferNotFound extends Schema.TaggedError<BundleOfferNotFound>()("BundleOfferNotFound", {
  id: Schema.String
}) {}
