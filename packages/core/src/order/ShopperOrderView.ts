/** The Order as its buyer sees it: without the fields that are only for the merchant or its connectors. */
import { Schema, Struct } from "effect"
import { arrayOf, listedText, money, nullableString, nullableUrl, string, timestamp } from "../kernel/Fields.ts"
import { financialStatuses, fulfillmentStatuses, orderStatuses } from "./Order.ts"
import { ShopperFulfillmentView } from "./OrderParts.ts"
import { OrderView } from "./OrderView.ts"

const merchantFields = [
  "adminFieldValues",
  "isRead",
  "syncWarning",
  "statusHistory",
  "externalId",
  "disputes",
  "paymentExternalId",
  "paymentCapabilities"
] as const

export const ShopperOrderView = OrderView.mapFields((fields) => ({
  ...Struct.omit(fields, merchantFields),
  fulfillments: arrayOf(ShopperFulfillmentView, "Parcels of the order, the oldest first.")
})).annotate({
  identifier: "Order",
  description: "An order as its buyer sees it."
})
export type ShopperOrderView = typeof ShopperOrderView.Type

export const toShopperOrder = ({ fulfillments, ...order }: OrderView): ShopperOrderView => ({
  ...Struct.omit(order, merchantFields),
  fulfillments: fulfillments.map((parcel) => Struct.omit(parcel, ["actor"]))
})

export const PlacedOrderView = Schema.Struct({
  orderId: string("Id of the order.", "ord_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  orderNumber: string("Number of the order.", "#1001"),
  status: listedText(orderStatuses, "Status of the order: PENDING, or PAID where nothing is due."),
  total: money("What the order costs.", "48.53"),
  message: string("What happened, for people. The wording may change.", "Order placed; payment is pending")
}).annotate({ identifier: "PlacedOrder", description: "The order that was placed." })

export const PublicOrderStatusView = Schema.Struct({
  orderNumber: string("Number of the order.", "#1001"),
  status: listedText(orderStatuses, "Status of the order."),
  financialStatus: listedText(financialStatuses, "Financial status of the order."),
  fulfillmentStatus: listedText(fulfillmentStatuses, "How much of it has been shipped or handed over."),
  trackingNumber: nullableString("Tracking number of the parcel; null until it is shipped."),
  trackingUrl: nullableUrl("Where the parcel can be followed; null until it is shipped."),
  carrier: nullableString("Who carries the parcel; null until it is shipped."),
  createdAt: timestamp("When it was placed.")
}).annotate({ identifier: "PublicOrderStatus", description: "The status of an order, for its buyer." })
