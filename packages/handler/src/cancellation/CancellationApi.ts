/** Orders that are cancelled, for admin keys. */
import { CancelInput } from "@effect-commerce/core/cancellation/Cancellation"
import {
  OrderMoneyKept,
  OrderPartlySent,
  RefundNotPossible
} from "@effect-commerce/core/cancellation/CancellationErrors"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
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
import { cancellationErrors } from "./cancellationErrors.ts"

const fails = failsBy(cancellationErrors, orderErrors)

export class CancellationGroup extends apiGroup("cancellation", {
  part: "Admin",
  title: "Cancelling orders",
  description: "Orders that will not be delivered."
}).add(
  HttpApiEndpoint.post("cancel", "/v1/orders/:id/cancel", {
    params: { id: string("Id of the order.") },
    payload: CancelInput,
    success: OrderView,
    error: fails(
      OrderNotFound,
      OrderStateConflict,
      OrderPartlySent,
      OrderMoneyKept,
      RefundNotPossible,
      FieldRejected,
      ResourceChanged
    )
  }).pipe(
    adminRoute({
      summary: "Cancel an order",
      description:
        "Cancels an order of which nothing was sent. Its goods go back into stock unless `restock` is false, what a " +
        "payment provider has only reserved is released, and uses of coupons and promotions are given back where " +
        "nothing was paid. With `refund` everything that was paid is refunded; a refund that fails leaves the order " +
        "cancelled with a warning, and can be made again. An order of which a unit was sent is 409, and so is one " +
        "with money that is not refunded without `refund`.",
      exampleRequest: { reason: "customer" },
      version: useCase
    })
  )
) {}

export const cancellationGroups = [CancellationGroup] as const
