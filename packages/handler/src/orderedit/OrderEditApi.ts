/** What merchants change of orders by hand, and the history of an order, for admin keys. */
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
import { NoteInput, OrderNoteView, OrderPatch, StatusInput } from "@effect-commerce/core/orderedit/OrderEdit"
import { HistoryEntry } from "@effect-commerce/core/orderedit/OrderHistory"
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { useCase } from "../middleware/Versioned.ts"
import { cancellationErrors } from "../cancellation/cancellationErrors.ts"
import { orderErrors } from "../order/orderErrors.ts"

const fails = failsBy(cancellationErrors, orderErrors)

const id = { id: string("Id of the order.") }

export class OrderEditGroup extends apiGroup("orderEdit", {
  part: "Admin",
  title: "Changes of orders",
  description:
    "What a merchant changes of an order by hand, notes about it, and the history of what has happened to it."
}).add(
  HttpApiEndpoint.patch("update", "/v1/orders/:id", {
    params: id,
    payload: OrderPatch,
    success: OrderView,
    error: fails(OrderNotFound, FieldRejected, OrderStateConflict, ResourceChanged)
  }).pipe(
    adminRoute({
      summary: "Change an order",
      description:
        "Changes what is to be known about an order. `adminFieldValues` are replaced as a whole, at most 64 KiB as " +
        "JSON. The shipping address can be changed until everything is shipped, after that it is 409; prices and " +
        "taxes stay as they were agreed to.",
      exampleRequest: { notes: "Ring twice.", isRead: true },
      oneTransaction: true,
      version: useCase
    })
  ),
  HttpApiEndpoint.patch("changeStatus", "/v1/orders/:id/status", {
    params: id,
    payload: StatusInput,
    success: OrderView,
    error: fails(
      OrderNotFound,
      FieldRejected,
      OrderStateConflict,
      OrderPartlySent,
      OrderMoneyKept,
      RefundNotPossible,
      ResourceChanged
    )
  }).pipe(
    adminRoute({
      summary: "Change the status of an order",
      description:
        "Moves an order to a status that it may have next; every other is 409 ORDER_INVALID_STATE, and so is the one " +
        "that it has, except PARTIALLY_REFUNDED. It moves no money. SHIPPED and DELIVERED send everything that is " +
        "left, as fulfil does; CANCELLED cancels and restocks, and is 409 while captured money is not refunded.",
      exampleRequest: { status: "PROCESSING", reason: "Packing" },
      oneTransaction: true,
      version: useCase,
      reads: Schema.Struct({})
    })
  ),
  HttpApiEndpoint.post("addNote", "/v1/orders/:id/notes", {
    params: id,
    payload: NoteInput,
    success: OrderNoteView,
    error: fails(OrderNotFound, FieldRejected, ResourceChanged)
  }).pipe(
    adminRoute({
      summary: "Add a note to an order",
      description:
        "Notes something about an order, for its history. With `notifyCustomer` the buyer gets it by mail " +
        "(ORDER_NOTE).",
      exampleRequest: { text: "The blue mugs arrive on Monday.", notifyCustomer: true },
      oneTransaction: true,
      version: useCase
    })
  ),
  HttpApiEndpoint.get("history", "/v1/orders/:id/history", {
    params: id,
    success: Schema.Array(HistoryEntry),
    error: fails(OrderNotFound)
  }).pipe(
    adminRoute({
      summary: "Get the history of an order",
      description:
        "Returns what has happened to an order, the oldest first, each with who did it and where it came from: moves " +
        "of its status, payments, refunds, disputes, parcels and notes."
    })
  )
) {}

export const orderEditGroups = [OrderEditGroup] as const
