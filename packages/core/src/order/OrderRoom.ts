/** The services of the order room. Needs `Quotes`. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { OrderChanges } from "./OrderChanges.ts"
import { OrderPlacement } from "./OrderPlacement.ts"
import { Orders } from "./Orders.ts"
import { orderLaws } from "./orderLaws.ts"
import { soldStockLaws } from "./soldStockLaws.ts"

export const orderRoom = {
  layer: Layer.merge(Orders.layer, OrderChanges.layer).pipe(Layer.provideMerge(OrderPlacement.layer)),
  rows: { order: { table: "orders" } },
  laws: [...orderLaws, ...soldStockLaws]
} as const satisfies Room
