/** Draft orders for admin keys, and the checkout of an invoice for storefronts. */
import { CheckoutView } from "@effect-commerce/core/checkout/CheckoutView"
import { claimErrors } from "@effect-commerce/core/claim/ClaimErrors"
import { OrderQuotaReached } from "@effect-commerce/core/quota/QuotaErrors"
import {
  DraftCompletion,
  DraftInvoiceInput,
  DraftInvoiceToken,
  DraftOrderInput,
  DraftOrderPatch,
  DraftOrderView,
  draftStatuses
} from "@effect-commerce/core/draftorder/DraftOrder"
import {
  DraftInvoiceNotPossible,
  DraftInvoiceUnknown,
  DraftOrderBeingPaid,
  DraftOrderCompleted,
  DraftOrderNotFound
} from "@effect-commerce/core/draftorder/DraftOrderErrors"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { ModifiersInvalid } from "@effect-commerce/core/modifier/LineModifiers"
import {
  OrderCustomerUnknown,
  OrderExternalIdTaken,
  OrderOutOfStock,
  OrderProductUnknown,
  OrderStockInsufficient
} from "@effect-commerce/core/order/OrderErrors"
import { OrderView } from "@effect-commerce/core/order/OrderView"
import { codeErrors } from "@effect-commerce/core/pricing/CodeErrors"
import { CurrencyChanged } from "@effect-commerce/core/store/StoreErrors"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { cartErrors } from "../cart/cartErrors.ts"
import { claimErrors as claimRows } from "../claim/claimErrors.ts"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { closedList } from "../middleware/CommaList.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"
import { Success } from "../middleware/Responses.ts"
import { row } from "../middleware/Versioned.ts"
import { orderErrors } from "../order/orderErrors.ts"
import { pricingErrors } from "../pricing/pricingErrors.ts"
import { quotaErrors } from "../quota/quotaErrors.ts"
import { storeErrors } from "../store/storeErrors.ts"
import { draftOrderErrors } from "./draftOrderErrors.ts"

const fails = failsBy(draftOrderErrors, cartErrors, claimRows, orderErrors, pricingErrors, quotaErrors, storeErrors)

const id = { id: string("Id of the draft order.") }
const version = row("draftOrder", "id")
const drafted = [ModifiersInvalid, FieldRejected, OrderProductUnknown, OrderCustomerUnknown, ...codeErrors] as const
const written = [DraftOrderNotFound, DraftOrderCompleted, DraftOrderBeingPaid] as const

