import type { InvoiceLinkInvalid, InvoiceNotIssued } from "@effect-commerce/core/invoice/InvoiceErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const invoiceErrors: ErrorRows<InvoiceNotIssued | InvoiceLinkInvalid> = {
  InvoiceNotIssued: {
    code: "ORDER_INVALID_STATE",
    message: (e) => `This order is ${e.status}, and no invoice was issued before`,
    details: (e) => ({ status: e.status })
  },
  InvoiceLinkInvalid: missing("invoice")
}
