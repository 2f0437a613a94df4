/** Mappings of an installed app. */
import { InstallationNotFound, MappingNotFound, MappingTaken } from "@effect-commerce/core/app/AppErrors"
import {
  MappingInput,
  MappingPatch,
  mappedTypes,
  MappingView,
  syncStatuses
} from "@effect-commerce/core/app/AppMapping"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { optional, string, text } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { closedList } from "../middleware/CommaList.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { installationRoute } from "../middleware/Policy.ts"
import { Success } from "../middleware/Responses.ts"
import { row, unversioned, useCase } from "../middleware/Versioned.ts"
import { appErrors } from "./appErrors.ts"

const fails = failsBy(appErrors)

const installation = {
  installationId: string("The installation.", "inst_01k9f3m2q7x4b8n6c5d1e0h2jk")
}
const mapping = { ...installation, mappingId: string("The mapping.", "map_01k9f3m2q7x4b8n6c5d1e0h2jk") }
const version = row("appMapping", "installationId", "mappingId")
const example = {
  resourceType: "product",
  internalId: "prod_01k9f3m2q7x4b8n6c5d1e0h2jk",
  externalId: "7",
  platformCode: "SHOPIFY",
  externalUrl: "https://platform.example/products/7"
}

export class MappingsGroup extends apiGroup("mappings", {
  part: "Apps",
  title: "Mappings",
  description: "What the resources of the store are called on the platforms that an app connects."
}).add(
  HttpApiEndpoint.get("list", "/v1/installations/:installationId/mappings", {
    params: installation,
    query: {
      ...pageQuery,
      resourceType: Schema.optionalKey(closedList(mappedTypes, "Shows only mappings of these kinds.")),
      internalId: optional(text(200), "Shows only mappings of this resource of the store."),
      platformCode: optional(text(100), "Shows only mappings to this platform."),
      syncStatus: Schema.optionalKey(closedList(syncStatuses, "Shows only mappings that are this far."))
    },
    success: listEnvelope(MappingView),
    error: fails(InstallationNotFound)
  }).pipe(
    installationRoute("mappings:read", {
      summary: "List mappings",
      description: "Lists the mappings of the app, the newest first. An app token needs the scope mappings:read."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/installations/:installationId/mappings", {
    params: installation,
    payload: MappingInput,
    success: MappingView.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, InstallationNotFound, MappingTaken)
  }).pipe(
    installationRoute("mappings:write", {
      exampleRequest: example,
      summary: "Create a mapping",
      description:
        "Maps a resource of the store to one of a platform. A resource has one mapping of the app on a platform: " +
        "another is 409, and `details.mappingId` is the one that is there. An app token needs the scope " +
        "mappings:write.",
      oneTransaction: true,
      version: unversioned("a mapping is added, and the installation stays as it is")
    })
  ),
  HttpApiEndpoint.put("upsert", "/v1/installations/:installationId/mappings/upsert", {
    params: installation,
    payload: MappingInput,
    success: MappingView,
    error: fails(FieldRejected, InstallationNotFound, ResourceChanged)
  }).pipe(
    installationRoute("mappings:write", {
      exampleRequest: example,
      summary: "Create or update a mapping",
      description:
        "Creates the mapping, or updates the one of the same resource and platform: what the body leaves out stays. " +
        "The same request again changes nothing. An app token needs the scope mappings:write.",
      oneTransaction: true,
      version: useCase
    })
  ),
  HttpApiEndpoint.get("get", "/v1/installations/:installationId/mappings/:mappingId", {
    params: mapping,
    success: MappingView,
    error: fails(InstallationNotFound, MappingNotFound)
  }).pipe(
    installationRoute("mappings:read", {
      summary: "Get a mapping",
      description: "Returns one mapping of the app. An app token needs the scope mappings:read."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/installations/:installationId/mappings/:mappingId", {
    params: mapping,
    payload: MappingPatch,
    success: MappingView,
    error: fails(FieldRejected, InstallationNotFound, MappingNotFound)
  }).pipe(
    installationRoute("mappings:write", {
      exampleRequest: { syncStatus: "error", lastSyncError: "no such product" },
      summary: "Update a mapping",
      description:
        "Changes the fields in the body and leaves the others; null clears a field. The kind, the internal id and " +
        "the platform never change: in a body they are ignored. An app token needs the scope mappings:write.",
      oneTransaction: true,
      version
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/installations/:installationId/mappings/:mappingId", {
    params: mapping,
    success: Success,
    error: fails(InstallationNotFound, MappingNotFound)
  }).pipe(
    installationRoute("mappings:write", {
      summary: "Delete a mapping",
      description:
        "Unlinks the resource from the platform. Neither of the two is touched. An app token needs the scope " +
        "mappings:write.",
      oneTransaction: true,
      version
    })
  )
) {}
