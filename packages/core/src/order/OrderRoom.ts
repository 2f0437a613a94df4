/** The services of the order room. Needs `Quotes`. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { OrderChanges } from "./OrderChanges.ts"
import { OrderPlacement } from "./OrderPlacement.ts"
import { Orders } from "./Orders.ts"

export const orderRoom = {
  layer: Layer.merge(Orders.layer, OrderChanges.layer).pipe(Layer.provideMerge(OrderPlacement.layer)),
  rows: { order: { table: "orders" } }
} as const satisfies Room
