/** Brands for admin keys. */
import { BrandInput, BrandPatch, BrandView } from "@effect-commerce/core/taxonomy/Brand"
import { BrandNotFound, BrandTaken } from "@effect-commerce/core/taxonomy/TaxonomyErrors"
import { originSources } from "@effect-commerce/core/taxonomy/Origin"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { listedText, optional, string } from "@effect-commerce/core/kernel/Fields"
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

const id = { id: string("Id of the brand.") }
const storeId = optional(Schema.String, "The store to work on; needed with a key that is valid for several stores.")

export class BrandsGroup extends apiGroup("brands", {
  part: "Admin",
  title: "Brands",
  description: "Manufacturers and labels that shoppers can filter products by."
}).add(
  HttpApiEndpoint.get("list", "/v1/brands", {
    query: {
      ...pageQuery,
      search: searchOf("name"),
      platform: Schema.optionalKey(listedText(originSources, "Shows only brands that came from this system.")),
      storeId
    },
    success: listEnvelope(BrandView)
  }).pipe(
    adminRoute({
      summary: "List brands",
      description: "Lists the brands of the store by name, inactive ones included, each with its number of products."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/brands", {
    payload: BrandInput,
    success: BrandView.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, BrandTaken)
  }).pipe(
    adminRoute({
      summary: "Create a brand",
      description:
        "Creates a brand. Its name is unique in the store. A slug of the request that is taken is 409; one that is " +
        "made from the name gets a number.",
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.get("get", "/v1/brands/:id", {
    params: id,
    success: BrandView,
    error: fails(BrandNotFound)
  }).pipe(adminRoute({ summary: "Get a brand", description: "Returns one brand, active or not." })),
  HttpApiEndpoint.patch("update", "/v1/brands/:id", {
    params: id,
    payload: BrandPatch,
    success: BrandView,
    error: fails(FieldRejected, BrandTaken, BrandNotFound)
  }).pipe(
    adminRoute({
      summary: "Update a brand",
      description:
        "Changes the fields in the body and leaves the others; null clears a field. A new name shows on all products " +
        "of the brand at once. An inactive brand stays on its products and is hidden from filters.",
      version: row("brand", "id")
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/brands/:id", {
    params: id,
    success: Success,
    error: fails(BrandNotFound)
  }).pipe(
    adminRoute({
      summary: "Delete a brand",
      description:
        "Deletes the brand and removes it from its products, which stay. Its name and slug can be used again. A " +
        "second delete is 404.",
      version: row("brand", "id")
    })
  )
) {}
