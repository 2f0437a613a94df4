/**
 * The events of orders, and checkout.completed, which is written together with an order. Each carries the order as the
 * transaction leaves it.
 */
import { Schema } from "effect"
import { defineEvent } from "../kernel/EventDefinition.ts"
import { OrderView } from "./OrderView.ts"

const orderFields = { orderId: Schema.String, order: OrderView }
const orderData = Schema.Struct(orderFields)

export const orderCreated = defineEvent("order.created", {
  description: "An order is placed, paid or not. A failed payment produces none.",
  data: orderData
})

export const orderUpdated = defineEvent("order.updated", {
  description: "An order's metadata change.",
  data: orderData
})

export const orderPaid = defineEvent("order.paid", {
  description: "A provider captured the funds, or a payment outside of it was recorded.",
  data: orderData
})

export const orderFulfilled = defineEvent("order.fulfilled", {
  description: "All items are shipped or delivered.",
  data: orderData
})

export const orderCancelled = defineEvent("order.cancelled", {
  description: "The merchant or the customer cancelled the order.",
  data: orderData
})

export const orderRefunded = defineEvent("order.refunded", {
  description:
    "A full or partial refund, also one taken in a payment provider's own dashboard: that one has `source` and no " +
    "`refundId`.",
  data: Schema.Struct({
    ...orderFields,
    refundType: Schema.Literals(["full", "partial"]),
    refundId: Schema.optionalKey(Schema.String),
    source: Schema.optionalKey(Schema.Literal("provider"))
  })
})

export const checkoutCompleted = defineEvent("checkout.completed", {
  description: "A checkout became an order.",
  data: Schema.Struct({ checkoutId: Schema.String, ...orderFields })
})

/** Mails to the buyer of an order that somebody asks for by what they do with it. */
export const orderMails = [
  "ORDER_SHIPPED",
  "ORDER_CANCELLED",
  "ORDER_COMPLETED",
  "ORDER_REFUNDED",
  "ORDER_NOTE"
] as const

/** Appended in the transaction of the change, where the buyer is to be told. */
export const orderMailAsked = defineEvent("internal.order_mail", {
  description: "The buyer of an order is to be told by mail what has happened to it.",
  data: Schema.Struct({
    ...orderFields,
    mail: Schema.Literals(orderMails),
    /** What the mail says beside the order. */
    details: Schema.Struct({
      reason: Schema.optionalKey(Schema.NullOr(Schema.String)),
      note: Schema.optionalKey(Schema.String),
      /** A decimal string in the order's currency. */
      refundAmount: Schema.optionalKey(Schema.String),
      trackingNumber: Schema.optionalKey(Schema.NullOr(Schema.String)),
      trackingUrl: Schema.optionalKey(Schema.NullOr(Schema.String)),
      carrier: Schema.optionalKey(Schema.NullOr(Schema.String)),
      /** What is in the parcel, or what is given back. */
      items: Schema.optionalKey(
        Schema.Array(Schema.Struct({ name: Schema.String, sku: Schema.NullOr(Schema.String), quantity: Schema.Int }))
      )
    })
  }),
  internal: true
})

export const orderEvents = [
  orderCreated,
  orderUpdated,
  orderPaid,
  orderFulfilled,
  orderCancelled,
  orderRefunded,
  checkoutCompleted,
  orderMailAsked
]
