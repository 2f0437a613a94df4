/** The one event of draft orders, which only a mail is made from: their orders have the events of orders. */
import { Schema } from "effect"
import { defineEvent } from "../kernel/EventDefinition.ts"
import { DraftOrderView } from "./DraftOrder.ts"

/** What the mail with an invoice needs. */
export const draftInvoiceAsked = defineEvent("internal.draft_invoice", {
  description: "A buyer is to get the invoice of a draft order.",
  data: Schema.Struct({
    draftId: Schema.String,
    email: Schema.String,
    /** The channel that the invoice is paid on. */
    salesChannelId: Schema.String,
    /** Sealed for `mailTokenContext` of the draft. */
    token: Schema.String,
    expiresAt: Schema.DateFromString,
    subject: Schema.NullOr(Schema.String),
    message: Schema.NullOr(Schema.String),
    draft: DraftOrderView
  }),
  internal: true
})

export const draftOrderEvents = [draftInvoiceAsked]
