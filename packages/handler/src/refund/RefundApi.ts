/** Refunds of orders for admin keys. */
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { string } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { OrderNotFound, OrderStateConflict } from "@effect-commerce/core/order/OrderErrors"
import { OrderView } from "@effect-commerce/core/order/OrderView"
import { PaymentMethodUnavailable } from "@effect-commerce/core/payment/PaymentErrors"
import { CaptureInput, VoidInput } from "@effect-commerce/core/refund/CaptureInput"
import {
  CaptureExceedsReserved,
  ChargeAlreadyCaptured,
  ChargeChangeFailed,
  ChargeChangeUnknown,
  NothingReserved
} from "@effect-commerce/core/refund/ChargeChangeErrors"
import { RefundView } from "@effect-commerce/core/order/OrderParts"
import { RefundFailed, refundErrors as refused, RefundOutcomeUnknown } from "@effect-commerce/core/refund/RefundErrors"
import { RefundInput } from "@effect-commerce/core/refund/RefundInput"
import { RefundPreview } from "@effect-commerce/core/refund/RefundPreview"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute, dashboardRoute } from "../middleware/Policy.ts"
import { useCase } from "../middleware/Versioned.ts"
import { orderErrors } from "../order/orderErrors.ts"
import { paymentErrors } from "../payment/paymentErrors.ts"
import { refundErrors } from "./refundErrors.ts"

const fails = failsBy(orderErrors, paymentErrors, refundErrors)
const params = { id: string("Id of the order.") }
const ofRefund = fails(OrderNotFound, FieldRejected, ...refused, RefundFailed, RefundOutcomeUnknown, ResourceChanged)
const Made = RefundView.pipe(HttpApiSchema.status(201))

const words = {
  version: useCase,
  summary: "Refund an order",
  description:
    "Gives back an `amount`, or the units and the shipping that are named: what they were paid with when the order " +
    "was placed, so that refunds in any parts come to exactly the total. Without `tenderAllocations` each payment " +
    "gives back in proportion to what it has captured. Manual payments, gift cards and points are given back at " +
    "once; a provider may take its time: then the refund is `pending`, as it is where the provider does not " +
    "respond, and its outcome is found out. Where the money of a refund comes back after it had succeeded, its " +
    "units stay refunded, and in stock: give the money back again by `amount`. More than is left is 422, and so is " +
    "a payment that can only be refunded at its provider (`details.manualRefundUrl`)."
}

export class RefundsGroup extends apiGroup("refunds", {
  part: "Admin",
  title: "Refunds",
  description: "What is given back of orders: previewed, made and listed."
}).add(
  HttpApiEndpoint.get("list", "/v1/orders/:id/refunds", {
    params,
    success: Schema.Array(RefundView),
    error: fails(OrderNotFound)
  }).pipe(
    adminRoute({
      summary: "List the refunds of an order",
      description:
        "Returns every refund of the order, the oldest first, with those that failed and those that were taken in a " +
        "payment provider's own dashboard."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/orders/:id/refunds", {
    params,
    payload: RefundInput,
    success: Made,
    error: ofRefund
  }).pipe(adminRoute(words)),
  HttpApiEndpoint.post("preview", "/v1/orders/:id/refunds/preview", {
    params,
    payload: RefundInput,
    success: RefundPreview,
    error: fails(OrderNotFound, FieldRejected, ...refused)
  }).pipe(
    adminRoute({
      summary: "Preview a refund",
      description:
        "Returns what the same body would give back as a refund: its amount, how much of it is shipping and tax, and " +
        "which payments it would come from. What cannot be refunded is the same error as for the refund. Writes " +
        "nothing.",
      readsOnly: true
    })
  )
) {}

const ofChange = [
  OrderNotFound,
  OrderStateConflict,
  FieldRejected,
  NothingReserved,
  ChargeAlreadyCaptured,
  ChargeChangeFailed,
  ChargeChangeUnknown,
  PaymentMethodUnavailable,
  ResourceChanged
] as const

/** Captures and voids of what is reserved for orders. */
export class OrderChargesGroup extends apiGroup("orderCharges", {
  part: "Admin",
  title: "Captures and voids",
  description: "Captures and voids of money that a payment provider has reserved for an order (`authorizations`)."
}).add(
  HttpApiEndpoint.post("capture", "/v1/orders/:id/capture", {
    params,
    payload: CaptureInput,
    success: OrderView,
    error: fails(...ofChange, CaptureExceedsReserved)
  }).pipe(
    adminRoute({
      summary: "Capture a payment",
      description:
        "Takes all or a part of what the payment provider has reserved for the order, before `expiresAt`. Some " +
        "providers take a part once and release the rest. Once the order is covered it is paid. A capture that is " +
        "under way is PAYMENT_ALREADY_CAPTURED; a reservation that was voided or has lapsed is ORDER_INVALID_STATE.",
      optionalBody: true,
      version: useCase
    })
  ),
  HttpApiEndpoint.post("void", "/v1/orders/:id/void", {
    params,
    payload: VoidInput,
    success: OrderView,
    error: fails(...ofChange)
  }).pipe(
    adminRoute({
      summary: "Void a payment",
      description:
        "Releases what the payment provider has reserved for the order, of which nothing is captured: the shopper " +
        "has the money again, and the order is unpaid. What is captured is refunded instead.",
      optionalBody: true,
      version: useCase
    })
  )
) {}

/** The dashboard's path of refunds. */
export class DashboardRefundsGroup extends apiGroup("dashboardRefunds", {
  part: "Dashboard",
  title: "Refunds of the dashboard",
  description: "Refunds of orders, for the dashboard."
}).add(
  HttpApiEndpoint.post("create", "/orders/:id/refunds", {
    params,
    payload: RefundInput,
    success: Made,
    error: ofRefund
  }).pipe(dashboardRoute("orders", words))
) {}

export const refundGroups = [RefundsGroup, OrderChargesGroup, DashboardRefundsGroup] as const
