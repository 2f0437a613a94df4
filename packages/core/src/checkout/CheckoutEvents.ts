/**
 * The events of checkouts: one that subscribers receive, and an internal one that a mail is made from.
 * `checkout.completed` is written with the order: order/OrderEvents.
 */
import { Schema } from "effect"
import { defineEvent } from "../kernel/EventDefinition.ts"
import { CheckoutView } from "./CheckoutView.ts"

export const checkoutAbandoned = defineEvent("checkout.abandoned", {
  description:
    "A checkout with an e-mail address was left for the store's abandonedAfterMinutes and has not been completed. " +
    "Sent once for a checkout.",
  data: Schema.Struct({ checkoutId: Schema.String, checkout: CheckoutView })
})

/** What the mail that brings a shopper back to a cart needs. */
export const cartRecoveryAsked = defineEvent("internal.cart_recovery", {
  description: "A shopper who left a checkout is to be reminded of it.",
  data: Schema.Struct({
    checkoutId: Schema.String,
    email: Schema.String,
    firstName: Schema.NullOr(Schema.String),
    /** Null: the store's. */
    language: Schema.NullOr(Schema.String),
    salesChannelId: Schema.NullOr(Schema.String),
    /** The session token of a guest's cart, sealed for `mailTokenContext` of the checkout; null for a customer's. */
    token: Schema.NullOr(Schema.String),
    /** When the cart ends, and with it the link. */
    expiresAt: Schema.DateFromString,
    items: Schema.Array(Schema.Struct({ name: Schema.String, quantity: Schema.Int }))
  }),
  internal: true
})

export const checkoutEvents = [checkoutAbandoned, cartRecoveryAsked]
