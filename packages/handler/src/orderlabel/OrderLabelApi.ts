/** Labels of the merchant's own for what an order's status says, for admin keys. */
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { OrderLabelInput, OrderLabelPatch, OrderLabelView } from "@effect-commerce/core/orderlabel/OrderLabel"
import { OrderLabelNameTaken, OrderLabelNotFound } from "@effect-commerce/core/orderlabel/OrderLabelErrors"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { Success } from "../middleware/Responses.ts"
import { row } from "../middleware/Versioned.ts"
import { orderLabelErrors } from "./orderLabelErrors.ts"

const fails = failsBy(orderLabelErrors)

const id = { id: string("Id of the label.", "olabel_01k9f3m2q7x4b8n6c5d1e0h2jk") }

export class OrderLabelsGroup extends apiGroup("orderLabels", {
  part: "Admin",
  title: "Order status labels",
  description: "Names and colours of the merchant's own for what an order's status says."
}).add(
  HttpApiEndpoint.get("list", "/v1/order-status-labels", {
    query: pageQuery,
    success: listEnvelope(OrderLabelView)
  }).pipe(
    adminRoute({
      summary: "List order status labels",
      description: "Returns the labels of the store, in pages, as they were created."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/order-status-labels", {
    payload: OrderLabelInput,
    success: OrderLabelView.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected, OrderLabelNameTaken)
  }).pipe(
    adminRoute({
      oneTransaction: true,
      summary: "Create an order status label",
      description:
        "Creates a label. An order gets it by PATCH /v1/orders/{id} with its id as `statusLabelId`, and shows it " +
        "while it has the status that the label stands for. A name that is taken is 409 CONFLICT.",
      exampleRequest: { name: "Waiting for parts", color: "#cc8800", canonicalStatus: "PROCESSING" }
    })
  ),
  HttpApiEndpoint.get("get", "/v1/order-status-labels/:id", {
    params: id,
    success: OrderLabelView,
    error: fails(OrderLabelNotFound)
  }).pipe(
    adminRoute({
      summary: "Get an order status label",
      description: "Returns one label with the status it stands for."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/order-status-labels/:id", {
    params: id,
    payload: OrderLabelPatch,
    success: OrderLabelView,
    error: fails(FieldRejected, OrderLabelNotFound, OrderLabelNameTaken)
  }).pipe(
    adminRoute({
      version: row("orderLabel", "id"),
      summary: "Change an order status label",
      description:
        "Changes a label on every order that has it. Where its status changes, orders of the old one show it no more."
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/order-status-labels/:id", {
    params: id,
    success: Success,
    error: fails(OrderLabelNotFound)
  }).pipe(
    adminRoute({
      version: row("orderLabel", "id"),
      summary: "Delete an order status label",
      description: "Deletes a label. Orders that had it show the label of the system. A second delete is 404."
    })
  )
) {}

export const orderLabelGroups = [OrderLabelsGroup] as const
