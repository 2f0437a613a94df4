/** Orders that are cancelled. Needs the rooms of orders, settlement, claims and stock. */
import type { Room } from "../database/Room.ts"
import { cancellationLaws } from "./cancellationLaws.ts"
import { OrderCancellations } from "./OrderCancellations.ts"

export const cancellationRoom = { layer: OrderCancellations.layer, laws: cancellationLaws } as const satisfies Room
