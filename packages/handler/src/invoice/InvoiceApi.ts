/** Invoices of orders, as pages for people: for admin keys, and by signed links. */
import { string } from "@effect-commerce/core/kernel/Fields"
import { InvoiceLinkInvalid, InvoiceNotIssued } from "@effect-commerce/core/invoice/InvoiceErrors"
import { OrderNotFound } from "@effect-commerce/core/order/OrderErrors"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute, openRoute } from "../middleware/Policy.ts"
import { orderErrors } from "../order/orderErrors.ts"
import { invoiceErrors } from "./invoiceErrors.ts"

const fails = failsBy(orderErrors, invoiceErrors)

const Page = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" }))

export class InvoicesGroup extends apiGroup("invoices", {
  part: "Admin",
  title: "Invoices",
  description: "Invoices of orders, as pages that print on A4 and Letter."
}).add(
  HttpApiEndpoint.get("get", "/v1/orders/:id/invoice", {
    params: { id: string("Id of the order.") },
    success: Page,
    error: fails(OrderNotFound, InvoiceNotIssued)
  }).pipe(
    adminRoute({
      summary: "Get the invoice of an order",
      description:
        "Returns the invoice as an HTML page, in English or German by the order's language. The first request issues " +
        "it: the order gets the store's next invoice number, without gaps, and keeps it for good. Orders of channels " +
        "in test mode are numbered apart. An order that was cancelled before its invoice was asked for has none: 409."
    })
  )
) {}

export class InvoiceLinksGroup extends apiGroup("invoiceLinks", {
  part: "Public",
  title: "Links to invoices",
  description: "The invoice of an order by the signed link that the order shows as `invoiceUrl`."
}).add(
  HttpApiEndpoint.get("open", "/invoices/:token", {
    params: { token: string("The token of the link, which `invoiceUrl` of the order ends with.") },
    success: Page,
    error: fails(InvoiceLinkInvalid)
  }).pipe(
    openRoute({
      summary: "Open the invoice of an order",
      description:
        "Returns the invoice as an HTML page to anybody who has its link. A link works for 30 days; every response " +
        "about the order has a new one. A link that was changed, has expired or is of an order without an invoice " +
        "is 404."
    })
  )
) {}

export const invoiceGroups = [InvoicesGroup, InvoiceLinksGroup] as const
