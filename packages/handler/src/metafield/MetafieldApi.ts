/** Metafield definitions, for merchants and for storefronts. */
import {
  MetafieldDefinitionInput,
  MetafieldDefinitionPatch,
  MetafieldDefinitionView,
  StorefrontDefinition
} from "@effect-commerce/core/metafield/MetafieldDefinition"
import {
  MetafieldDefinitionNotFound,
  MetafieldInUse,
  MetafieldKeyTaken,
  MetafieldsRejected
} from "@effect-commerce/core/metafield/MetafieldErrors"
import { MetafieldFacet } from "@effect-commerce/core/storefront/Facets"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { arrayOf, optional, string } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { askedEachTime, keptBriefly } from "../middleware/CacheFacts.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { channelPath } from "../middleware/PathParameters.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"
import { useCase } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { metafieldErrors } from "./metafieldErrors.ts"
import { MetafieldConflictsGroup, MetafieldValuesGroup } from "./MetafieldValueApi.ts"
import { taxonomyErrors } from "../taxonomy/taxonomyErrors.ts"

const fails = failsBy(metafieldErrors, taxonomyErrors)

const id = { id: string("Id of the metafield definition.") }
const Definitions = Schema.Array(MetafieldDefinitionView).annotate({
  identifier: "MetafieldDefinitionList",
  description: "All metafield definitions, by position."
})

export class MetafieldDefinitionsGroup extends apiGroup("metafieldDefinitions", {
  part: "Admin",
  title: "Metafield definitions",
  description: "The merchant's own fields: values of products, and what shoppers fill in."
}).add(
  HttpApiEndpoint.get("list", "/v1/metafield-definitions", { success: Definitions }).pipe(
    adminRoute({
      summary: "List metafield definitions",
      description:
        "Returns all definitions of the store by position, inactive ones included, as an array without pages."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/metafield-definitions", {
    payload: MetafieldDefinitionInput,
    success: MetafieldDefinitionView.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, MetafieldsRejected, MetafieldKeyTaken)
  }).pipe(
    adminRoute({
      exampleRequest: {
        name: "Material",
        key: "material",
        type: "SELECT",
        filterable: true,
        enumValues: [{ value: "oak", label: "Oak" }]
      },
      summary: "Create a metafield definition",
      description:
        "Creates a field. Bounds, choices and the default value must fit its type. New products get the default " +
        "value; existing ones stay as they are.",
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.get("get", "/v1/metafield-definitions/:id", {
    params: id,
    success: MetafieldDefinitionView,
    error: fails(MetafieldDefinitionNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a metafield definition",
      description: "Returns one definition with all products that it is attached to by name."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/metafield-definitions/:id", {
    params: id,
    payload: MetafieldDefinitionPatch,
    success: MetafieldDefinitionView,
    error: fails(
      FieldRejected,
      MetafieldsRejected,
      MetafieldKeyTaken,
      MetafieldDefinitionNotFound,
      MetafieldInUse,
      ResourceChanged
    )
  }).pipe(
    adminRoute({
      summary: "Change a metafield definition",
      description:
        "Changes the fields in the body and leaves the others; null clears a field. While products have a value, " +
        "`type` and `isCustomerInput` cannot change, and neither a choice in use nor the field of such a product can " +
        "be removed. New bounds apply to values that are written from then on.",
      version: useCase
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/metafield-definitions/:id", {
    params: id,
    query: {
      force: optional(Schema.Literals(["true", "false"]), "True deletes the values that products have, too.")
    },
    success: Success,
    error: fails(MetafieldDefinitionNotFound, MetafieldInUse, ResourceChanged)
  }).pipe(
    adminRoute({
      summary: "Delete a metafield definition",
      description:
        "Deletes a definition. While products have a value it is 409, unless `force` is true: then the values and " +
        "their conflicts are deleted too. Carts and orders keep what shoppers filled in.",
      version: useCase
    })
  )
) {}

const locale = {
  locale: optional(
    Schema.String,
    "Language of names and labels. Without it Accept-Language decides, then the store's own language.",
    "de"
  )
}

export class StorefrontMetafieldsGroup extends apiGroup("storefrontMetafields", {
  part: "Storefront",
  title: "Metafields",
  description: "The merchant's own fields, as a storefront shows them."
}).add(
  HttpApiEndpoint.get("definitions", "/vc/:salesChannelId/metafield-definitions", {
    params: channelPath,
    query: locale,
    success: Schema.Struct({
      definitions: arrayOf(StorefrontDefinition, "The active definitions, by position.")
    }).annotate({ identifier: "StorefrontMetafieldDefinitions", description: "The merchant's own fields." })
  }).pipe(
    channelRoute("storefrontRead", {
      cached: keptBriefly,
      summary: "List metafield definitions",
      description:
        "Returns the active definitions: names and choices for the values in `metafields` of products. What a " +
        "shopper can fill in is also in `customizationFields` of each product."
    })
  ),
  HttpApiEndpoint.get("filters", "/vc/:salesChannelId/metafield-filters", {
    params: channelPath,
    query: locale,
    success: Schema.Struct({
      filters: arrayOf(MetafieldFacet, "Filterable fields that products have values of, by position.")
    }).annotate({ identifier: "MetafieldFilters", description: "What products can be filtered by with `mf.<key>`." })
  }).pipe(
    channelRoute("storefrontRead", {
      cached: askedEachTime,
      summary: "List metafield filters",
      description:
        "Returns the filterable fields, each value with the number of active products that have it. Use them as " +
        "`mf.<key>=<value>` of the product list; its `facets=true` counts under the other filters too."
    })
  )
) {}

export const metafieldGroups = [
  MetafieldDefinitionsGroup,
  MetafieldValuesGroup,
  MetafieldConflictsGroup,
  StorefrontMetafieldsGroup
] as const
