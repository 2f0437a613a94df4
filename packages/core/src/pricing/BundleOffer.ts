/**
 * An offer as carts and the routes of offers show it: products that cost less for a shopper who has another product in
 * the cart. The offer room makes these views.
 */
import { Schema } from "effect"
import {
  arrayOf,
  boolean,
  fileUrl,
  money,
  nullable,
  nullableFileUrl,
  nullableMoney,
  nullableString,
  oneOf,
  string,
  textMap
} from "../kernel/Fields.ts"
import { productTypes } from "../product/ProductEnums.ts"

const OfferVariantView = Schema.Struct({
  id: string("Id of the variant."),
  name: string("Name of the variant."),
  attributes: textMap("Its options: attribute name to option name."),
  image: nullableFileUrl("Address of its picture."),
  price: money("Regular price of one unit."),
  salePrice: nullableMoney("Sale price of one unit; null without one.")
}).annotate({ identifier: "OfferVariant", description: "A variant that can be chosen in an offer." })

const OfferedProductView = Schema.Struct({
  id: string("Id of the product."),
  name: string("Name of the product."),
  slug: string("Slug of the product."),
  basePrice: money("Regular price of one unit."),
  salePrice: nullableMoney("Sale price of one unit; null without one."),
  images: arrayOf(
    Schema.Struct({
      url: fileUrl("Address of the image."),
      alt: nullableString("Text for those who cannot see it.")
    }).annotate({ identifier: "OfferImage", description: "A picture of an offered product." }),
    "Pictures of the product."
  ),
  type: oneOf(productTypes, "SIMPLE is sold by itself, VARIABLE by its variants, KIT as a set of other products."),
  variantId: nullableString("The variant that is offered; null where the shopper chooses or there is none."),
  requiresVariantSelection: boolean("Whether the shopper must choose a variant."),
  pinnedVariant: nullable(
    Schema.Struct({
      id: string("Id of the variant."),
      name: string("Name of the variant."),
      attributes: textMap("Its options: attribute name to option name.")
    }).annotate({ identifier: "PinnedVariant", description: "The only variant that an offer is for." }),
    "The variant that the offer is for; null where it is for any."
  ),
  variants: arrayOf(OfferVariantView, "Variants that can be chosen, where the shopper must choose one."),
  originalPrice: money("Price of one unit outside of the offer, today; the lowest where a variant is to be chosen."),
  discountedPrice: money("Price of one unit within the offer.", "14.99")
}).annotate({ identifier: "OfferedProduct", description: "A product that is part of an offer." })

/** What a shopper does with an offer: adds products to the one in the cart, or replaces that one. */
export const offerKinds = ["BUNDLE", "ORDER_BUMP", "UPGRADE"] as const

/** How coupons and bundle offers state a discount. */
export const discountTypes = ["PERCENTAGE", "FIXED_AMOUNT"] as const

export const BundleOfferView = Schema.Struct({
  id: string("Id of the offer: the `bundleOfferId` or `offerId` of a request."),
  name: string("Name of the offer."),
  description: nullableString("Text for the shopper."),
  kind: oneOf(
    offerKinds,
    "BUNDLE adds all its products, ORDER_BUMP adds one product, UPGRADE replaces the product that brings it up."
  ),
  triggerProductId: string("The product that brings the offer up, by being in the cart."),
  productIds: arrayOf(Schema.String, "The products of the offer."),
  offeredProducts: arrayOf(OfferedProductView, "The products of the offer, with their prices within it."),
  discountType: oneOf(discountTypes, "How the discount is calculated: a percentage, or an amount."),
  discountValue: string("The discount: a percentage or an amount, by its type.", "10"),
  totalOriginalPrice: money("Price of all products outside of the offer.", "39.98"),
  totalDiscountedPrice: money("Price of all products within the offer.", "35.98")
}).annotate({ identifier: "BundleOffer", description: "Products that are offered together for less." })

export const BundleOffers = Schema.Struct({ bundles: arrayOf(BundleOfferView, "The offers, best first.") }).annotate({
  identifier: "BundleOffers",
  description: "Bundle offers that fit a cart."
})