export class DraftOrdersGroup extends apiGroup("draftOrders", {
  part: "Admin",
  title: "Draft orders",
  description:
    "Orders that are still being put together with a buyer. They hold no stock and have no number. A draft is sent " +
    "as an invoice that its buyer pays, or completed by the merchant; either way it becomes one order."
}).add(
  HttpApiEndpoint.get("list", "/v1/orders/draft", {
    query: {
      ...pageQuery,
      status: Schema.optionalKey(closedList(draftStatuses, "Shows only drafts of these states."))
    },
    success: listEnvelope(DraftOrderView)
  }).pipe(
    adminRoute({
      summary: "List draft orders",
      description: "Lists the draft orders of the store, the newest first. A completed one shows its order."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/orders/draft", {
    payload: DraftOrderInput,
    success: DraftOrderView.pipe(HttpApiSchema.status(201)),
    error: fails(...drafted)
  }).pipe(
    adminRoute({
      exampleRequest: {
        items: [{ name: "Desk made to measure", price: "480.00", quantity: 1 }],
        customer: { email: "ada@example.com", name: "Ada Lovelace" },
        shippingAmount: "40.00"
      },
      summary: "Create a draft order",
      description:
        "Creates a draft of the order that the same body would make with `POST /v1/orders`: items have the " +
        "catalogue's price or one of their own, and an item without a product has a name and a price. The prices of " +
        "now are kept; discounts and taxes are worked out whenever the draft is written, and for the last time when " +
        "it is completed.",
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.get("get", "/v1/orders/draft/:id", {
    params: id,
    success: DraftOrderView,
    error: fails(DraftOrderNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a draft order",
      description: "Returns one draft order with its items and totals. A completed one shows its order."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/orders/draft/:id", {
    params: id,
    payload: DraftOrderPatch,
    success: DraftOrderView,
    error: fails(...written, ...drafted, CurrencyChanged)
  }).pipe(
    adminRoute({
      exampleRequest: { shippingAmount: "0.00", notes: "Delivery is on us" },
      summary: "Update a draft order",
      description:
        "Changes the fields in the body and leaves the others; null clears a field, and `items` replaces all items. " +
        "Discounts and taxes are calculated again; items that stay, or are named by their `id`, keep their prices. A " +
        "draft whose invoice was sent is OPEN again, and the link in the invoice works no more: a checkout that was " +
        "opened by it is cancelled. While the buyer is paying, and once the draft has an order, the response is 409.",
      oneTransaction: true,
      version
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/orders/draft/:id", {
    params: id,
    success: Success,
    error: fails(...written)
  }).pipe(
    adminRoute({
      summary: "Delete a draft order",
      description:
        "Deletes a draft that has no order, and cancels the checkout of its invoice. While the buyer is paying the " +
        "response is 409.",
      oneTransaction: true,
      version
    })
  ),
  HttpApiEndpoint.post("sendInvoice", "/v1/orders/draft/:id/send-invoice", {
    params: id,
    payload: DraftInvoiceInput,
    success: DraftOrderView,
    error: fails(DraftOrderNotFound, DraftOrderCompleted, DraftInvoiceNotPossible, CurrencyChanged)
  }).pipe(
    adminRoute({
      exampleRequest: { message: "As we talked about on the telephone." },
      summary: "Send the invoice of a draft order",
      description:
        "Sends the mail DRAFT_INVOICE to the buyer. Its link leads to the storefront's page " +
        "`/checkout/invoice?token=…` and works for 30 days, until another invoice is sent, or until the draft is " +
        "changed; the storefront opens the checkout with `POST /vc/{salesChannelId}/checkout/draft`. Without an " +
        "e-mail address, without a sales channel, in a currency that is not the store's, or once 100 checkouts of " +
        "the draft were begun, the response is 422.",
      optionalBody: true,
      oneTransaction: true,
      version
    })
  ),
  HttpApiEndpoint.post("complete", "/v1/orders/draft/:id/complete", {
    params: id,
    payload: DraftCompletion,
    success: OrderView,
    error: fails(
      ...written,
      ...drafted,
      CurrencyChanged,
      OrderExternalIdTaken,
      OrderStockInsufficient,
      OrderOutOfStock,
      OrderQuotaReached,
      ...claimErrors
    )
  }).pipe(
    adminRoute({
      exampleRequest: { paid: true, paymentMethod: "bank_transfer", reference: "2026-0117" },
      summary: "Complete a draft order",
      description:
        "Makes the order of the draft, at the prices that were drafted: it takes the stock and its number, and is " +
        "PENDING, or PAID with `paid`, which records a payment outside of a checkout. A draft becomes one order: a " +
        "second completion returns the first. The checkout of its invoice is cancelled; while the buyer is paying it " +
        "the response is 409.",
      optionalBody: true,
      oneTransaction: true,
      version
    })
  )
) {}

export class DraftInvoicesGroup extends apiGroup("draftInvoices", {
  part: "Storefront",
  title: "Invoices of drafts",
  description: "Paying what a merchant has drafted for a buyer."
}).add(
  HttpApiEndpoint.post("open", "/vc/:salesChannelId/checkout/draft", {
    params: { salesChannelId: string("Id of the sales channel.", "vc_01k9f3m2q7x4b8n6c5d1e0h2jk") },
    payload: DraftInvoiceToken,
    success: CheckoutView,
    error: fails(DraftInvoiceUnknown, DraftOrderCompleted, CurrencyChanged)
  }).pipe(
    channelRoute("cart", {
      exampleRequest: { token: "Zk3xTq7VbN2mWc8LrY5pHd9sFj4aGe6u" },
      summary: "Open the checkout of an invoice",
      description:
        "Opens a checkout of what a merchant has drafted, by the token of the invoice's link. Its lines have the " +
        "prices of the draft, some are no products of the store, and its delivery is part of the invoice: no " +
        "shipping method is chosen. It is filled in, paid and completed like any other checkout. Repeated, the " +
        "response is the same checkout while it is open, and the COMPLETED one afterwards. A token that is " +
        "unknown, expired, replaced by a newer invoice or of another sales channel is 404; a draft that the " +
        "merchant " +
        "has completed meanwhile is 409."
    })
  )
) {}

export const draftOrderGroups = [DraftInvoicesGroup, DraftOrdersGroup] as const
