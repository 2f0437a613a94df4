/** Parcels of orders. Needs the order room. */
import type { Room } from "../database/Room.ts"
import { fulfilmentLaws } from "./fulfilmentLaws.ts"
import { OrderFulfilments } from "./OrderFulfilments.ts"

export const fulfilmentRoom = { layer: OrderFulfilments.layer, laws: fulfilmentLaws } as const satisfies Room
