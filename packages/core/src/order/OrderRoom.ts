/** What the order room brings. Needs `Quotes` and the charges of the payment room. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { OrderMoney } from "./OrderMoney.ts"
import { OrderPlacement } from "./OrderPlacement.ts"
import { Orders } from "./Orders.ts"
import { StorefrontOrders } from "./StorefrontOrders.ts"
import { orderLaws } from "./orderLaws.ts"
import { orderMoneyLaws } from "./orderMoneyLaws.ts"
import { soldStockLaws } from "./soldStockLaws.ts"

export const orderRoom = {
  layer: Layer.merge(Orders.layer, StorefrontOrders.layer).pipe(
    Layer.provideMerge(Layer.merge(OrderPlacement.layer, OrderMoney.layer))
  ),
  rows: { order: { table: "orders" } },
  laws: [...orderLaws, ...orderMoneyLaws, ...soldStockLaws]
} as const satisfies Room
