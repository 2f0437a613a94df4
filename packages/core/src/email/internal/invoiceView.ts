/** The variables of the mail that carries the invoice of a draft order. */
import { Struct } from "effect"
import { draftInvoiceAsked } from "../../draftorder/DraftOrderEvents.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import type { View } from "../../template/TemplateRenderer.ts"
import { dayOf, OrderEvent, orderView } from "./mailViews.ts"

/** As `OrderEvent`, of a draft order, which has no number yet. */
export const InvoiceEvent = draftInvoiceAsked.data.mapFields((fields) => ({
  ...fields,
  draft: OrderEvent.fields.order.mapFields(Struct.omit(["orderNumber"]))
}))
export type InvoiceEvent = typeof InvoiceEvent.Type

/** `path` of the page of the storefront that takes the token and opens the checkout of the invoice. */
export const draftInvoiceView =
  ({ draft, ...event }: InvoiceEvent, store: StoreContext, base: string | null) =>
  (token: string, language: string): View => {
    const path = `/checkout/invoice?token=${token}`
    return {
      ...orderView(store, { orderId: event.draftId, order: { ...draft, orderNumber: "" } }, language),
      customerEmail: event.email,
      orderId: null,
      orderNumber: null,
      status: null,
      financialStatus: null,
      subject: event.subject,
      message: event.message,
      expiresAt: dayOf(event.expiresAt.toISOString(), store, language),
      token,
      path,
      invoiceUrl: base === null ? null : `${base}${path}`
    }
  }
