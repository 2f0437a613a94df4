/** Attributes and their options for admin keys. */
import {
  Attribute,
  AttributeInput,
  AttributeOption,
  AttributeOptionInput,
  AttributeOptionPatch,
  AttributePatch
} from "@effect-commerce/core/taxonomy/Attribute"
import {
  AttributeInUse,
  AttributeNotFound,
  AttributeOptionNotFound,
  AttributeTaken
} from "@effect-commerce/core/taxonomy/TaxonomyErrors"
import { originSources } from "@effect-commerce/core/taxonomy/Origin"
import { listedText, optional, string, text } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { searchOf } from "../middleware/SearchQuery.ts"
import { taxonomyErrors } from "./taxonomyErrors.ts"

const fails = failsBy(taxonomyErrors)

const id = { id: string("Id of the attribute.") }
const option = { ...id, optionId: string("Id of the option.") }
const storeId = optional(Schema.String, "The store to work on; needed with a key that is valid for several stores.")
const force = {
  force: optional(
    Schema.Literals(["true", "false"]),
    "`true` deletes also what variants have: they keep it and are sold as before, but nothing new can use it."
  ),
  storeId
}
const inUse = "While variants have it, it is 409 CONFLICT with `details.variantCount`, unless `force` is true."

export class AttributesGroup extends apiGroup("attributes", {
  part: "Admin",
  title: "Attributes",
  description: "Properties by which products are chosen and filtered, such as a colour, with their options."
}).add(
  HttpApiEndpoint.get("list", "/v1/attributes", {
    query: {
      ...pageQuery,
      search: searchOf("name"),
      platform: optional(text(50), "Shows only attributes that came from this connected platform.", "shopify"),
      source: Schema.optionalKey(listedText(originSources, "Shows only attributes that came from this system.")),
      storeId
    },
    success: listEnvelope(Attribute)
  }).pipe(adminRoute({ summary: "List attributes", description: "Lists the attributes of the store by name." })),
  HttpApiEndpoint.post("create", "/v1/attributes", {
    payload: AttributeInput,
    success: Attribute.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, AttributeTaken)
  }).pipe(
    adminRoute({
      exampleRequest: { name: "Colour", displayType: "SWATCH", options: [{ name: "Red" }, { name: "Blue" }] },
      summary: "Create an attribute",
      description: "Creates an attribute with its options. A name that another attribute has is 409 CONFLICT.",
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.get("get", "/v1/attributes/:id", {
    params: id,
    success: Attribute,
    error: fails(AttributeNotFound)
  }).pipe(adminRoute({ summary: "Get an attribute", description: "Returns one attribute with its options." })),
  HttpApiEndpoint.patch("update", "/v1/attributes/:id", {
    params: id,
    query: force,
    payload: AttributePatch,
    success: Attribute,
    error: fails(FieldRejected, AttributeTaken, AttributeNotFound, AttributeInUse)
  }).pipe(
    adminRoute({
      summary: "Update an attribute",
      description:
        "Changes the fields in the body and leaves the others; null clears a field. Options are changed by their " +
        "`id`, added without one, and deleted with `_delete`. New names show on all products and variants at once. " +
        "An option that variants have is deleted only where `force` is true, else it is 409 CONFLICT.",
      version: row("attribute", "id")
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/attributes/:id", {
    params: id,
    query: force,
    success: Success,
    error: fails(AttributeNotFound, AttributeInUse)
  }).pipe(
    adminRoute({
      summary: "Delete an attribute",
      description: `Deletes an attribute with its options. ${inUse}`,
      version: row("attribute", "id")
    })
  ),
  HttpApiEndpoint.post("addOption", "/v1/attributes/:id/options", {
    params: id,
    payload: AttributeOptionInput,
    success: AttributeOption.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, AttributeTaken, AttributeNotFound)
  }).pipe(
    adminRoute({
      exampleRequest: { name: "Green", swatchColor: "#00aa44" },
      summary: "Add an option to an attribute",
      description: "Adds an option, after the others unless `position` says otherwise.",
      oneTransaction: true,
      version: row("attribute", "id")
    })
  ),
  HttpApiEndpoint.patch("updateOption", "/v1/attributes/:id/options/:optionId", {
    params: option,
    payload: AttributeOptionPatch,
    success: AttributeOption,
    error: fails(FieldRejected, AttributeTaken, AttributeNotFound, AttributeOptionNotFound)
  }).pipe(
    adminRoute({
      summary: "Update an option of an attribute",
      description: "Changes the fields in the body and leaves the others. A new name shows on all variants at once.",
      version: row("attributeOption", "id", "optionId")
    })
  ),
  HttpApiEndpoint.delete("removeOption", "/v1/attributes/:id/options/:optionId", {
    params: option,
    query: force,
    success: Success,
    error: fails(AttributeNotFound, AttributeOptionNotFound, AttributeInUse)
  }).pipe(
    adminRoute({
      summary: "Delete an option of an attribute",
      description: `Deletes one option. ${inUse}`,
      version: row("attributeOption", "id", "optionId")
    })
  )
) {}
