/** An internal event, which only the mail ORDERS_LINKED is made from. */
import { Schema } from "effect"
import { defineEvent } from "../kernel/EventDefinition.ts"

export const ordersLinked = defineEvent("internal.orders_linked", {
  description: "Orders that a customer placed as a guest are listed among theirs.",
  data: Schema.Struct({
    customerId: Schema.String,
    email: Schema.String,
    firstName: Schema.NullOr(Schema.String),
    /** Null: the store's. */
    language: Schema.NullOr(Schema.String),
    /** Null: the store's first. */
    salesChannelId: Schema.NullOr(Schema.String),
    orderCount: Schema.Int
  }),
  internal: true
})

export const orderLinkEvents = [ordersLinked]
