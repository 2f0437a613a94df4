/** The events of payments, whichever room learns what the provider has done. */
import { Schema } from "effect"
import { defineEvent } from "../kernel/EventDefinition.ts"

export const paymentFailed = defineEvent("payment.failed", {
  description: "A payment was declined or failed.",
  data: Schema.Struct({ checkoutId: Schema.String, error: Schema.String })
})

/** A payment as events show it, without the provider's own data. Amounts are decimal strings. */
const RefundedPayment = Schema.Struct({
  id: Schema.String,
  /** The order that was paid with it, or the checkout that never became an order. */
  orderId: Schema.optionalKey(Schema.String),
  checkoutId: Schema.optionalKey(Schema.String),
  provider: Schema.NullOr(Schema.String),
  method: Schema.optionalKey(Schema.NullOr(Schema.String)),
  status: Schema.String,
  amount: Schema.String,
  captured: Schema.String,
  refunded: Schema.String,
  currency: Schema.String
})

export const paymentRefunded = defineEvent("payment.refunded", {
  description: "A provider reports a refund. Only of providers that do.",
  data: Schema.Struct({ paymentId: Schema.String, payment: RefundedPayment })
})

export const paymentEvents = [paymentFailed, paymentRefunded]
