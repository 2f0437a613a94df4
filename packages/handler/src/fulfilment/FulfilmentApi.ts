/** Parcels of orders, for admin keys. */
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { FulfilInput } from "@effect-commerce/core/fulfilment/Fulfilment"
import { FulfilmentExceedsOpen } from "@effect-commerce/core/fulfilment/FulfilmentErrors"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { string } from "@effect-commerce/core/kernel/Fields"
import { OrderNotFound, OrderStateConflict } from "@effect-commerce/core/order/OrderErrors"
import { OrderView } from "@effect-commerce/core/order/OrderView"
import { HttpApiEndpoint } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { useCase } from "../middleware/Versioned.ts"
import { orderErrors } from "../order/orderErrors.ts"
import { fulfilmentErrors } from "./fulfilmentErrors.ts"

const fails = failsBy(fulfilmentErrors, orderErrors)

export class FulfilmentGroup extends apiGroup("fulfilment", {
  part: "Admin",
  title: "Fulfilment of orders",
  description: "Sending what was ordered, in one parcel or in several."
}).add(
  HttpApiEndpoint.post("fulfill", "/v1/orders/:id/fulfill", {
    params: { id: string("Id of the order.") },
    payload: FulfilInput,
    success: OrderView,
    error: fails(OrderNotFound, FieldRejected, OrderStateConflict, FulfilmentExceedsOpen, ResourceChanged)
  }).pipe(
    adminRoute({
      summary: "Fulfil an order",
      description:
        "Records a parcel: by default of everything that is neither sent nor refunded yet. Once nothing is left the " +
        "order is SHIPPED, or DELIVERED with `delivered`; until then its status stays. More than is left is 422, " +
        "and an order that is not paid, cancelled or refunded is 409. With `notifyCustomer` the buyer gets a mail " +
        "that the parcel is on its way, or that the order is complete; a part that was handed over sends no mail.",
      exampleRequest: { trackingNumber: "1Z999AA10123456784", carrier: "UPS" },
      oneTransaction: true,
      version: useCase
    })
  )
) {}

export const fulfilmentGroups = [FulfilmentGroup] as const
