/** Modifier groups for admin keys. */
import { ModifierGroupInUse, ModifierGroupNotFound } from "@effect-commerce/core/modifier/ModifierErrors"
import { ModifierGroup, ModifierGroupInput, ModifierGroupPatch } from "@effect-commerce/core/modifier/ModifierGroup"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { searchOf } from "../middleware/SearchQuery.ts"
import { modifierErrors } from "./modifierErrors.ts"

const fails = failsBy(modifierErrors)

const id = { id: string("Id of the modifier group.") }

export class ModifierGroupsGroup extends apiGroup("modifierGroups", {
  part: "Admin",
  title: "Modifier groups",
  description: "What shoppers can add to products: toppings, engravings, a gift wrap."
}).add(
  HttpApiEndpoint.get("list", "/v1/modifier-groups", {
    query: { ...pageQuery, search: searchOf("name or internal name") },
    success: listEnvelope(ModifierGroup)
  }).pipe(
    adminRoute({
      summary: "List modifier groups",
      description: "Lists the groups of the store with their modifiers, drafts included, by name."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/modifier-groups", {
    payload: ModifierGroupInput,
    success: ModifierGroup.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected)
  }).pipe(
    adminRoute({
      exampleRequest: {
        name: "Toppings",
        selectionType: "MULTIPLE",
        maxSelections: 3,
        freeQuantity: 1,
        freeAllocationPolicy: "CHEAPEST_FREE",
        modifiers: [
          { name: "Olives", priceDelta: "1.00" },
          { name: "Truffle", priceDelta: "4.50" }
        ]
      },
      summary: "Create a modifier group",
      description:
        "Creates a group with its modifiers. Attach it to products by their `modifierGroups`. Two units of one " +
        "modifier are two selections; `freeQuantity` of them cost nothing.",
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.get("get", "/v1/modifier-groups/:id", {
    params: id,
    success: ModifierGroup,
    error: fails(ModifierGroupNotFound)
  }).pipe(adminRoute({ summary: "Get a modifier group", description: "Returns one group with its modifiers." })),
  HttpApiEndpoint.patch("update", "/v1/modifier-groups/:id", {
    params: id,
    payload: ModifierGroupPatch,
    success: ModifierGroup,
    error: fails(ModifierGroupNotFound, FieldRejected)
  }).pipe(
    adminRoute({
      version: row("modifierGroup", "id"),
      summary: "Change a modifier group",
      description:
        "Changes a group for all products that have it. Modifiers are changed by `id`, deleted with `_delete`, and " +
        "created without an `id`; the others stay. Carts keep the prices that they have shown until they are " +
        "refreshed, and completing a checkout with another price is PRICE_DRIFT."
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/modifier-groups/:id", {
    params: id,
    success: Success,
    error: fails(ModifierGroupNotFound, ModifierGroupInUse)
  }).pipe(
    adminRoute({
      version: row("modifierGroup", "id"),
      summary: "Delete a modifier group",
      description:
        "Deletes a group that no product has. One that products have is 409 CONFLICT: remove it from them first, or " +
        "set its status to `draft`, which hides it on all of them at once."
    })
  )
) {}

export const modifierGroups = [ModifierGroupsGroup] as const
