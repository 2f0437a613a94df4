/** The service of the room of entered orders. Needs `OrderPlacement`. */
import type { Room } from "../database/Room.ts"
import { OrderEntry } from "./OrderEntry.ts"

export const orderEntryRoom = { layer: OrderEntry.layer } as const satisfies Room
