/** What merchants change of orders by hand, and the history of an order. Needs the rooms that fulfil and cancel. */
import type { Room } from "../database/Room.ts"
import { OrderEdits } from "./OrderEdits.ts"

export const orderEditRoom = { layer: OrderEdits.layer } as const satisfies Room
