/** Bundle offers, order bumps and upgrades of a store. */
import { AdminBundleOffer, BundleOfferInput, BundleOfferPatch } from "@effect-commerce/core/offer/BundleOffer"
import { BundleOfferNotFound } from "@effect-commerce/core/offer/OfferErrors"
import { described, Reference, string } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { offerKinds } from "@effect-commerce/core/pricing/BundleOffer"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { searchOf } from "../middleware/SearchQuery.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { offerErrors } from "./offerErrors.ts"

const fails = failsBy(offerErrors)

const id = { id: string("The offer.", "offer_01k9f3m2q7x4b8n6c5d1e0h2jk") }

export class BundleOffersGroup extends apiGroup("bundleOffers", {
  part: "Admin",
  title: "Bundle offers",
  description: "Products that cost less for shoppers who have another product in the cart."
}).add(
  HttpApiEndpoint.get("list", "/v1/bundle-offers", {
    query: {
      ...pageQuery,
      search: searchOf("name"),
      kind: Schema.optionalKey(described(Schema.Literals(offerKinds), "Only offers of this kind.", "BUNDLE")),
      triggerProductId: Schema.optionalKey(described(Reference, "Only offers that this product brings up."))
    },
    success: listEnvelope(AdminBundleOffer)
  }).pipe(
    adminRoute({
      summary: "List bundle offers",
      description:
        "Lists bundle offers, order bumps and upgrades, the newest first, inactive ones included. In a list a " +
        "product shows at most 20 of its variants."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/bundle-offers", {
    payload: BundleOfferInput,
    success: AdminBundleOffer.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected)
  }).pipe(
    adminRoute({
      oneTransaction: true,
      summary: "Create a bundle offer",
      description:
        "Creates an offer that a product brings up while it is in a cart: a bundle of up to 10 products, an order " +
        "bump or an upgrade of one. A percentage is taken off each unit; an amount is split over the products in " +
        "proportion to their prices. Active offers must not lead from a product back to itself."
    })
  ),
  HttpApiEndpoint.get("get", "/v1/bundle-offers/:id", {
    params: id,
    success: AdminBundleOffer,
    error: fails(BundleOfferNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a bundle offer",
      description: "Returns one offer with its products and what they cost today, without and with the discount."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/bundle-offers/:id", {
    params: id,
    payload: BundleOfferPatch,
    success: AdminBundleOffer,
    error: fails(BundleOfferNotFound, FieldRejected)
  }).pipe(
    adminRoute({
      version: row("bundleOffer", "id"),
      summary: "Change a bundle offer",
      description:
        "Changes an offer at once. Carts that took it keep the price they show until they are refreshed, with " +
        "`hasPriceChanges` true, and cannot be completed before."
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/bundle-offers/:id", {
    params: id,
    success: Success,
    error: fails(BundleOfferNotFound)
  }).pipe(
    adminRoute({
      version: row("bundleOffer", "id"),
      summary: "Delete a bundle offer",
      description: "Deletes an offer. Lines of carts that took it cost their own prices from now on."
    })
  )
) {}

export const offerGroups = [BundleOffersGroup] as const
