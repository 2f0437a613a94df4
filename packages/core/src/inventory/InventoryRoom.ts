/** The services of the inventory room. The use cases check its versions themselves. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { Inventory } from "./Inventory.ts"
import { Reservations } from "./Reservations.ts"
import { StockAlerts } from "./StockAlerts.ts"
import { StockLedger } from "./StockLedger.ts"
import { StorefrontStock } from "./StorefrontStock.ts"
import { inventoryLaws } from "./inventoryLaws.ts"

export const inventoryRoom = {
  layer: Layer.mergeAll(Inventory.layer, StorefrontStock.layer, Reservations.layer, StockAlerts.layer).pipe(
    Layer.provideMerge(StockLedger.layer)
  ),
  laws: inventoryLaws
} as const satisfies Room
