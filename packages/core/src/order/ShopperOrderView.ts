/** The Order as its buyer sees it: without what is the merchant's own business, or its connectors'. */
import { Struct } from "effect"
import { OrderView } from "./OrderView.ts"

const merchantFields = [
  "adminFieldValues",
  "isRead",
  "syncWarning",
  "statusHistory",
  "externalId",
  "paymentExternalId",
  "paymentCapabilities"
] as const

export const ShopperOrderView = OrderView.mapFields(Struct.omit(merchantFields)).annotate({
  identifier: "Order",
  description: "An order as its buyer sees it."
})
export type ShopperOrderView = typeof ShopperOrderView.Type

export const toShopperOrder = (order: OrderView): ShopperOrderView => Struct.omit(order, merchantFields)
