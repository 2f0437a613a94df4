/** Categories for admin keys. */
import { CategoryInput, CategoryPatch, CategoryView } from "@effect-commerce/core/taxonomy/Category"
import { originSources } from "@effect-commerce/core/taxonomy/Origin"
import { CategoryHasChildren, CategoryNotFound, CategoryTaken } from "@effect-commerce/core/taxonomy/TaxonomyErrors"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { listedText, optional, string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { searchOf } from "../middleware/SearchQuery.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { AttributesGroup } from "./AttributeApi.ts"
import { BrandsGroup } from "./BrandApi.ts"
import { taxonomyErrors } from "./taxonomyErrors.ts"

const fails = failsBy(taxonomyErrors)

const category = { id: string("Id of the category.") }
const storeId = optional(Schema.String, "The store to work on; needed with a key that is valid for several stores.")

export class CategoriesGroup extends apiGroup("categories", {
  part: "Admin",
  title: "Categories",
  description: "The tree of categories that products are filed under: at most ten levels."
}).add(
  HttpApiEndpoint.get("list", "/v1/categories", {
    query: {
      ...pageQuery,
      search: searchOf("name"),
      platform: Schema.optionalKey(listedText(originSources, "Shows only categories that came from this system.")),
      storeId
    },
    success: listEnvelope(CategoryView)
  }).pipe(
    adminRoute({
      summary: "List categories",
      description: "Lists the categories of the store, inactive ones included, each with its number of products."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/categories", {
    payload: CategoryInput,
    success: CategoryView.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, CategoryTaken)
  }).pipe(
    adminRoute({
      summary: "Create a category",
      description: "Creates a category, at the root or below another one. A tree has at most ten levels.",
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.get("get", "/v1/categories/:id", {
    params: category,
    success: CategoryView,
    error: fails(CategoryNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a category",
      description: "Returns one category, active or not, with the number of its products and the first of them."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/categories/:id", {
    params: category,
    payload: CategoryPatch,
    success: CategoryView,
    error: fails(FieldRejected, CategoryTaken, CategoryNotFound)
  }).pipe(
    adminRoute({
      summary: "Update a category",
      description:
        "Changes the fields in the body and leaves the others; null clears a field. A new `parentId` moves the " +
        "category with all below it; a move that would make a circle or an eleventh level is an error.",
      version: row("category", "id")
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/categories/:id", {
    params: category,
    query: {
      children: optional(
        Schema.Literals(["reparent", "cascade", "restrict"]),
        "What happens to the categories below it: `reparent` (the default) moves them up, `cascade` deletes them " +
          "too, `restrict` returns an error while there are any."
      ),
      storeId
    },
    success: Success,
    error: fails(CategoryNotFound, CategoryHasChildren)
  }).pipe(
    adminRoute({
      summary: "Delete a category",
      description:
        "Deletes a category. `children` says what happens to those below it: they move up to its parent, are deleted " +
        "too, or stop the deletion. Its products are kept.",
      version: row("category", "id")
    })
  )
) {}

export const taxonomyGroups = [CategoriesGroup, AttributesGroup, BrandsGroup] as const
