/** Checkout fields for admin keys. Shoppers find them in `customFields` of their checkout. */
import {
  CheckoutFieldInput,
  CheckoutFieldPatch,
  CheckoutFieldView
} from "@effect-commerce/core/checkoutfield/CheckoutField"
import { CheckoutFieldKeyTaken, CheckoutFieldNotFound } from "@effect-commerce/core/checkoutfield/CheckoutFieldErrors"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { Success } from "../middleware/Responses.ts"
import { row } from "../middleware/Versioned.ts"
import { checkoutFieldErrors } from "./checkoutFieldErrors.ts"

const fails = failsBy(checkoutFieldErrors)

const id = { id: string("Id of the checkout field.", "chkfield_01k9f3m2q7x4b8n6c5d1e0h2jk") }

export class CheckoutFieldsGroup extends apiGroup("checkoutFields", {
  part: "Admin",
  title: "Checkout fields",
  description: "Fields that the store adds to its checkouts, and the surcharges that come with them."
}).add(
  HttpApiEndpoint.get("list", "/v1/checkout-fields", {
    query: pageQuery,
    success: listEnvelope(CheckoutFieldView)
  }).pipe(
    adminRoute({
      summary: "List checkout fields",
      description: "Returns the fields, in pages, as shoppers see them: by position, then as they were created."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/checkout-fields", {
    payload: CheckoutFieldInput,
    success: CheckoutFieldView.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, CheckoutFieldKeyTaken)
  }).pipe(
    adminRoute({
      oneTransaction: true,
      summary: "Create a checkout field",
      description:
        "Adds a field to the store's checkouts, open ones included. A surcharge is added to the total once the field " +
        "is ticked or filled in, or once its option is chosen. A key that is taken is 409 CONFLICT.",
      exampleRequest: {
        key: "gift_wrap",
        name: "Gift wrap",
        type: "select",
        options: [
          { value: "plain", label: "Plain paper" },
          { value: "silk", label: "Silk", surcharge: { type: "FIXED", amount: "2.50" } }
        ]
      }
    })
  ),
  HttpApiEndpoint.get("get", "/v1/checkout-fields/:id", {
    params: id,
    success: CheckoutFieldView,
    error: fails(CheckoutFieldNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a checkout field",
      description: "Returns one field: how it is filled in, its options, and what it adds to the total."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/checkout-fields/:id", {
    params: id,
    payload: CheckoutFieldPatch,
    success: CheckoutFieldView,
    error: fails(FieldRejected, CheckoutFieldNotFound, CheckoutFieldKeyTaken)
  }).pipe(
    adminRoute({
      version: row("checkoutField", "id"),
      summary: "Change a checkout field",
      description:
        "Changes a field from the next request on, for open checkouts too; `options` is replaced as a whole. A value " +
        "that the field no longer takes counts as not filled in. Orders keep what they were placed with."
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/checkout-fields/:id", {
    params: id,
    success: Success,
    error: fails(CheckoutFieldNotFound)
  }).pipe(
    adminRoute({
      version: row("checkoutField", "id"),
      summary: "Delete a checkout field",
      description:
        "Deletes a field. Open checkouts lose its value and its surcharge; orders keep both. A second delete is 404."
    })
  )
) {}

export const checkoutFieldGroups = [CheckoutFieldsGroup] as const
