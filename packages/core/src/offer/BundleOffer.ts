/** Bundle offers: their bodies and their stored state. */
import { Schema } from "effect"
import {
  boolean,
  clearable,
  Decimal,
  described,
  optional,
  Reference,
  string,
  text,
  textMap,
  timestamp
} from "../kernel/Fields.ts"
import { BundleOfferView, discountTypes, offerKinds } from "../pricing/BundleOffer.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"
import type { OfferDiscount, OfferKind } from "./OfferTerms.ts"

/** Limited because a new offer is compared with all others: active offers must not form a circle. */
export const bundleOfferBound: StoreBound = { field: "bundleOffers", most: 10_000, words: "bundle offers" }

/** Products of one offer. Each becomes a line of a cart. */
const mostOfferedProducts = 10

const longestId = 200

/** Variants in a body, by the id of their product. */
export const VariantsByProduct = Schema.Record(Schema.String, Reference).pipe(
  Schema.check(
    Schema.makeFilter((variants: Readonly<Record<string, string>>) => {
      const ids = Object.keys(variants)
      if (ids.length > mostOfferedProducts) return `must have at most ${mostOfferedProducts} entries`
      return ids.every((id) => id.length <= longestId) || "must have ids of products as keys"
    })
  )
)

const kind = optional(
  Schema.Literals(offerKinds),
  "BUNDLE (the default) adds all products to the cart, ORDER_BUMP adds its one product, UPGRADE replaces the product " +
    "that brings the offer up by its one product.",
  "BUNDLE"
)
const triggerWords =
  "The product that brings the offer up while it is in a cart. It is not one of the offered products."
const products = Schema.Array(Reference).pipe(Schema.check(Schema.isMaxLength(mostOfferedProducts)))
const productWords =
  `The offered products in their order: 1 to ${mostOfferedProducts} for a bundle, exactly one otherwise. ` +
  "Active offers must not lead from a product back to itself."
const valueWords =
  "The discount: a percentage from 0 to 100 with at most 2 decimals, off each unit; or an amount off all products " +
  "together, split in proportion to their prices."
const common = {
  description: clearable(text(2_000), "Text for the shopper."),
  kind,
  pinnedVariants: optional(
    VariantsByProduct,
    "For products with variants: the only variant that is offered, by the id of the product. Shoppers choose the " +
      "variant of any other product."
  ),
  isActive: optional(Schema.Boolean, "Whether shoppers can take it. True by default.", true)
}

export const BundleOfferInput = Schema.Struct({
  name: described(text(200), "Name of the offer, for shoppers.", "Desk set"),
  triggerProductId: described(Reference, triggerWords),
  productIds: described(products, productWords),
  discountType: described(Schema.Literals(discountTypes), "How the discount is calculated.", "PERCENTAGE"),
  discountValue: described(Decimal, valueWords, 10),
  ...common
}).annotate({ identifier: "CreateBundleOffer", description: "A bundle offer, order bump or upgrade to create." })
export type BundleOfferInput = typeof BundleOfferInput.Type

export const BundleOfferPatch = Schema.Struct({
  name: optional(text(200), "Name of the offer, for shoppers.", "Desk set"),
  triggerProductId: optional(Reference, triggerWords),
  productIds: optional(products, productWords),
  discountType: optional(Schema.Literals(discountTypes), "How the discount is calculated.", "PERCENTAGE"),
  discountValue: optional(Decimal, valueWords, 10),
  ...common
}).annotate({
  identifier: "UpdateBundleOffer",
  description: "Changes of an offer. What is left out stays as it is; null clears the description."
})
export type BundleOfferPatch = typeof BundleOfferPatch.Type

/** The stored fields of an offer. */
export interface BundleOfferFields extends OfferDiscount {
  readonly name: string
  readonly description: string | null
  readonly kind: OfferKind
  readonly triggerProductId: string
  readonly productIds: ReadonlyArray<string>
  readonly pinnedVariants: Readonly<Record<string, string>>
  readonly isActive: boolean
}

export const AdminBundleOffer = Schema.Struct({
  ...BundleOfferView.fields,
  storeId: string("The store it belongs to."),
  pinnedVariants: textMap("The only variant that is offered of a product, by the id of the product."),
  isActive: boolean("Whether shoppers can take it."),
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares.")
}).annotate({ identifier: "AdminBundleOffer", description: "A bundle offer, order bump or upgrade of the store." })
export type AdminBundleOffer = typeof AdminBundleOffer.Type
