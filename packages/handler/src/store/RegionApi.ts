/** Regions: the markets of a store. */
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { arrayOf, string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import {
  CompatibleProvider,
  RegionInput,
  RegionPatch,
  RegionView,
  StorefrontRegion
} from "@effect-commerce/core/store/Region"
import {
  RegionCountriesTaken,
  RegionIsDefault,
  RegionNamed,
  RegionNotFound
} from "@effect-commerce/core/store/StoreErrors"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { SalesChannelsGroup, StoreGroup } from "./StoreApi.ts"
import { storeErrors } from "./storeErrors.ts"

const fails = failsBy(storeErrors)

const id = { id: string("Id of the region.") }

export class RegionsGroup extends apiGroup("regions", {
  part: "Admin",
  title: "Regions",
  description: "The markets of a store: groups of countries. A region does not change the currency."
}).add(
  HttpApiEndpoint.get("list", "/v1/regions", { query: pageQuery, success: listEnvelope(RegionView) }).pipe(
    adminRoute({
      summary: "List regions",
      description: "Lists the regions of the store, the default one first, then by name."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/regions", {
    payload: RegionInput,
    success: RegionView.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, RegionCountriesTaken)
  }).pipe(
    adminRoute({
      exampleRequest: { name: "Europe", currency: "EUR", countries: ["DE", "AT"], isDefault: true },
      summary: "Create a region",
      description:
        "Creates a region. A country belongs to at most one active region: one that is taken is 409 CONFLICT, and " +
        "`details.countries` says which. A new default region takes the place of the one before.",
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.get("get", "/v1/regions/:id", {
    params: id,
    success: RegionView,
    error: fails(RegionNotFound)
  }).pipe(adminRoute({ summary: "Get a region", description: "Returns one region, active or not." })),
  HttpApiEndpoint.patch("update", "/v1/regions/:id", {
    params: id,
    payload: RegionPatch,
    success: RegionView,
    error: fails(FieldRejected, RegionNotFound, RegionCountriesTaken)
  }).pipe(
    adminRoute({
      summary: "Update a region",
      description:
        "Changes the fields in the body and leaves the others. `countries` replaces the list. An inactive region " +
        "leaves its countries to others; the default region must be active.",
      version: row("region", "id")
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/regions/:id", {
    params: id,
    success: Success,
    error: fails(RegionNotFound, RegionIsDefault, RegionNamed)
  }).pipe(
    adminRoute({
      summary: "Delete a region",
      description:
        "Deletes a region. The default region cannot be deleted, nor one that shipping zones are for. A second " +
        "delete is 404.",
      version: row("region", "id")
    })
  ),
  HttpApiEndpoint.get("compatibleProviders", "/v1/regions/:id/compatible-providers", {
    params: id,
    success: arrayOf(CompatibleProvider, "What serves the region."),
    error: fails(RegionNotFound)
  }).pipe(
    adminRoute({
      summary: "List what serves a region",
      description:
        "Returns the payment providers and installed apps that serve the currency of the region: those that it " +
        "lists, or all enabled ones. `app` is the app of an installation, and null for a payment provider of the " +
        "store's own."
    })
  )
) {}

export class StorefrontRegionsGroup extends apiGroup("storefrontRegions", {
  part: "Storefront",
  title: "Markets",
  description: "The regions that a shopper can choose."
}).add(
  HttpApiEndpoint.get("list", "/vc/:salesChannelId/regions", {
    params: { salesChannelId: string("Id of the sales channel.", "vc_01k9f3m2q7x4b8n6c5d1e0h2jk") },
    query: pageQuery,
    success: listEnvelope(StorefrontRegion)
  }).pipe(
    channelRoute("storefrontRead", {
      summary: "List regions",
      description:
        "Lists the active regions, the default one first. Use an id as `regionId` of a cart or checkout. A region " +
        "does not change the currency."
    })
  )
) {}

export const storeGroups = [StoreGroup, SalesChannelsGroup, RegionsGroup, StorefrontRegionsGroup] as const
