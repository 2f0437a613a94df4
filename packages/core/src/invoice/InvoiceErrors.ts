/** The errors of invoices. */
import { Schema } from "effect"

/** The order was cancelled before anybody asked for its invoice: it gets none any more. */
export class InvoiceNotIssued extends Schema.TaggedError<InvoiceNotIssued>()("InvoiceNotIssued", {
  id: Schema.String,
  status: Schema.String
}) {}

/** The link opens no invoice: it was changed, has expired, or there is none. Nobody is told which. */
export class InvoiceLinkInvalid extends Schema.TaggedError<InvoiceLinkInvalid>()("InvoiceLinkInvalid", {}) {}
