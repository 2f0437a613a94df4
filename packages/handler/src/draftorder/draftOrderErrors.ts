import type {
  DraftInvoiceNotPossible,
  DraftInvoiceUnknown,
  DraftOrderBeingPaid,
  DraftOrderCompleted,
  DraftOrderNotFound
} from "@effect-commerce/core/draftorder/DraftOrderErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

const reasons: Record<DraftInvoiceNotPossible["reason"], string> = {
  no_email: "Nobody is known to send the invoice to: the draft has no e-mail address, and none was given",
  no_channel: "The store has no sales channel on which the invoice could be paid",
  other_currency: "An invoice can be paid in the store's own currency only",
  too_many_checkouts: "Checkouts of this draft were begun and left too often: make another draft, or complete this one"
}

export const draftOrderErrors: ErrorRows<
  DraftOrderNotFound | DraftOrderCompleted | DraftOrderBeingPaid | DraftInvoiceNotPossible | DraftInvoiceUnknown
> = {
  DraftOrderNotFound: missing("draft order"),
  DraftInvoiceUnknown: missing("invoice"),
  DraftOrderCompleted: {
    code: "CONFLICT",
    message: () => "This draft has become an order",
    details: (e) => ({ reason: "completed", orderId: e.orderId })
  },
  DraftOrderBeingPaid: {
    code: "CONFLICT",
    message: () => "The buyer is paying the invoice of this draft at this moment",
    details: () => ({ reason: "being_paid" })
  },
  DraftInvoiceNotPossible: {
    code: "BUSINESS_RULE_VIOLATION",
    message: (e) => reasons[e.reason],
    details: (e) => ({ reason: e.reason })
  }
}
