/** How a shopper pays for a checkout, and the state of the payment. */
import { Schema } from "effect"
import { listedText, money, nullableString, nullableUrl, string } from "../kernel/Fields.ts"
import { financialStatuses } from "../order/Order.ts"

export const PaymentSessionView = Schema.Struct({
  providerType: string("Kind of the provider.", "test"),
  clientSecret: nullableString("Secret for the provider's own form; null where it needs none."),
  redirectUrl: nullableUrl("Page of the provider to send the shopper to; null where there is none."),
  amount: money("What is to be paid.", "48.53"),
  currency: string("ISO 4217 currency of the amount.", "USD")
}).annotate({ identifier: "PaymentSession", description: "How a shopper pays through a provider." })

/** Without an order, the state of the checkout. */
const paymentStatuses = [...financialStatuses, "awaiting_shopper", "processing", "expired", "cancelled"] as const

export const PaymentStatusView = Schema.Struct({
  status: listedText(
    paymentStatuses,
    "The order's financial status where there is an order; else `pending`, `awaiting_shopper` (the shopper has to " +
      "act at the provider), `processing`, `expired` or `cancelled`."
  ),
  orderId: nullableString("The order; null while there is none."),
  orderNumber: nullableString("Number of the order; null while there is none.", "#1001")
}).annotate({ identifier: "PaymentStatus", description: "Outcome of the payment of a checkout." })
