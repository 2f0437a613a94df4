/** The events of payments, whichever room learns what the provider has done. */
import { Schema } from "effect"
import { defineEvent } from "../kernel/EventDefinition.ts"

export const paymentFailed = defineEvent("payment.failed", {
  description: "A payment was declined or failed.",
  data: Schema.Struct({
    checkoutId: Schema.String,
    /**
     * A code such as `card_declined`, the same for every provider; or, in our own words, why the money was not wanted.
     */
    error: Schema.String
  })
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

/** A request to a provider that needs a person. Amounts are decimal strings. */
const NeglectedPayment = Schema.Struct({
  kind: Schema.Literals(["authorize", "capture", "void", "refund"]),
  orderId: Schema.optionalKey(Schema.String),
  checkoutId: Schema.optionalKey(Schema.String),
  provider: Schema.String,
  state: Schema.String,
  /** What is wrong, for the merchant to read. */
  reason: Schema.String,
  amount: Schema.String,
  currency: Schema.String,
  since: Schema.String
})

export const paymentNeedsAttention = defineEvent("payment.needs_attention", {
  description:
    "A payment could not be settled for an hour, or the provider speaks of another amount or currency: look at it in " +
    "the provider's dashboard.",
  data: Schema.Struct({ paymentId: Schema.String, payment: NeglectedPayment })
})

export const paymentEvents = [paymentFailed, paymentRefunded, paymentNeedsAttention]
